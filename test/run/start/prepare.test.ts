import { beforeEach, describe, expect, it } from 'vitest';
import { recordDataset, type DatasetName } from '../../../src/base/db/datasets.ts';
import { readConfig } from '../../../src/config.ts';
import { isEmpty, wantsDemo, wantsSample } from '../../../src/run/start/prepare.ts';
import { testDatabase } from '../../support/database.ts';

const { db } = await testDatabase('empty');
beforeEach(() => db.query('delete from datasets'));

const has = (name: DatasetName, synthetic: boolean) =>
  recordDataset(db, name, { vintage: 'some', synthetic });

describe('a database is empty', () => {
  it('if nothing was ever imported', async () => {
    expect(await isEmpty(db)).toBe(true);
  });

  it('if installing the sample was interrupted, so that the next start repeats it', async () => {
    await has('states', false);
    await has('demographics', true);
    await has('scores', true);
    expect(await isEmpty(db)).toBe(true);
  });

  it('unless the sample is complete', async () => {
    await has('boundaries', true);
    await has('demographics', true);
    await has('scores', true);
    expect(await isEmpty(db)).toBe(false);
  });

  it.each(['boundaries', 'demographics'] as const)(
    'unless it has real %s, which a sample never replaces',
    async (name) => {
      await has(name, false);
      expect(await isEmpty(db)).toBe(false);
    },
  );
});

describe('wantsSample', () => {
  it('wants sample data only for the embedded database, unless SAMPLE_DATA says otherwise', () => {
    const DATABASE_URL = 'postgresql://user@host/db';
    expect(wantsSample(readConfig({}))).toBe(true);
    expect(wantsSample(readConfig({ DATABASE_URL }))).toBe(false);
    expect(wantsSample(readConfig({ DATABASE_URL, SAMPLE_DATA: 'always' }))).toBe(true);
    expect(wantsSample(readConfig({ SAMPLE_DATA: 'never' }))).toBe(false);
  });
});

describe('wantsDemo', () => {
  const sample = readConfig({});

  it('wants the demo only with complete sample data, not with real demographics', async () => {
    await has('boundaries', true);
    expect(await wantsDemo(db, sample)).toBe(false);
    await has('demographics', true);
    expect(await wantsDemo(db, sample)).toBe(true);
    await has('demographics', false);
    expect(await wantsDemo(db, sample)).toBe(false);
  });

  it('doesn’t want the demo if SAMPLE_DATA is never', async () => {
    await has('boundaries', true);
    await has('demographics', true);
    expect(await wantsDemo(db, readConfig({ SAMPLE_DATA: 'never' }))).toBe(false);
  });
});
