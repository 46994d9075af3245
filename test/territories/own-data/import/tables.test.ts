/** Uploaded tables with ZIP codes: what is counted, and what is reported. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OUTCOMES } from '../../../../src/territories/own-data/import/types.ts';
import { testDatabase } from '../../../support/database.ts';
import { amountsOf, attention, uploading } from './upload.ts';

const { db } = await testDatabase('sample');
const upload = uploading(db);

/** As a CRM exports it: a title above the headings, and people's spellings below */
const CRM = [
  'Jobs completed in 2025',
  'Exported by Rita on 2025-12-31',
  'Job ID,Customer,Ship ZIP,Revenue,Service line',
  '1001,"Smith, John",75201,"$1,200.50",Roofing',
  '1002,Ann,75201-1234,300,roofing ',
  '1003,"The ""Best"" Co",75202,(100.50),Gutters',
  '1004,Bob,2134,50,Gutters',
  '1005,Cid,,20,Gutters',
  '1006,Dee,99999,20,Gutters',
  '1007,Eve,Dallas,20,Roofing',
  '1008,Flo,75202,n/a,Roofing',
  '1009,"two',
  'lines",75203,75-,Roofing',
  '1010,Gus,75203,12%,Roofing',
].join('\r\n');

describe('a table from a CRM', () => {
  it('is counted by ZIP code, with each row that needs attention', async () => {
    const result = await upload(CRM, {
      amounts: [
        { kind: 'count' },
        { kind: 'sum', column: 'revenue' },
        { kind: 'mean', column: '4' },
      ],
    });
    expect(result.summary).toBe(
      'Table with 10 rows. ZIP codes are in “Ship ZIP”. Amounts: the number of rows, the sum of “Revenue”, and ' +
        'the mean of “Revenue”. Skipped 2 lines above the headings.',
    );
    expect(result.sets.map(amountsOf)).toEqual([
      { '02134': 1, '75201': 2, '75202': 2, '75203': 2 },
      { '02134': 50, '75201': 1500.5, '75202': -100.5, '75203': -75 },
      { '02134': 50, '75201': 750.25, '75202': -100.5, '75203': -75 },
    ]);
    expect([...result.sets[2]!.rows]).toEqual([1, 2, 1, 1]);
    expect(result.findings).toEqual([
      {
        line: 7,
        given: '2134',
        zip: '02134',
        outcome: 'guessed',
        reason: 'Leading zeros, which spreadsheets drop, were restored.',
      },
      {
        line: 8,
        given: '',
        zip: null,
        outcome: 'not_understood',
        reason: 'The ZIP code is missing.',
      },
      {
        line: 9,
        given: '99999',
        zip: '99999',
        outcome: 'unknown_zip',
        reason: 'Not a known ZIP code.',
      },
      {
        line: 10,
        given: 'Dallas',
        zip: null,
        outcome: 'not_understood',
        reason: 'No ZIP code found.',
      },
      {
        line: 11,
        given: 'n/a',
        zip: '75202',
        outcome: 'no_amount',
        reason: '“n/a” isn’t a number.',
      },
      {
        line: 14,
        given: '12%',
        zip: '75203',
        outcome: 'no_amount',
        reason: '“12%” is a percentage, not an amount.',
      },
    ]);
    expect(result.counts).toEqual({
      placed: 4,
      guessed: 1,
      no_amount: 2,
      total: 0,
      unknown_zip: 1,
      outside_country: 0,
      not_understood: 2,
    });
  });

  it('gives the same result in chunks of any size', async () => {
    const whole = await upload(CRM, { groupBy: 'Service line' });
    const encodings = [
      Buffer.from(`\uFEFF${CRM.replaceAll('Bob', 'Zoë €')}`),
      Buffer.from(CRM, 'utf16le'),
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 80 }),
        fc.constantFrom(...encodings),
        async (chunkBytes, bytes) => {
          const { firstRows, ...result } = await upload(bytes, {
            chunkBytes,
            groupBy: 'Service line',
          });
          const renamed = firstRows.map((row) => ({
            ...row,
            cells: row.cells.map((cell) => cell.replace('Zoë €', 'Bob')),
          }));
          expect({ ...result, firstRows: renamed }).toEqual(whole);
        },
      ),
      { numRuns: 6 },
    );
  });

  it('is divided into groups by a column', async () => {
    const result = await upload(CRM, { groupBy: 'service line' });
    expect(result.used).toEqual({
      place: { by: 'zip', column: 'Ship ZIP' },
      groupBy: 'Service line',
      amounts: [{ kind: 'count' }],
    });
    expect(result.sets.map((set) => [set.group, amountsOf(set)])).toEqual([
      ['Roofing', { '75201': 2, '75202': 1, '75203': 2 }],
      ['Gutters', { '02134': 1, '75202': 1 }],
    ]);
  });

  it('has each row in exactly one outcome', async () => {
    const zip = fc.constantFrom(
      '75201',
      ' 75202',
      '2134',
      '501',
      '',
      '99999',
      'x',
      '75201-75203',
      '00501',
    );
    const amount = fc.constantFrom('1', '-2.5', '', 'many', '1e3');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(zip, amount), { minLength: 1 }), async (rows) => {
        const text = ['zip,amount', ...rows.map((row) => row.join(','))].join('\n');
        const given = rows.filter((row) => row.join('') !== '');
        fc.pre(given.length > 0);
        const result = await upload(text, { amounts: [{ kind: 'sum', column: 'amount' }] });
        const sum = OUTCOMES.reduce((all, outcome) => all + result.counts[outcome], 0);
        expect(sum).toBe(result.rows);
        expect(result.findings).toHaveLength(sum - result.counts.placed);
        for (const outcome of OUTCOMES) {
          if (outcome === 'placed') continue;
          const some = result.findings.filter((finding) => finding.outcome === outcome);
          expect(some).toHaveLength(result.counts[outcome]);
        }
        const used = result.sets[0]!.rows.reduce((all, one) => all + one, 0);
        expect(used).toBe(result.counts.placed + result.counts.guessed);
      }),
      { numRuns: 12 },
    );
  });
});

describe('leading zeros', () => {
  it('are restored to three digits only if others of the column lost one, above or below', async () => {
    const lost = await upload('zip,jobs\n601,3\n2134,4\n');
    expect(lost.sets.map(amountsOf)).toEqual([{ '00601': 3, '02134': 4 }]);
    expect(attention(lost)).toEqual([
      [2, '00601', 'guessed'],
      [3, '02134', 'guessed'],
    ]);
    expect(lost.firstRows.map(({ zip, amounts }) => [zip, ...amounts])).toEqual([
      ['00601', 3],
      ['02134', 4],
    ]);
    const range = await upload('zip,jobs\n601,3\n02134,4\n');
    expect(range.firstRows.map(({ zip, amounts }) => [zip, ...amounts])).toEqual([
      [null, null],
      ['02134', 4],
    ]);
    expect(range.sets.map(amountsOf)).toEqual([{ '02134': 4 }]);
    expect(attention(range)).toEqual([[2, null, 'not_understood']]);
  });
});

describe('amounts', () => {
  it('aren’t part numbers that look like powers of ten', async () => {
    const result = await upload('zip,amount\n75201,E1001\n75202,1e3\n', {
      amounts: [{ kind: 'sum', column: 'amount' }],
    });
    expect(result.sets.map(amountsOf)).toEqual([{ '75202': 1000 }]);
    expect(attention(result)).toEqual([[2, '75201', 'no_amount']]);
  });

  it('are found in a column whose heading is the number of another column', async () => {
    const result = await upload('ZIP,12,2\n75201,5,7\n75202,6,8\n');
    expect(result.sets.map(amountsOf)).toEqual([{ '75201': 5, '75202': 6 }]);
  });
});
