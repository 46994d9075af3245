/** Limits of uploads: rows, bytes, data sets, memory, and uploads at once. */
import { describe, expect, it, vi } from 'vitest';
import { MAX_BYTES, readUpload } from '../../../../src/territories/own-data/import/read-upload.ts';
import { MAX_FINDINGS } from '../../../../src/territories/own-data/import/read-rows.ts';
import { MAX_SETS } from '../../../../src/territories/own-data/import/choose-columns.ts';
import { uploadLookUps } from '../../../../src/territories/own-data/import/tenant-look-ups.ts';
import { testDatabase } from '../../../support/database.ts';
import { chunksOf, uploading } from './upload.ts';

const { db } = await testDatabase('sample');
const upload = uploading(db);
const lookUps = uploadLookUps({ common: db }, null);

describe('an upload', () => {
  it('is refused with more rows than the limit', async () => {
    const file = `zip\n${'75201\n'.repeat(101)}`;
    await expect(upload(file, { maxRows: 100 })).rejects.toThrow(
      'The file has more than 100 rows, the maximum for one upload. Split it up, or add up its rows first.',
    );
    expect((await upload(file, { maxRows: 101 })).rows).toBe(101);
  });

  it('is refused with more than 100 MB, while it arrives', async () => {
    const line = Buffer.from(`75201,${'x'.repeat(1_000)}\n`.repeat(1_000));
    let sent = 0;
    let isClosed = false;
    async function* endless() {
      try {
        for (;;) {
          sent += line.length;
          yield line;
        }
      } finally {
        isClosed = true;
      }
    }
    await expect(readUpload(endless(), {}, lookUps, { rows: 1_000_000 })).rejects.toThrow(
      'The file is larger than 100 MB. Remove columns that aren’t needed, or split it up.',
    );
    expect(sent).toBeLessThan(MAX_BYTES + 2 * line.length);
    expect(isClosed).toBe(true);
  });

  it('keeps the first rows that need attention, and counts all', async () => {
    const result = await upload(`zip\n${'x\n'.repeat(MAX_FINDINGS + 5)}`);
    expect(result.findings).toHaveLength(MAX_FINDINGS);
    expect(result.findings.at(-1)!.line).toBe(MAX_FINDINGS + 1);
    expect(result.counts.not_understood).toBe(MAX_FINDINGS + 5);
  });

  it('may fill 20 data sets', async () => {
    const rows = Array.from({ length: MAX_SETS }, (_, i) => `75201,${i},group ${i}`);
    const file = ['zip,jobs,line', ...rows].join('\n');
    const result = await upload(file, { groupBy: 'line', amounts: [{ kind: 'count' }] });
    expect(result.sets).toHaveLength(MAX_SETS);
    const sum = { kind: 'sum' as const, column: 'jobs' };
    const refusal =
      'The file would fill more than 20 data sets. Choose fewer amounts, or a column with fewer groups.';
    await expect(
      upload(file, { groupBy: 'line', amounts: [{ kind: 'count' }, sum] }),
    ).rejects.toThrow(refusal);
    await expect(upload(`${file}\n75201,1,one more`, { groupBy: 'line' })).rejects.toThrow(refusal);
    await expect(
      upload(file, { amounts: Array.from({ length: MAX_SETS + 1 }, () => sum) }),
    ).rejects.toThrow(refusal);
  });

  it('ends with its worker if it takes too much memory, and others go on', async () => {
    // The worker copies each text.
    const known = Array.from({ length: 450 }, () => 'x'.repeat(1_000_000));
    const many = { ...lookUps, knownZips: async () => known };
    const [large, small] = await Promise.allSettled([
      readUpload(chunksOf(Buffer.from('zip\n75201\n'), 20), {}, many, { rows: 10 }),
      upload('zip\n75201\n'),
    ]);
    expect(large).toMatchObject({
      reason: {
        status: 400,
        message:
          'The file takes too much memory to read. Remove columns that aren’t needed, or split it up.',
      },
    });
    expect(small).toMatchObject({ value: { rows: 1 } });
  });

  it('fails with the error of its source', async () => {
    async function* cut() {
      yield Buffer.from('zip\n75201\n');
      throw new Error('The connection was lost');
    }
    await expect(readUpload(cut(), {}, lookUps, { rows: 10 })).rejects.toThrow(
      'The connection was lost',
    );
  });

  it('is refused if its client sends nothing', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const silent = {
        [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }),
      };
      const reading = readUpload(silent, {}, lookUps, { rows: 10 }).catch(
        (error: unknown) => error,
      );
      await vi.advanceTimersByTimeAsync(20_000);
      expect(await reading).toMatchObject({
        status: 400,
        message: expect.stringContaining('arrives too slowly, or not at all'),
      });
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ['', 'The file is empty. Give at least one row.'],
    ['\n \n', 'The file is empty. Give at least one row.'],
    ['zip,jobs\n', 'The file has headings, but no rows below them. Add at least one.'],
    [
      'name,size\na,b\n',
      'The file has no column of ZIP codes, coordinates, or addresses. Add one, or name it. The file has "name", "size".',
    ],
  ])('is refused with advice: %j', async (text, message) => {
    await expect(upload(text)).rejects.toThrow(message);
  });
});
