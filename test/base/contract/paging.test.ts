import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import { callerOfKey } from '../../../src/people/account/callers.ts';
import { callTool } from '../../../src/doors/tools/call-tool.ts';
import { TOOLS } from '../../../src/doors/tools/tools.ts';
import { makeDemo } from '../../../src/territories/demo/demo.ts';
import { Moment, pageOf, startAfter } from '../../../src/base/contract/paging.ts';
import { testDatabase } from '../../support/database.ts';
import { casesOf } from '../../support/thorough.ts';

const { db } = await testDatabase('sample');
const caller = (await callerOfKey(db, (await makeDemo(db))!.key))!;

const cursorOf = (key: unknown) => Buffer.from(JSON.stringify(key)).toString('base64url');

const ID = '7d3f2a10-5b8e-4c67-9f21-6e0d4b9a8c35';
const KEYS = z.union([z.tuple([z.string()]), z.tuple([z.number(), z.string()])]);

describe('a cursor', () => {
  it('continues after the last row of its page', () => {
    const page = { limit: 2 };
    const { rows, nextCursor } = pageOf(['75201', '75202', '75203'], page, (zip) => [0.5, zip]);
    expect(rows).toEqual(['75201', '75202']);
    const key = z.tuple([z.number(), z.string()]);
    expect(startAfter({ ...page, cursor: nextCursor! }, key)).toEqual([0.5, '75202']);
  });

  it.each([
    ['a NUL', cursorOf(['a\0'])],
    ['half a surrogate pair', cursorOf(['a\ud800'])],
    ['a line break', cursorOf(['a\n'])],
    ['a letter outside ASCII', cursorOf(['ä'])],
    ['invalid JSON', Buffer.from('["a').toString('base64url')],
    ['invalid UTF-8', Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]).toString('base64url')],
    ['nothing', ''],
  ])('is refused if it contains %s', (_what, cursor) => {
    expect(() => startAfter({ cursor }, KEYS as unknown as z.ZodTuple)).toThrow(
      /invalid for this list/,
    );
  });

  it('contains times with exactly six decimals', () => {
    expect(Moment.safeParse('2026-11-21T06:00:00.123456Z').success).toBe(true);
    for (const fraction of ['', '.123', `.${'1'.repeat(150)}`]) {
      expect(Moment.safeParse(`2026-11-21T06:00:00${fraction}Z`).success).toBe(false);
    }
  });
});

const paged = TOOLS.filter(({ input }) => 'cursor' in input.shape);

it.each(paged.map((tool) => [tool.name, tool] as const))(
  'never lets a forged cursor make a query of %s fail',
  async (_name, tool) => {
    const texts = [
      '\0',
      'zz',
      '75201',
      ID,
      '2026-11-21T06:00:00.123456Z',
      `2026-11-21T06:00:00.${'1'.repeat(150)}Z`,
    ];
    const numbers = [0, -1, 0.5, 5e-324, 1.7e308, -1.7e308, 2 ** 53 - 1, 2 ** 60];
    const parts = [...texts, ...numbers];
    const keys: unknown[] = [
      ...parts.map((part) => [part]),
      ...numbers.flatMap((number) => texts.map((text) => [number, text])),
      ...numbers.flatMap((number) => texts.map((text) => [1, number, text])),
      ...texts.flatMap((text) => [
        [text, '75201', ID],
        [text, '\0', ID],
      ]),
      null,
      {},
      [],
      [[]],
      { length: 1, 0: 'a' },
    ];
    const codes = new Set<unknown>();
    for (const key of casesOf(keys)) {
      const answer = await callTool(
        tool,
        { ...tool.example, cursor: cursorOf(key) },
        {
          db,
          caller: {
            ...caller,
            subscription: { ...caller.subscription, monthlyUnits: 1e6, monthlyZips: null },
          },
          renderer: mapsWith({
            render: () => Promise.reject(new Error('no tool with pages draws pictures')),
          }),
          apiRoot: 'http://localhost',
          siteRoot: 'http://localhost',
          signal: new AbortController().signal,
          report: (error) => {
            throw error;
          },
        },
      );
      if (answer.isError) codes.add(answer.data.code);
    }
    expect([...codes]).toEqual(['bad_request']);
  },
);
