import { beforeEach, describe, expect, it } from 'vitest';
import { recordDataset, type DatasetName } from '../src/db/datasets.ts';
import { readConfig } from '../src/config.ts';
import { isEmpty, wantsDemo, wantsSample } from '../src/prepare.ts';
import { testDatabase } from './support/database.ts';

const { db } = await testDatabase('empty');
beforeEach(() => db.query('delete from datasets'));

const has = (name: DatasetName, synthetic: boolean) =>
  recordDataset(db, name, { vintage: 'some', synthetic });

describe('a database counts as empty', () => {
  it('when nothing was ever imported', async () => {
    expect(await isEmpty(db)).toBe(true);
  });

  it('when filling it with the sample was cut off, so that the next start does it again', async () => {
    await has('states', false);
    await has('boundaries', true);
    await has('demographics', true);
    expect(await isEmpty(db)).toBe(true);
  });

  it('no longer when the sample is complete', async () => {
    await has('boundaries', true);
    await has('scores', true);
    expect(await isEmpty(db)).toBe(false);
  });

  it.each(['boundaries', 'demographics'] as const)(
    'no longer when it has real %s: a sample never replaces them',
    async (name) => {
      await has(name, false);
      expect(await isEmpty(db)).toBe(false);
    },
  );
});

describe('sample data', () => {
  it('are for the embedded database unless they are asked for or refused', () => {
    const DATABASE_URL = 'postgresql://someone@host/db';
    expect(wantsSample(readConfig({}))).toBe(true);
    expect(wantsSample(readConfig({ DATABASE_URL }))).toBe(false);
    expect(wantsSample(readConfig({ DATABASE_URL, SAMPLE_DATA: 'always' }))).toBe(true);
    expect(wantsSample(readConfig({ SAMPLE_DATA: 'never' }))).toBe(false);
  });
});

describe('the demo organisation', () => {
  const sample = readConfig({});

  it('is for the sample’s own data, not for real figures nor for half a sample', async () => {
    await has('boundaries', true);
    expect(await wantsDemo(db, sample)).toBe(false);
    await has('demographics', true);
    expect(await wantsDemo(db, sample)).toBe(true);
    await has('demographics', false);
    expect(await wantsDemo(db, sample)).toBe(false);
  });

  it('is not for a database that no sample was wanted in', async () => {
    await has('boundaries', true);
    await has('demographics', true);
    expect(await wantsDemo(db, readConfig({ SAMPLE_DATA: 'never' }))).toBe(false);
  });
});
