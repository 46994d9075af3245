/**
 * Real files of the Census Bureau, as people pass them on: repacked, unpacked, without `.cpg`, or in older
 * layouts. Skipped unless they are in `../shared/geo/tiger`.
 */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expandFolders } from '../../src/ingest/input-file.ts';
import { Findings } from '../../src/ingest/report.ts';
import { layerOf } from '../../src/ingest/sources/layers.ts';
import { readFeatures } from '../../src/ingest/sources/read-features.ts';
import { readShapes } from '../../src/ingest/shapes.ts';
import { projectFile } from '../../src/paths.ts';
import { testDatabase } from '../support/database.ts';

const folder = ['../shared/geo/tiger', '/tmp/shared/geo/tiger']
  .map((path) => (path.startsWith('/') ? path : projectFile(path)))
  .find(existsSync);
const { db } = await testDatabase('empty');

/** Counts the features of a file or folder by kind. */
async function kindsIn(path: string): Promise<Record<string, number>> {
  const kinds: Record<string, number> = {};
  for (const file of await expandFolders([join(folder!, path)])) {
    for await (const { features } of readFeatures(db, file, layerOf(file), new Findings())) {
      for (const { kind } of features.values()) kinds[kind] = (kinds[kind] ?? 0) + 1;
    }
  }
  return kinds;
}

const SAN_FRANCISCO = { interstate: 13, freeway: 5, highway: 52, street: 3730 };

describe.skipIf(!folder)('the import of real TIGER files', () => {
  it.each([
    ['tl_2017_06075_roads', SAN_FRANCISCO],
    ['tl_2017_06075_roads/tl_2017_06075_roads.shp', SAN_FRANCISCO],
    ['tl_2019_35049_roads.zip', { interstate: 4, freeway: 13, highway: 94, street: 9134 }],
    ['tl_2016_32_prisecroads', { interstate: 28, freeway: 28, highway: 1201 }],
    ['tl_2009_06075_areawater', { lake: 56, ocean: 4 }],
    ['tl_2023_11001_areawater', { lake: 113, river: 28 }],
    ['tl_2019_35049_linearwater.zip', { river: 1145 }],
    ['cb_2018_us_state_500k.zip', { state: 56 }],
    ['cb_2022_us_state_500k.zip', { state: 56 }],
    ['cb_2018_us_county_5m.zip', { county: 3233 }],
    ['cb_2017_06_place_500k', { capital: 1, city: 1521 }],
    ['cb_2022_37_place_500k', { capital: 1, city: 775 }],
  ])('reads %s', async (path, expected) => {
    expect(await kindsIn(path)).toMatchObject(expected);
  });

  it('reads ZIP codes from a folder', async () => {
    const files = await expandFolders([join(folder!, 'dallas_zcta_filtered')]);
    expect(files.map((file) => basename(file))).toEqual(['dallas_zcta_filtered.shp']);
    expect((await readShapes(files)).properties).toHaveLength(165);
  });
});
