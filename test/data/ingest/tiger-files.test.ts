/**
 * Real files of the Census Bureau, as people pass them on: repacked, unpacked, without `.cpg`, or in older
 * layouts. Skipped unless they are in `../shared/geo/tiger`.
 */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expandFolders } from '../../../src/data/ingest/input-file.ts';
import { Findings } from '../../../src/data/ingest/report.ts';
import { layerOf } from '../../../src/data/ingest/sources/layers.ts';
import { readFeatures } from '../../../src/data/ingest/sources/read-features.ts';
import { readShapes } from '../../../src/data/ingest/shapes.ts';
import { projectFile } from '../../../src/base/geodata/project-files.ts';
import { testDatabase } from '../../support/database.ts';

const folder = ['../shared/geo/tiger', '/tmp/shared/geo/tiger']
  .map((path) => (path.startsWith('/') ? path : projectFile(path)))
  .find(existsSync);
const { db } = await testDatabase('empty');

/** The content of a file or folder: rows, rows without those rejected, and kinds of features. */
async function contentOf(path: string) {
  const findings = new Findings();
  const kinds = new Set<string>();
  for (const file of await expandFolders([join(folder!, path)])) {
    for await (const { features } of readFeatures(db, file, layerOf(file), findings)) {
      for (const { kind } of features.values()) kinds.add(kind);
    }
  }
  const rejected = findings.rejected.reduce((sum, { count }) => sum + count, 0);
  return [findings.rowsRead, findings.rowsRead - rejected, [...kinds].sort().join(' ')];
}

const ROADS = 'freeway highway interstate path ramp service street';

describe.skipIf(!folder)('the import of real TIGER files', () => {
  it.each([
    ['tl_2017_06075_roads', 4087, 4078, ROADS],
    ['tl_2017_06075_roads/tl_2017_06075_roads.shp', 4087, 4078, ROADS],
    ['tl_2019_35049_roads.zip', 11655, 11599, ROADS],
    ['tl_2016_32_prisecroads', 1257, 1257, 'freeway highway interstate'],
    ['tl_2009_06075_areawater', 60, 60, 'lake ocean'],
    ['tl_2023_11001_areawater', 141, 141, 'lake river'],
    ['tl_2019_35049_linearwater.zip', 1148, 1145, 'river'],
    ['cb_2018_us_state_500k.zip', 56, 56, 'state'],
    ['cb_2022_us_state_500k.zip', 56, 56, 'state'],
    ['cb_2018_us_county_5m.zip', 3233, 3233, 'county'],
    ['cb_2017_06_place_500k', 1522, 1522, 'capital city'],
    ['cb_2022_37_place_500k', 776, 776, 'capital city'],
  ])('reads %s', async (path, ...expected) => {
    expect(await contentOf(path)).toEqual(expected);
  });

  it('reads ZIP codes from a folder', async () => {
    const files = await expandFolders([join(folder!, 'dallas_zcta_filtered')]);
    expect(files.map((file) => basename(file))).toEqual(['dallas_zcta_filtered.shp']);
    expect((await readShapes(files)).properties).toHaveLength(165);
  });
});
