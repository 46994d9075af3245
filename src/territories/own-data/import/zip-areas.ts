/** Finds the ZIP codes of points. Loads boundaries as points need them. */
import Flatbush from 'flatbush';
import type { Bbox } from '../../../base/spatial/bbox.ts';
import type { FlatGeometry } from '../../../base/spatial/flat-geometry.ts';
import { coverTest } from '../../../base/spatial/point-in-area.ts';
import { readFlatWkb } from '../../../base/spatial/wkb.ts';
import type { Point } from './coordinates.ts';
import type { Areas, Cell, UploadLookUps } from './look-ups.ts';

interface Area {
  name: string;
  bbox: Bbox;
  covers(lng: number, lat: number): boolean;
}

/** The areas that may touch a square of one degree, in order of ZIP codes. Null if there are none. */
type CellIndex = { areas: Area[]; boxes: Flatbush } | null;

/** Sizes of questions: the service's thread answers one in a few milliseconds. */
const CELLS_PER_QUESTION = 50;
const ZIPS_PER_QUESTION = 300;

export class ZipAreas {
  readonly #lookUps: Pick<UploadLookUps, 'zipsIn' | 'boundaries' | 'states'>;
  readonly #areas = new Map<string, Area>();
  readonly #cells = new Map<number, CellIndex>();
  #states: Area[] | null = null;

  constructor(lookUps: Pick<UploadLookUps, 'zipsIn' | 'boundaries' | 'states'>) {
    this.#lookUps = lookUps;
  }

  /** Loads the boundaries around points. */
  async load(points: readonly Point[]): Promise<void> {
    const missing = new Map<number, Cell>();
    for (const [lng, lat] of points) {
      const key = keyOf(lng, lat);
      if (!this.#cells.has(key)) missing.set(key, [Math.floor(lng), Math.floor(lat)]);
    }
    const cells = [...missing];
    for (let at = 0; at < cells.length; at += CELLS_PER_QUESTION) {
      await this.#loadCells(cells.slice(at, at + CELLS_PER_QUESTION));
    }
  }

  async #loadCells(cells: readonly (readonly [key: number, Cell])[]): Promise<void> {
    const zips = await this.#lookUps.zipsIn(cells.map(([, cell]) => cell));
    const missing = zips.filter((zip) => !this.#areas.has(zip));
    for (let at = 0; at < missing.length; at += ZIPS_PER_QUESTION) {
      const areas = await this.#lookUps.boundaries(missing.slice(at, at + ZIPS_PER_QUESTION));
      for (const area of readAreas(areas)) this.#areas.set(area.name, area);
    }
    const near = zips.flatMap((zip) => this.#areas.get(zip) ?? []);
    for (const [key, [west, south]] of cells) {
      this.#cells.set(
        key,
        indexOf(
          near.filter(
            ({ bbox }) =>
              bbox[0] <= west + 1 && bbox[2] >= west && bbox[1] <= south + 1 && bbox[3] >= south,
          ),
        ),
      );
    }
  }

  /**
   * Returns the ZIP code of a point whose surroundings are loaded, or null if it is in none. A point on a border has
   * the lower ZIP code.
   */
  zipAt(lng: number, lat: number): string | null {
    const cell = this.#cells.get(keyOf(lng, lat)) ?? null;
    if (cell === null) return null;
    const { areas, boxes } = cell;
    let found = Infinity;
    // The index calls its filter for each box around the point.
    boxes.search(lng, lat, lng, lat, (i) => {
      if (i < found && areas[i]!.covers(lng, lat)) found = i;
      return false;
    });
    return areas[found]?.name ?? null;
  }

  /** Whether a point is in a state, or the states aren't imported */
  async isInCountry(lng: number, lat: number): Promise<boolean> {
    this.#states ??= readAreas(await this.#lookUps.states());
    return this.#states.length === 0 || this.#states.some(({ covers }) => covers(lng, lat));
  }
}

const keyOf = (lng: number, lat: number) => Math.floor(lng) * 1_000 + Math.floor(lat);

function indexOf(areas: Area[]): CellIndex {
  if (areas.length === 0) return null;
  const boxes = new Flatbush(areas.length);
  for (const { bbox } of areas) boxes.add(...bbox);
  boxes.finish();
  return { areas, boxes };
}

function readAreas({ names, lengths, shapes }: Areas): Area[] {
  let at = 0;
  return names.map((name, i) => {
    const wkb = Buffer.from(shapes.buffer, shapes.byteOffset + at, lengths[i]!);
    at += lengths[i]!;
    const area = readFlatWkb(wkb) as unknown as FlatGeometry;
    return { name, bbox: area.bbox, covers: coverTest(area) };
  });
}
