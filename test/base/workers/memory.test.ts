import { describe, expect, it } from 'vitest';
import { divideMemory, leastMemoryMb, memoryBudget } from '../../../src/base/workers/memory.ts';
import { memorySharesOf, readConfig } from '../../../src/config.ts';

const MB = 2 ** 20;

describe('the memory of the service', () => {
  it('is the setting, else the limit of the container, else nine tenths of the machine’s memory', () => {
    expect(memoryBudget(700, 512 * MB, 4096 * MB)).toEqual({ megabytes: 700, from: 'MEMORY_MB' });
    const ofContainer = { megabytes: 512, from: 'container' };
    expect(memoryBudget(undefined, 512 * MB, 4096 * MB)).toEqual(ofContainer);
    const ofMachine = { megabytes: 3686, from: 'machine' };
    for (const limit of [0, 8192 * MB, 2 ** 64]) {
      expect(memoryBudget(undefined, limit, 4096 * MB)).toEqual(ofMachine);
    }
  });

  const divisions = [512, 750, 1024, 2048, 4096, 24_000].flatMap((megabytes) =>
    [true, false].flatMap((embedded) =>
      [1, 3].map((processes) => ({ megabytes, embedded, processes, drawingThreads: undefined })),
    ),
  );

  it.each(divisions.filter((parts) => parts.megabytes >= leastMemoryMb(parts)))(
    'is divided so that every part has enough: %o',
    ({ megabytes, ...parts }) => {
      const shares = divideMemory({ megabytes, from: 'MEMORY_MB' }, parts)!;
      const { databaseMb, programMb, cacheMb, drawingMb, drawingThreads, jobsMb } = shares;
      const process = programMb + cacheMb + drawingThreads * drawingMb + jobsMb;
      const sum = databaseMb + parts.processes * process;
      expect(sum).toBeLessThanOrEqual(megabytes);
      expect(sum).toBeGreaterThan(megabytes - parts.processes);
      expect(cacheMb).toBeGreaterThanOrEqual(24);
      expect(drawingMb).toBeGreaterThanOrEqual(128);
      expect(jobsMb).toBeGreaterThanOrEqual(80);
      expect(databaseMb > 0).toBe(parts.embedded);
    },
  );

  it('draws one picture at a time where two don’t fit', () => {
    const threads = (MEMORY_MB: string, more = {}) =>
      memorySharesOf(readConfig({ MEMORY_MB, ...more })).drawingThreads;
    expect([threads('1024'), threads('2048')]).toEqual([1, 2]);
    expect(threads('2048', { RENDER_WORKERS: '4' })).toBe(4);
  });

  it('is refused with remedies if it’s too small for all parts', () => {
    const settings = { MEMORY_MB: '512', WEB_CONCURRENCY: '2', REDIS_URL: 'redis://127.0.0.1' };
    expect(() => memorySharesOf(readConfig(settings))).toThrow(
      'MEMORY_MB is 512, but the service takes at least 1244 MB with these settings. ' +
        'Give it more memory, or use a PostGIS server, in DATABASE_URL, or lower WEB_CONCURRENCY',
    );
    const machine = { megabytes: 512, from: 'machine' } as const;
    expect(() => memorySharesOf(readConfig({}), machine)).toThrow(
      'MEMORY_MB isn’t set, and the machine has 512 MB for it, but the service takes at least 814 MB',
    );
  });
});
