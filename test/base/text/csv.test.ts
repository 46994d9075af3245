import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvText } from '../../../src/base/text/csv.ts';

describe('CSV', () => {
  it('has a header, ends lines with CR LF, and quotes where needed', () => {
    const rows = [
      { name: 'Dallas, TX', score: 61.5 },
      { name: 'the "big" one\nof two lines', score: null },
    ];
    expect(csvText(['name', 'score'], rows)).toBe(
      'name,score\r\n"Dallas, TX",61.5\r\n"the ""big"" one\nof two lines",\r\n',
    );
  });

  it('reads back any text as it was written', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ a: fc.string(), b: fc.integer() })), (rows) => {
        const read = parse(csvText(['a', 'b'], rows), {
          columns: true,
          record_delimiter: '\r\n',
        }) as Record<'a' | 'b', string>[];
        expect(read).toHaveLength(rows.length);
        for (const [i, { a, b }] of rows.entries()) {
          expect(['', "'"].map((mark) => mark + a)).toContain(read[i]!.a);
          expect(Number(read[i]!.b)).toBe(b);
        }
      }),
    );
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠A1'])(
    'marks %j as text, so that spreadsheets don’t read a formula',
    (text) => {
      expect(parse(csvText(['a'], [{ a: text }]), { record_delimiter: '\r\n' })[1]).toEqual([
        `'${text}`,
      ]);
    },
  );

  it('keeps negative numbers as numbers', () => {
    expect(csvText(['a'], [{ a: -1.5 }])).toBe('a\r\n-1.5\r\n');
  });
});
