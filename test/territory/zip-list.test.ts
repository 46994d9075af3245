/** ZIP codes as people and spreadsheets write them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readZip } from '../../src/territory/import/read-zip.ts';
import { MAX_LINES, readZipList } from '../../src/territory/import/zip-list.ts';

const zip = fc.integer({ min: 501, max: 99_950 }).map((n) => String(n).padStart(5, '0'));
const zips = fc.uniqueArray(zip, { minLength: 1, maxLength: 30 });
const zipsRead = (text: string) => readZipList(text).readings.map((reading) => reading.zip);

describe('a ZIP code', () => {
  it.each([
    ['75201', '75201'],
    [' 75201 ', '75201'],
    ['75201-1234', '75201'],
    ['752011234', '75201'],
    ['75201.0', '75201'],
    ["'02134", '02134'],
    ['="02134"', '02134'],
    ['７５２０１', '75201'],
  ])('is recognized in %s', (given, expected) => {
    expect(readZip(given)).toMatchObject({ outcome: 'new', zip: expected });
  });

  it.each([
    ['2134', '02134'],
    ['501', '00501'],
    ['2134-1234', '02134'],
    ['21341234', '02134'],
    ['75201 1234', '75201'],
    ['TX 75201', '75201'],
    ['Dallas, TX 75201-1234', '75201'],
  ])('is guessed in %s, with a reason', (given, expected) => {
    const read = readZip(given);
    expect(read).toMatchObject({ outcome: 'guessed', zip: expected });
    expect(read.reason).toMatch(/\.$/);
  });

  it.each([
    ['7.52E+04', 'shortened'],
    ['75201-75210', 'Ranges'],
    ['K1A 0B1', 'Canadian'],
    ['75201, 75202', 'Several'],
    ['12', 'not 2'],
    ['7', 'not 1'],
    ['123456', 'not 6'],
    ['Dallas', 'No ZIP code found'],
    ['=cmd|calc', 'No ZIP code found'],
  ])('is not recognized in %s, with a reason', (given, reason) => {
    expect(readZip(given)).toMatchObject({
      outcome: 'not_understood',
      zip: null,
      reason: expect.stringContaining(reason),
    });
  });

  it('read from any text has five digits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (given) => {
        expect(readZip(given).zip ?? '00000').toMatch(/^[0-9]{5}$/);
      }),
    );
  });
});

describe('a list of ZIP codes', () => {
  it.each([
    ['one to a line', '\n'],
    ['Windows lines', '\r\n'],
    ['old Mac lines', '\r'],
    ['commas', ', '],
    ['semicolons', ';'],
    ['tabs', '\t'],
    ['spaces', ' '],
    ['bars', ' | '],
  ])('is read completely, separated by %s', (_how, separator) => {
    fc.assert(
      fc.property(zips, (codes) => {
        // Two ZIP codes separated by a space could be one with four more digits.
        fc.pre(separator !== ' ' || codes.length !== 2);
        expect(zipsRead(codes.join(separator))).toEqual(codes);
      }),
    );
  });

  it.each([
    'zip',
    'ZIP Code',
    'Postal code',
    'ZCTA5CE20',
    '\u{FEFF}zip',
    'Customer ZIP',
    'GEOID20',
  ])('is read from the column with a known heading: %s', (heading) => {
    const cell = fc.constantFrom('Dallas', 'a "b", c', 'x\ny', '12345', '=1+1', '');
    fc.assert(
      fc.property(zips, fc.context(), cell, (codes, _context, other) => {
        const quoted = `"${other.replaceAll('"', '""')}"`;
        const rows = codes.map((code) => `${quoted},${code},${quoted}`);
        const { summary, readings } = readZipList([`a,${heading},b`, ...rows].join('\n'));
        expect(summary).toContain('column');
        expect(readings.map((reading) => reading.zip)).toEqual(codes);
      }),
    );
  });

  it('without a heading is read from the column with the most ZIP codes', () => {
    const text = 'Ann,Dallas,75201,12\nBob,Waco,76701,9\nCid,Katy,77493,3';
    expect(zipsRead(text)).toEqual(['75201', '76701', '77493']);
    expect(zipsRead(`name,city,code,n\n${text}`)).toEqual(['75201', '76701', '77493']);
  });

  it('reports the right line numbers, even after cells that span lines', () => {
    const text = 'zip,note\n75201,"over\nthree\nlines"\n\nnothing,x\n,y\n75202,z';
    const wrong = readZipList(text).readings.filter((reading) => reading.zip === null);
    expect(wrong.map(({ at, given }) => [at, given])).toEqual([
      [6, 'nothing'],
      [7, 'y'],
    ]);
  });

  it('is read even if its quotes do not match', () => {
    expect(zipsRead('zip,note\n75201,"a\n75202,b"c\n75203,5" pipe')).toEqual([
      '75201',
      '75202',
      '75203',
    ]);
  });

  it('loses nothing: every line with content has a finding', () => {
    // A quote could merge several lines into one cell.
    const cell = fc.stringMatching(/^[\w ='.;|-]{0,12}$/);
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 20 }), (cells) => {
        const reported = new Set(
          readZipList(['zip', ...cells].join('\n')).readings.map(({ at }) => at),
        );
        const lost = cells.filter((text, i) => /\w/.test(text) && !reported.has(i + 2));
        expect(lost).toEqual([]);
      }),
    );
  });

  it('is refused if it is empty or too long', () => {
    expect(() => readZipList(' \n\n')).toThrow('The list is empty');
    expect(readZipList('75201\n'.repeat(MAX_LINES)).readings).toHaveLength(MAX_LINES);
    expect(() => readZipList('75201\n'.repeat(MAX_LINES + 1))).toThrow(
      'The list has 50,002 lines; the maximum for one import is 50,000.',
    );
  });

  it.each([
    ['words on a line', '75201 '.repeat(1_600_000), 'more than 50,000 entries'],
    ['cells', `zip${','.repeat(9_000_000)}`, 'more than 2,000,000 cells'],
  ])('with millions of %s is refused before it is read', (_what, text, message) => {
    expect(() => readZipList(text)).toThrow(message);
  });

  it('truncates long cells in findings', () => {
    const [reading] = readZipList(`zip\n${'x'.repeat(10_000)}`).readings;
    expect(reading!.given.length).toBeLessThan(100);
  });
});
