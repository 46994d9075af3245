import { expect, it } from 'vitest';
import { recordDataset } from '../../../src/base/db/datasets.ts';
import { importedData, OtherVersionError } from '../../../src/base/db/imported-data.ts';
import { publicBestZips } from '../../../src/data/market/public/ranking.ts';
import { PUBLIC_DATASETS } from '../../../src/data/market/public/source.ts';
import { testDatabase } from '../../support/database.ts';
import { importVersion } from '../../support/versioned-import.ts';

const { db } = await testDatabase('empty');
const data = importedData(db, PUBLIC_DATASETS);

it('changes its stamp with every import of its datasets, but not of others', async () => {
  const stamps = [await data.stamp()];
  for (const name of ['boundaries', 'demographics', 'boundaries', 'roads'] as const) {
    await recordDataset(db, name, { vintage: 'any', synthetic: true });
    stamps.push(await data.stamp());
  }
  expect(new Set(stamps).size).toBe(4);
  expect(stamps.at(-1)).toBe(stamps.at(-2));
});

it('answers with only the new version if an import comes in between', async () => {
  await importVersion(db, 0);
  let reads = 0;
  const answer = await data.read(async (at) => {
    const first = await publicBestZips(at, 'dallas-tx', 'roofing');
    if (reads++ === 0) await importVersion(db, 1);
    return [first, await publicBestZips(at, 'dallas-tx', 'roofing')];
  });
  expect(reads).toBe(2);
  for (const { zips, vintage } of answer) {
    expect(vintage).toBe('1');
    for (const { city, score } of zips) expect([city, score]).toEqual(['1', 1]);
  }
});

it('refuses a read of a version that an import has replaced', async () => {
  const old = data.at(await data.stamp());
  await importVersion(db, 2);
  await expect(publicBestZips(old, 'dallas-tx', 'roofing')).rejects.toThrow(OtherVersionError);
  await expect(old.query('select no_such_column from zips')).rejects.toThrow(OtherVersionError);
  const current = data.at(await data.stamp());
  await expect(current.query('select no_such_column from zips')).rejects.toThrow('no_such_column');
});
