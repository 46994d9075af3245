/** Rows of totals in uploads are named, and not counted. */
import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../../support/database.ts';
import { amountsOf, uploading } from './upload.ts';

const { db } = await testDatabase('sample');
const upload = uploading(db);
const REVENUE = [{ kind: 'sum' as const, column: 'Revenue' }];

describe('a row of totals', () => {
  it.each([
    [
      'Excel’s subtotals',
      [
        '75201,,100',
        '75201,,200',
        '75201 Total,,300',
        '75204,,50',
        '75204 Total,,50',
        'Grand Total,,350',
      ],
      3,
    ],
    [
      'subtotals of another function',
      ['75201,,300', '75201 Count,,1', '75204,,50', '75204 Count,,1', 'Grand Count,,2'],
      3,
    ],
    [
      'LibreOffice’s subtotals',
      ['75201,,300', '75201 Sum,,300', '75204,,50', '75204 Sum,,50', 'Grand Sum,,350'],
      3,
    ],
    [
      'a matrix',
      [
        '75201,HVAC,100',
        '75201,Plumbing,200',
        '75201,Total,300',
        '75204,HVAC,50',
        '75204,Total,50',
        'Total,,350',
      ],
      3,
    ],
    [
      'a label before the ZIP code',
      ['75201,,300', 'Total for 75201,,300', '75204,,50', 'Total: 75204,,50', 'TOTALS:,,350'],
      3,
    ],
    [
      'a place in the label',
      ['75201 Dallas,,300', '75201,,0', '75201 Dallas Total,,300', '75204,,50'],
      1,
    ],
    [
      'totals of groups',
      [
        '75201,HVAC,100',
        '75201,HVAC Total,100',
        '75201,Plumbing,200',
        '75201,Plumbing Total,200',
        '75204,HVAC,50',
        ',Plumbing Total,50',
      ],
      3,
    ],
    ['a total below the file', ['75201,HVAC,300', '75204,HVAC,50', ',Grand Total,350'], 1],
    [
      'subtotals above',
      ['75201 Subtotal,,300', '75201,HVAC,300', '75204 Subtotal,,50', '75204,HVAC,50'],
      2,
    ],
  ] as const)('of %s isn’t counted', async (_, rows, totals) => {
    const result = await upload(['Zip,Service,Revenue', ...rows].join('\n'), { amounts: REVENUE });
    expect(result.sets.map(amountsOf)).toEqual([{ '75201': 300, '75204': 50 }]);
    expect(result.counts.total).toBe(totals);
    expect(result.summary).toContain(`Left out ${totals} row${totals === 1 ? '' : 's'} of totals.`);
    const named = result.findings.filter(({ outcome }) => outcome === 'total');
    expect(named.every(({ given }) => /total|count|sum/i.test(given))).toBe(true);
  });

  it.each([
    [
      'in a column of numbers',
      'ZIP,Year,Sales\n75201,2023,100\n75201,2024,200\n75201,Total,300\n',
      300,
    ],
    ['where other rows have no text', 'ZIP,Kind,Sales\n75201,,10\n75204,,20\n75204,Total,20\n', 30],
    ['after a group of numbers', 'ZIP,Store,Sales\n75201,7,10\n75204,7,20\n,7 Total,30\n', 30],
  ])('isn’t counted %s', async (_case, file, sum) => {
    const { sets, counts } = await upload(file, { amounts: [{ kind: 'sum', column: 'Sales' }] });
    const amounts = Object.values(amountsOf(sets[0]!)) as number[];
    expect(amounts.reduce((a, b) => a + b, 0)).toBe(sum);
    expect(counts.total).toBe(1);
  });

  it('isn’t a customer whose name ends like one, placed by coordinates', async () => {
    const file =
      'zip,customer,lat,lng,revenue\n75201,Ann,32.78,-96.80,100\n,Fitness Total,32.78,-96.80,500\n';
    const { counts } = await upload(file, { amounts: [{ kind: 'sum', column: 'revenue' }] });
    expect(counts.total).toBe(0);
  });

  it('lets the rows above it have the ZIP code of the first, as in a pivot table', async () => {
    const rows = [
      '75201,HVAC,100',
      ',Plumbing,200',
      '75201 Total,,300',
      '75204,HVAC,50',
      '75204 Total,,50',
      ',HVAC,7',
    ];
    const result = await upload(['Zip,Service,Revenue', ...rows].join('\n'), { amounts: REVENUE });
    expect(result.sets.map(amountsOf)).toEqual([{ '75201': 300, '75204': 50 }]);
    expect(result.counts).toMatchObject({ placed: 2, guessed: 1, total: 2, not_understood: 1 });
  });

  it.each([
    [
      'it is the only row of each ZIP code',
      ['75201 Total,,300', '75204 Total,,50', 'Grand Total,,350'],
      1,
    ],
    ['most rows say so', ['75201,Total,300', '75204,Total,50'], 0],
    ['a customer is called so', ['75201,Total Wine,300', '75204,Sum Total,50'], 0],
  ] as const)('is counted if %s', async (_, rows, totals) => {
    const result = await upload(['Zip,Service,Revenue', ...rows].join('\n'), { amounts: REVENUE });
    expect(result.sets.map(amountsOf)).toEqual([{ '75201': 300, '75204': 50 }]);
    expect(result.counts.total).toBe(totals);
  });
});

describe('headings of two lines', () => {
  it.each([
    ['the ZIP code above', ['Zip,2024,,2025,', ',Jobs,Revenue,Jobs,Revenue']],
    ['the ZIP code below', ['Report of jobs,,,,', ',2024,,2025,', 'Zip,Jobs,Revenue,Jobs,Revenue']],
  ])('are joined: %s', async (_, headings) => {
    const file = [...headings, '75201,1,100,2,200', '75204,3,300,4,400'].join('\n');
    const result = await upload(file, { amounts: [{ kind: 'sum', column: '2025 Revenue' }] });
    expect(result.columns.map(({ name }) => name)).toEqual([
      'Zip',
      '2024 Jobs',
      '2024 Revenue',
      '2025 Jobs',
      '2025 Revenue',
    ]);
    expect(result.sets.map(amountsOf)).toEqual([{ '75201': 200, '75204': 400 }]);
    expect(result.rows).toBe(2);
  });

  it('may have units below', async () => {
    const file = 'Zip,Customer,Revenue,Time\n,,(USD),hours\n75201,Ann,100,1\n';
    const { columns, counts } = await upload(file);
    expect(columns.map(({ name }) => name)).toEqual([
      'Zip',
      'Customer',
      'Revenue (USD)',
      'Time hours',
    ]);
    expect(counts).toMatchObject({ placed: 1, not_understood: 0 });
  });

  it.each(['many', '1e3', '1.2K'])('don’t take in a row without a ZIP code: %s', async (cell) => {
    const { columns, counts } = await upload(`Zip,Amount\n,${cell}\n75201,1\n`);
    expect(columns.map(({ name }) => name)).toEqual(['Zip', 'Amount']);
    expect(counts).toMatchObject({ placed: 1, not_understood: 1 });
  });

  it('may be in one cell', async () => {
    const { columns } = await upload('Zip,"Total\nrevenue"\n75201,100\n');
    expect(columns.map(({ name }) => name)).toEqual(['Zip', 'Total revenue']);
  });

  it('aren’t a first row without a ZIP code, or a title', async () => {
    const row = await upload('Zip,Customer,Revenue\n,Cid,n/a\n75201,Ann,100\n');
    expect(row.columns.map(({ name }) => name)).toEqual(['Zip', 'Customer', 'Revenue']);
    expect(row.rows).toBe(2);
    const title = await upload('Jobs of 2025,,\nZip,Jobs,Jobs\n75201,1,2\n');
    expect(title.columns.map(({ name }) => name)).toEqual([
      'Zip',
      'Jobs (column 2)',
      'Jobs (column 3)',
    ]);
    expect(title.summary).toContain('Skipped 1 line above the headings.');
  });
});
