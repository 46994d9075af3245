/** Amounts of uploads, as people and spreadsheets write them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAmount, US_NUMBERS } from '../../../../src/territories/own-data/import/amount.ts';
import { testDatabase } from '../../../support/database.ts';
import { amountsOf, attention, uploading } from './upload.ts';

const { db } = await testDatabase('sample');
const upload = uploading(db);

const COMMA = { ...US_NUMBERS, mark: ',' } as const;
const PERCENT = { ...US_NUMBERS, isPercent: true };

describe('an amount', () => {
  it.each([
    ' $1,234.50 ',
    ' $ 1,234.50 ',
    '1,234.50',
    '$1,234.50',
    '+$1,234.50',
    '="1,234.50"',
    '1 234.50',
    '1\xA0234.50',
    '1 234.50',
    '1 234.50',
    '$ 1\xA0234.50',
    'USD 1,234.50',
    'USD1234.5',
    '1,234.50 USD',
    'US$1,234.50',
    'US$ 1,234.50',
    '1234.50$',
    '$1,234.50 USD',
    'USD $1,234.50',
    'U.S. $1,234.50',
    'usd 1,234.50',
    "'1,234.50",
    '’1,234.50',
    '‎$1,234.50​',
    '1.2345E+03',
    '1234.50',
  ])('is read: %j', (text) => {
    expect(readAmount(text)).toBe(1234.5);
  });

  it.each([
    ' $(1,234.50)',
    ' $ (1,234.50)',
    '($1,234.50)',
    '( $1,234.50 )',
    '(1,234.50)',
    '$ (1,234.50)',
    '-$1,234.50',
    '$-1,234.50',
    '$ -1,234.50',
    '- 1,234.50',
    '-1 234.50',
    '1,234.50-',
    '$1,234.50-',
    '–1,234.50',
    '—1,234.50',
    '−$1,234.50',
    '‑1,234.50',
    '(1,234.50) USD',
    'USD (1,234.50)',
    'USD -1,234.50',
    "'-1,234.50",
    '-US$1,234.50',
    '-1234.50 USD',
  ])('may be negative: %j', (text) => {
    expect(readAmount(text)).toBe(-1234.5);
  });

  it.each(['-', ' -   ', ' $-   ', ' $ -   ', '$ –', '$0.00', '(0.00)', '-0', '0%'])(
    'may be zero: %j',
    (text) => {
      expect(Object.is(readAmount(text), 0)).toBe(true);
    },
  );

  it.each([
    ['', 'The amount is missing.'],
    ['–', '“–” may mean zero or nothing. Write 0, or leave the cell empty.'],
    ['—', '“—” may mean zero or nothing. Write 0, or leave the cell empty.'],
    ['€1,200', '“€1,200” isn’t in US dollars. Convert its column to US dollars.'],
    ['CAD 1,200', '“CAD 1,200” isn’t in US dollars. Convert its column to US dollars.'],
    ['C$1,200', '“C$1,200” isn’t in US dollars. Convert its column to US dollars.'],
    ['1.234,50', '“1.234,50” has a decimal comma. Choose to read its column with decimal commas.'],
    ['12,5', '“12,5” has a decimal comma. Choose to read its column with decimal commas.'],
    ['$1.2K', '“$1.2K” is shortened. Write the whole number.'],
    [
      '500.00 CR',
      '“500.00 CR” is a credit or a debit. Write a minus before the amounts to subtract.',
    ],
    ['(-5.00)', '“(-5.00)” has several signs. Write one minus, or parentheses.'],
    [
      '12:30',
      '“12:30” may be a time of day, or hours and minutes. Write hours as a number, such as 12.5.',
    ],
    ['12%', '“12%” is a percentage, not an amount.'],
    ['#N/A', '“#N/A” is the error of a formula. Correct the formula.'],
    [
      '=B2*C2',
      'The result of this formula wasn’t saved. Open the file in a spreadsheet program, save it, and upload it again.',
    ],
    ['1,2345', '“1,2345” has a decimal comma. Choose to read its column with decimal commas.'],
    ['12,34,567', '“12,34,567” isn’t a number.'],
    ['$', '“$” isn’t a number.'],
    ['()', '“()” isn’t a number.'],
    ['5 - 3', '“5 - 3” isn’t a number.'],
    ['2025-03-31', '“2025-03-31” isn’t a number.'],
    ['n/a', '“n/a” isn’t a number.'],
  ])('is refused with the reason: %j', (text, reason) => {
    expect(readAmount(text)).toBe(reason);
  });

  it('is the same in each way of writing it', () => {
    const dollars = fc.integer({ min: 1, max: 99_999_999_999 });
    const around = fc.constantFrom<(digits: string) => string>(
      (one) => one,
      (one) => `$${one}`,
      (one) => ` $ ${one} `,
      (one) => `${one} USD`,
      (one) => `US$${one}`,
    );
    const minus = fc.constantFrom<(text: string) => string>(
      (one) => `-${one.trim()}`,
      (one) => `(${one})`,
      (one) => `${one.trimEnd()}-`,
      (one) => `\u2212${one.trim()}`,
    );
    const space = fc.constantFrom(',', ' ', '\u00A0', '\u2009', '');
    fc.assert(
      fc.property(dollars, around, minus, space, (cents, decorate, negate, between) => {
        const value = cents / 100;
        const text = value
          .toLocaleString('en-US', { minimumFractionDigits: 2 })
          .replaceAll(',', between);
        expect(readAmount(decorate(text))).toBe(value);
        expect(readAmount(negate(decorate(text)))).toBe(-value);
      }),
    );
  });

  it.each([
    ['1.234,50', 1234.5],
    ['-1.234.567,5', -1234567.5],
    ['$1 234,50', 1234.5],
    ['(850,00)', -850],
    ['1.234', 1234],
    ['12.5', 12.5],
    ['850', 850],
  ])('with a decimal comma is read if its column has them: %j', (text, value) => {
    expect(readAmount(text, COMMA)).toBe(value);
  });

  it('with a point is refused in a column of decimal commas if a program may have stored it', () => {
    const form = { ...COMMA, hasStoredNumbers: true };
    expect(readAmount('1.234', form)).toBe(
      '“1.234” may have a decimal point, or a point between thousands. Store it as a number.',
    );
    expect(readAmount('1.234,5', form)).toBe(1234.5);
  });

  it('may be a percentage only in a column of percentages', () => {
    expect(readAmount('12.5%', PERCENT)).toBe(0.125);
    expect(readAmount('(7%)', PERCENT)).toBe(-0.07);
    expect(readAmount('0', PERCENT)).toBe(0);
    expect(readAmount('0.5', PERCENT)).toBe(
      '“0.5” isn’t a percentage, as the others in its column are.',
    );
  });
});

describe('a column of amounts', () => {
  it('in Excel’s accounting format has its refunds and zeros', async () => {
    const file =
      'ZIP,Revenue\n75201," $41,000.00 "\n75202, $(500.00)\n75203, $-   \n75204," $(2,500.00)"\n';
    const result = await upload(file);
    expect(result.counts.placed).toBe(4);
    expect(result.sets.map(amountsOf)).toEqual([
      { '75201': 41_000, '75202': -500, '75203': 0, '75204': -2_500 },
    ]);
  });

  it('with decimal commas is named, and read when it’s chosen', async () => {
    const file =
      'Customer;ZIP;Revenue;Hours\na;75201;1.234,50;1\nb;75202;850,00;2\nc;75203;-100,25;3\n';
    const first = await upload(file);
    expect(first.summary).toContain(
      'The amounts in “Revenue” have decimal commas, such as 1.234,50. To count them, choose to read decimal commas there.',
    );
    expect(first.columns.map(({ decimalComma }) => decimalComma)).toEqual([
      false,
      false,
      true,
      false,
    ]);
    expect(first.used.amounts).toEqual([{ kind: 'sum', column: 'Hours' }]);
    const chosen = await upload(file, { decimalCommas: ['Revenue'] });
    expect(chosen.summary).toContain('Decimal commas are read in “Revenue”.');
    expect(chosen.sets.map(amountsOf)).toEqual([
      { '75201': 1234.5, '75202': 850, '75203': -100.25 },
    ]);
  });

  it('whose commas may be decimal is read as in the United States, and named, next to semicolons', async () => {
    const result = await upload('ZIP;Revenue\n75201;1,234\n75202;12,500\n');
    expect(result.summary).toContain('are read as in 1,234.50. If they are decimal commas, choose');
    expect(result.sets.map(amountsOf)).toEqual([{ '75201': 1234, '75202': 12_500 }]);
    const usual = await upload('ZIP\tRevenue\n75201\t1,234\n75202\t12,500\n');
    expect(usual.summary).not.toContain('decimal');
  });

  it('isn’t one of decimal commas because of a single typo', async () => {
    const result = await upload('ZIP,Revenue\n75201,10.50\n75202,11.75\n75203,"12,5"\n');
    expect(result.sets.map(amountsOf)).toEqual([{ '75201': 10.5, '75202': 11.75 }]);
    expect(attention(result)).toEqual([[4, '75203', 'no_amount']]);
  });

  it('of percentages is never added up unless it’s chosen', async () => {
    const file = 'ZIP,Close rate,Jobs\n75201,50%,4\n75202,25%,2\n';
    const first = await upload(file);
    expect(first.used.amounts).toEqual([{ kind: 'sum', column: 'Jobs' }]);
    expect(first.summary).toContain('Percentages, as in “Close rate”, aren’t added up.');
    const mean = await upload(file, { amounts: [{ kind: 'mean', column: 'Close rate' }] });
    expect(mean.sets.map(amountsOf)).toEqual([{ '75201': 0.5, '75202': 0.25 }]);
  });

  it('with small amounts isn’t taken for latitudes', async () => {
    const result = await upload('ZIP,Ticket\n75201,32.50\n75202,45.99\n');
    expect(result.sets.map(amountsOf)).toEqual([{ '75201': 32.5, '75202': 45.99 }]);
  });
});

describe('two columns without headings', () => {
  it.each([
    ['98101,12345\n98102,8800\n98103,20111\n', 1],
    ['12345,98101\n8800,98102\n20111,98103\n', 0],
    ['98101,12345\n98102,18800\n98103,20111\n', 1],
  ])('are ZIP codes and amounts: %j', async (file, amounts) => {
    const result = await upload(file);
    expect(result.columns.map(({ content }) => content)).toEqual(
      amounts === 1 ? ['zip', 'number'] : ['number', 'zip'],
    );
    expect(result.used.amounts).toEqual([{ kind: 'sum', column: `column ${amounts + 1}` }]);
  });
});
