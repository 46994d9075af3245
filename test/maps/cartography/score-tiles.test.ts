import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { describe, expect, it } from 'vitest';
import { SCORE_CLASSES, scoreTiles } from '../../../src/maps/cartography/tiles/score-tiles.ts';
import { paletteOf } from '../../../src/data/basemap/palette.ts';
import { loadStyle, STYLE_NAMES } from '../../../src/data/basemap/styles.ts';
import { VERTICALS } from '../../../src/data/scoring/verticals.ts';
import { mercatorX, mercatorY } from '../../../src/base/spatial/mercator.ts';
import { testDatabase } from '../../support/database.ts';

const { db } = await testDatabase('sample');
const empty = await testDatabase('empty');

type Properties = Record<string, number | string | boolean>;

async function propertiesIn(z: number, x: number, y: number, layer: string): Promise<Properties[]> {
  const found = new VectorTile(new PbfReader(await scoreTiles.tile(db, { z, x, y }))).layers[layer];
  return Array.from({ length: found?.length ?? 0 }, (_, i) => found!.feature(i).properties);
}

/** Returns the ZIP codes in all tiles of the minimum zoom. */
async function allZips(): Promise<Properties[]> {
  const z = scoreTiles.minZoom;
  const all: Properties[] = [];
  for (let x = 0; x < 2 ** z; x++) {
    for (let y = 0; y < 2 ** z; y++) all.push(...(await propertiesIn(z, x, y, 'zips')));
  }
  return all;
}

describe('score tiles', () => {
  it('contain exactly the ZIP codes of launched metros', async () => {
    const launched = await db.query<{ zip: string; metro: string }>(
      `select zip, metro_slug as metro from zips join metro_counties using (county_fips)
       order by zip`,
    );
    const found = new Map((await allZips()).map(({ zip, metro }) => [zip, metro]));
    expect([...found.keys()].sort()).toEqual(launched.map(({ zip }) => zip));
    for (const { zip, metro } of launched) expect(found.get(zip)).toBe(metro);
  });

  it('contain the score class of each vertical that has a score', async () => {
    const [known] = await db.query<{ zip: string }>(
      `select zip from zips join metro_counties using (county_fips) where metro_slug = 'dallas-tx'
       order by zip limit 1`,
    );
    await db.query(`update zip_scores set score = null where zip = $1 and vertical = 'hvac'`, [
      known!.zip,
    ]);
    const rows = await db.query<{ vertical: string; score: number | null }>(
      'select vertical, score from zip_scores where zip = $1',
      [known!.zip],
    );
    const properties = (await allZips()).find(({ zip }) => zip === known!.zip)!;
    expect(properties).toEqual({
      zip: known!.zip,
      metro: 'dallas-tx',
      ...Object.fromEntries(
        rows
          .filter(({ score }) => score !== null)
          .map(({ vertical, score }) => [vertical, Math.min(80, score! - (score! % 20))]),
      ),
    });
    expect(Object.keys(properties)).toHaveLength(2 + VERTICALS.length - 1);
  });

  it('have the score classes of every style', () => {
    for (const name of STYLE_NAMES) {
      expect([0, ...paletteOf(loadStyle(name))!.scores.breaks]).toEqual(SCORE_CLASSES);
    }
  });

  it('label a ZIP code in one tile, from the zoom where the label fits', async () => {
    const z = 10;
    const column = Math.floor(mercatorX(-96.8) * 2 ** z);
    const row = Math.floor(mercatorY(32.8) * 2 ** z);
    const labels: Properties[] = [];
    for (const x of [column - 1, column, column + 1]) {
      for (const y of [row - 1, row, row + 1]) {
        labels.push(...(await propertiesIn(z, x, y, 'zip-labels')));
      }
    }
    expect(labels.length).toBeGreaterThan(50);
    expect(new Set(labels.map(({ zip }) => zip)).size).toBe(labels.length);
    for (const { labelZoom } of labels) expect(labelZoom).toBeLessThanOrEqual(z);
  });

  it('return 503 before the first import instead of empty tiles', async () => {
    const address = { z: 8, x: 59, y: 103 };
    for (const load of [
      () => scoreTiles.tile(empty.db, address),
      () => scoreTiles.facts(empty.db),
    ]) {
      await expect(load()).rejects.toMatchObject({
        status: 503,
        message:
          'The ZIP code boundaries have not been imported yet. Try again after the operator has imported them.',
      });
    }
  });
});
