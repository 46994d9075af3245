/** ZIPs as people and spreadsheets write them, read back. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readZip } from '../../src/territory/import/read-zip.ts';
import { MAX_LINES, readZipList } from '../../src/territory/import/zip-list.ts';

const zip = fc.integer({ min: 501, max: 99_950 }).map((n) => String(n).padStart(5, '0'));
const zips = fc.uniqueArray(zip, { minLength: 1, maxLength: 30 });
const meant = (text: string) => readZipList(text).readings.map((reading) => reading.zip);

describe('a ZIP', () => {
  it.each([
    ['75201', '75201'],
    [' 75201 ', '75201'],
    ['75201-1234', '75201'],
    ['752011234', '75201'],
    ['75201.0', '75201'],
    ["'02134", '02134'],
    ['="02134"', '02134'],
    ['７５２０１', '75201'],
  ])('is understood in %s', (given, expected) => {
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
    ['75201-75210', 'range'],
    ['K1A 0B1', 'Canadian'],
    ['75201, 75202', 'several'],
    ['12', 'here are 2'],
    ['7', 'here is 1'],
    ['123456', 'here are 6'],
    ['Dallas', 'no ZIP in it'],
    ['=cmd|calc', 'no ZIP in it'],
  ])('is none in %s, and why is told', (given, reason) => {
    expect(readZip(given)).toMatchObject({
      outcome: 'not_understood',
      zip: null,
      reason: expect.stringContaining(reason),
    });
  });

  it('is read from any text without failing, and is five digits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (given) => {
        expect(readZip(given).zip ?? '00000').toMatch(/^[0-9]{5}$/);
      }),
    );
  });
});

describe('a list of ZIPs', () => {
  it.each([
    ['one to a line', '\n'],
    ['Windows lines', '\r\n'],
    ['old Mac lines', '\r'],
    ['commas', ', '],
    ['semicolons', ';'],
    ['tabs', '\t'],
    ['spaces', ' '],
    ['bars', ' | '],
  ])('is read whole, by %s', (_how, separator) => {
    fc.assert(
      fc.property(zips, (codes) => {
        // Two that stand apart by a space alone could be one with four more digits.
        fc.pre(separator !== ' ' || codes.length !== 2);
        expect(meant(codes.join(separator))).toEqual(codes);
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
  ])('is a column, by its heading: %s', (heading) => {
    const cell = fc.constantFrom('Dallas', 'a "b", c', 'x\ny', '12345', '=1+1', '');
    fc.assert(
      fc.property(zips, fc.context(), cell, (codes, _context, other) => {
        const quoted = `"${other.replaceAll('"', '""')}"`;
        const rows = codes.map((code) => `${quoted},${code},${quoted}`);
        const { told, readings } = readZipList([`a,${heading},b`, ...rows].join('\n'));
        expect(told).toContain('column');
        expect(readings.map((reading) => reading.zip)).toEqual(codes);
      }),
    );
  });

  it('is the column that holds the most ZIPs where no heading tells', () => {
    const text = 'Ann,Dallas,75201,12\nBob,Waco,76701,9\nCid,Katy,77493,3';
    expect(meant(text)).toEqual(['75201', '76701', '77493']);
    expect(meant(`who,where,code,n\n${text}`)).toEqual(['75201', '76701', '77493']);
  });

  it('tells the line of what is wrong, also after cells that go over lines', () => {
    const text = 'zip,note\n75201,"over\nthree\nlines"\n\nnothing,x\n,y\n75202,z';
    const wrong = readZipList(text).readings.filter((reading) => reading.zip === null);
    expect(wrong.map(({ at, given }) => [at, given])).toEqual([
      [6, 'nothing'],
      [7, 'y'],
    ]);
  });

  it('is read although its quotes do not match', () => {
    expect(meant('zip,note\n75201,"a\n75202,b"c\n75203,5" pipe')).toEqual([
      '75201',
      '75202',
      '75203',
    ]);
  });

  it('loses nothing: every line that says something has a finding', () => {
    // A quote could make one cell of several lines.
    const cell = fc.stringMatching(/^[\w ='.;|-]{0,12}$/);
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 20 }), (cells) => {
        const told = new Set(
          readZipList(['zip', ...cells].join('\n')).readings.map(({ at }) => at),
        );
        const silent = cells.filter((text, i) => /\w/.test(text) && !told.has(i + 2));
        expect(silent).toEqual([]);
      }),
    );
  });

  it('that is empty or longer than there are ZIPs is refused', () => {
    expect(() => readZipList(' \n\n')).toThrow('nothing in it');
    expect(readZipList('75201\n'.repeat(MAX_LINES)).readings).toHaveLength(MAX_LINES);
    expect(() => readZipList('75201\n'.repeat(MAX_LINES + 1))).toThrow(
      'The list has 50,002 lines: at most 50,000 are read at a time.',
    );
  });

  it.each([
    ['words on a line', '75201 '.repeat(1_600_000), 'more than 50,000 entries'],
    ['cells', `zip${','.repeat(9_000_000)}`, 'more than 2,000,000 cells'],
  ])('of millions of %s is refused before it is read', (_what, text, message) => {
    expect(() => readZipList(text)).toThrow(message);
  });

  it('keeps of a long cell what tells it', () => {
    const [reading] = readZipList(`zip\n${'x'.repeat(10_000)}`).readings;
    expect(reading!.given.length).toBeLessThan(100);
  });
});
