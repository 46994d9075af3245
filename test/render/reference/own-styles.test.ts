/** Compares the service's pictures with maplibre-gl: the same colors and the same labels. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Feature } from 'geojson';
import { existsSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import { glyphRange } from '../../../src/data/basemap/glyphs.ts';
import { loadSprite } from '../../../src/data/basemap/sprite.ts';
import type { Market } from '../../../src/data/market/market.ts';
import { drawScoreMap } from '../../../src/maps/cartography/score-map.ts';
import { paint, rawPicture } from '../../../src/render/canvas/paint.ts';
import { encode } from '../../../src/render/canvas/encode.ts';
import { cameraOf, type Scene } from '../../../src/render/scene.ts';
import { STYLE_NAMES, type StyleName } from '../../../src/data/basemap/styles.ts';
import { MAP_DATASETS } from '../../../src/maps/cartography/zip-map.ts';
import { SAMPLE_STREETS } from '../../../src/base/geodata/project-files.ts';
import { isTileSet } from '../../../src/render/scene.ts';
import { openStreets } from '../../../src/data/streets/streets.ts';
import { testLog } from '../../support/log.ts';
import { testDatabase } from '../../support/database.ts';
import { hasChromium, openReference, type Reference } from '../../support/maplibre.ts';

const { db } = await testDatabase('sample');

/** Real streets, where they are present: see `shared/geo` */
const SAN_FRANCISCO = '../shared/geo/tiles/sf.pmtiles';

/** Returns the scene that the service draws for a market, without its furniture. */
async function sceneOf(
  market: Market,
  style: StyleName,
  pixelRatio: number,
  archive?: string,
): Promise<Scene> {
  let sent: Scene | undefined;
  const engine = {
    render: (scene: Scene) => {
      sent = scene;
      return Promise.resolve(Buffer.alloc(0));
    },
  };
  const streets = archive === undefined ? null : await openStreets(archive, testLog());
  const renderer = mapsWith(engine, streets);
  // Insets would be scenes of their own.
  const look = { style, width: 900, height: 600, pixelRatio, insets: false };
  await renderer
    .data(db, MAP_DATASETS)
    .read((data) => drawScoreMap(data, renderer, { ...look, market, vertical: 'roofing' }));
  await streets?.close();
  // As on a screen, labels may be cut by the edge.
  return { ...sent!, furniture: undefined, arranged: undefined, keepLabelsWhole: false };
}

const STREET_TILES = 'local://streets/{z}/{x}/{y}.mvt';

/** The scene as a style document that contains its features */
function documentOf(scene: Scene): StyleSpecification {
  const sources = Object.fromEntries(
    Object.entries(scene.style.sources).map(([id, source]) => {
      const drawn = scene.sources[id] ?? [];
      if (isTileSet(drawn)) {
        const { minzoom, maxzoom } = drawn;
        return [id, { type: 'vector', tiles: [STREET_TILES], minzoom, maxzoom }];
      }
      const features = drawn as Feature[];
      return [id, { ...source, data: { type: 'FeatureCollection', features } }];
    }),
  );
  return {
    ...scene.style,
    glyphs: 'local://fonts/{fontstack}/{range}.pbf',
    sprite: `local:/${String(scene.style.sprite)}`,
    sources: sources as StyleSpecification['sources'],
  };
}

interface Pixels {
  width: number;
  height: number;
  rgb: Buffer;
}

async function decode(picture: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(picture)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb: data };
}

/** Samples places where the reference is flat. Returns the share with the same color in our picture. */
function sameColors(reference: Pixels, ours: Pixels): { share: number; places: number } {
  const STEP_PX = 7;
  const at = ({ width, rgb }: Pixels, x: number, y: number) =>
    [0, 1, 2].map((c) => rgb[3 * (y * width + x) + c]!);
  const apart = (a: readonly number[], b: readonly number[]) =>
    Math.max(...a.map((value, c) => Math.abs(value - b[c]!)));
  let places = 0;
  let same = 0;
  for (let y = 2; y < reference.height - 2; y += STEP_PX) {
    for (let x = 2; x < reference.width - 2; x += STEP_PX) {
      const center = at(reference, x, y);
      const isFlat = [-2, 0, 2].every((dx) =>
        [-2, 0, 2].every((dy) => apart(center, at(reference, x + dx, y + dy)) <= 1),
      );
      if (!isFlat) continue;
      places++;
      if (apart(center, at(ours, x, y)) <= 2) same++;
    }
  }
  return { share: same / places, places };
}

/** Identifies a label by layer and letters, regardless of case and spacing. */
const labelKey = (layer: string, text: string) =>
  `${layer}: ${text.replaceAll(/\s/g, '').toLowerCase()}`;

function shareOf(part: ReadonlySet<string>, whole: ReadonlySet<string>): number {
  return [...whole].filter((key) => part.has(key)).length / whole.size;
}

describe.skipIf(!hasChromium)('a picture of the service, compared with maplibre-gl', () => {
  let reference: Reference;
  const files = new Map<string, Buffer>();

  beforeAll(async () => {
    const faces = ['Regular', 'Italic', 'Medium', 'SemiBold', 'Bold'].map((f) => `Noto Sans ${f}`);
    for (const face of faces) {
      for (const first of [0, 256]) {
        const range = Buffer.from(await glyphRange([face], first));
        files.set(`fonts/${face}/${first}-${first + 255}.pbf`, range);
      }
    }
    for (const name of STYLE_NAMES) {
      for (const [suffix, ratio] of [['', 1] as const, ['@2x', 2] as const]) {
        const { index, sheet } = await loadSprite(name, ratio);
        files.set(`sprites/${name}${suffix}.json`, Buffer.from(JSON.stringify(index)));
        files.set(`sprites/${name}${suffix}.png`, sheet);
      }
    }
    reference = await openReference((path) => files.get(path) ?? null);
  });
  afterAll(() => reference.close());

  const metro = { metro: 'dallas-tx' };
  const cases: [string, Market, StyleName, number][] = [
    ...STYLE_NAMES.map((style): [string, Market, StyleName, number] => [
      `a metro in the style ${style}`,
      metro,
      style,
      1,
    ]),
    ['a metro at pixel ratio 2', metro, 'light', 2],
    ['a state', { state: 'CO' }, 'light', 1],
    ['the country', { nation: true }, 'dark', 1],
    ['one ZIP code', { zips: ['60614'] }, 'muted', 1],
    ['three distant ZIP codes', { zips: ['98101', '75201', '33131'] }, 'light', 1],
  ];

  const sample = SAMPLE_STREETS;
  const overStreets: [string, Market, StyleName, number, string][] = [
    ...STYLE_NAMES.map(
      (style): [string, Market, StyleName, number, string] =>
        [`streets in the style ${style}`, { zips: ['75201', '75202'] }, style, 1, sample] as const,
    ),
    ['streets at pixel ratio 2', { zips: ['75226'] }, 'light', 2, sample],
  ];
  if (existsSync(SAN_FRANCISCO)) {
    const zips = ['94110', '94114', '94117'];
    overStreets.push(
      ['streets of San Francisco', { zips }, 'light', 1, SAN_FRANCISCO],
      ['streets of a ZIP code of San Francisco', { zips: ['94110'] }, 'dark', 1, SAN_FRANCISCO],
    );
  }

  it.each([
    ...cases.map(
      ([name, market, style, ratio]) => [name, market, style, ratio, undefined] as const,
    ),
    ...overStreets,
  ])('has the same colors and labels: %s', async (_name, market, style, ratio, archive) => {
    const scene = await sceneOf(market, style, ratio, archive);
    const { streets } = scene.sources;
    expect(streets !== undefined).toBe(archive !== undefined);
    if (streets && isTileSet(streets)) {
      for (const { z, x, y, bytes } of streets.tiles) {
        files.set(`streets/${z}/${x}/${y}.mvt`, Buffer.from(bytes));
      }
    }
    const { center, zoom } = cameraOf(scene);
    const { width, height, pixelRatio } = scene;
    const view = { width, height, pixelRatio, center, zoom };
    const theirs = await reference.draw({ style: documentOf(scene), ...view });
    expect(theirs.errors).toEqual([]);
    const ours = paint(scene);
    const picture = await encode(rawPicture(ours), 'png');

    const colors = sameColors(await decode(theirs.png), await decode(picture));
    expect(colors.places).toBeGreaterThan(1_000);
    expect(colors.share).toBeGreaterThan(0.998);

    const wanted = new Set(
      theirs.labels.map(({ layer, properties }) => {
        const name = String(
          layer === 'street_shields'
            ? properties.shield_text
            : (properties.label ?? properties['name:en'] ?? properties.name ?? properties.zip),
        );
        return labelKey(layer, layer === 'road-shields' ? name.replace(/^\S+ /, '') : name);
      }),
    );
    // Labels outside the picture are placed, too, because they block others.
    const visible = ours.labels.filter(
      ({ box: { minX, minY, maxX, maxY } }) =>
        maxX > 0 && maxY > 0 && minX < width && minY < height,
    );
    const placed = new Set(visible.map(({ layer, text }) => labelKey(layer, text)));
    expect(shareOf(placed, wanted)).toBeGreaterThanOrEqual(0.95);
    expect(shareOf(wanted, placed)).toBeGreaterThanOrEqual(0.95);
  });
});
