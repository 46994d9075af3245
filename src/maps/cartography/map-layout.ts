/**
 * What takes long to find for the layout of a map: insets, the room for labels, the names of states. It depends on where
 * ZIP codes and places are, on the size, and on the fonts, but hardly on scores and colors. Later maps of the same ZIP
 * codes and size start with it, in all threads and processes and after a restart: see `maps/layouts`.
 */
import { hash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Datasets } from '../../base/db/datasets.ts';
import { BASEMAP_LAYERS } from '../../data/basemap/features.ts';
import { loadOnce } from './load-once.ts';
import type { MapData } from './map-data.ts';

/** Findings beyond this number, such as those of hundreds of titles, aren't kept. */
const MAX_FINDINGS = 20_000;
/** Memory of a layout: about 2,000 findings */
const LAYOUT_BYTES = 400_000;
/** A map with fewer findings is laid out quickly. */
const FEW_FINDINGS = 40;
/** A layout is kept again when this share of it is new. */
const NEWS_SHARE = 0.05;

export class MapLayout {
  private readonly findings: Map<string, unknown>;
  private news: number;

  /** @param packed a layout that was kept */
  constructor(packed: Uint8Array | null = null) {
    const text = packed === null ? '[]' : inflateRawSync(packed).toString();
    this.findings = new Map(JSON.parse(text) as [string, unknown][]);
    this.news = 0;
  }

  /**
   * Returns what was found for a key, or finds it. The result follows from the key and the layout's ZIP codes and size.
   * @param find returns a value that JSON can represent
   */
  once<T>(key: string, find: () => T): T {
    const known = this.findings.get(key);
    if (known !== undefined) return known as T;
    const found = find();
    if (this.findings.size < MAX_FINDINGS) {
      this.findings.set(key, found);
      this.news++;
    }
    return found;
  }

  /** Returns the layout for later maps, or null if hardly anything is new since it was read or packed. */
  pack(): Uint8Array | null {
    if (this.news <= Math.max(FEW_FINDINGS, NEWS_SHARE * this.findings.size)) return null;
    this.news = 0;
    return deflateRawSync(JSON.stringify([...this.findings]), { level: 1 });
  }
}

/** A short name for a value that JSON can represent */
export const nameOf = (value: unknown): string => hash('sha1', JSON.stringify(value), 'base64url');

/**
 * Returns the layout of maps of some ZIP codes in a size. `keep` makes it available to later maps.
 * @param facts the datasets from which the map is made
 */
export async function layoutOf(
  db: MapData,
  facts: Datasets,
  map: { zips: readonly string[]; isNational: boolean; width: number; height: number },
): Promise<{ layout: MapLayout; keep(): void }> {
  const { layouts, streets } = db;
  const shown = ['boundaries', ...BASEMAP_LAYERS] as const;
  const dates = shown.map((name) => facts.get(name)?.importedAt);
  const name = nameOf([dates, streets?.version, map.zips, map.isNational, map.width, map.height]);
  const read = async () => new MapLayout(await layouts?.read(name));
  const layout = await loadOnce(db, ['layout', name], read, () => LAYOUT_BYTES);
  return {
    layout,
    keep() {
      const packed = layouts && layout.pack();
      if (packed) void layouts.keep(name, packed);
    },
  };
}
