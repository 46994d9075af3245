/** ZIP codes as people and spreadsheets write them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readZip, readZips } from '../../../src/base/lists/read-zip.ts';
import { MAX_LINES } from '../../../src/base/files/rows.ts';
import { readZipList } from '../../../src/base/lists/zip-list.ts';

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
    ['860Z200US75201', '75201'],
    ['8600000US75201', '75201'],
    ['ZCTA5 75201', '75201'],
    ['• 75201', '75201'],
    ['- 75201', '75201'],
    ['\u{200B}75201', '75201'],
  ])('is recognized in %s', (given, expected) => {
    expect(readZip(given)).toMatchObject({ outcome: 'new', zip: expected });
  });

  it.each([
    ['2134', '02134'],
    ['7 5002', '75002'],
    ['75 002', '75002'],
    ['2134-1234', '02134'],
    ['21341234', '02134'],
    ['75201 1234', '75201'],
    ['TX 75201', '75201'],
    ['Dallas, TX 75201-1234', '75201'],
    ['20500 Pennsylvania Ave NW Washington DC 20500-0003', '20500'],
    ['12345 Main St, Dallas, TX 75201', '75201'],
    ['Store 12345, 67890 N Central Expy Ste 10001 Rd, Plano 75023 USA', '75023'],
    ['P.O. Box 12345, Dallas TX 75201', '75201'],
  ])('is guessed in %s, with a reason', (given, expected) => {
    const read = readZip(given);
    expect(read).toMatchObject({ outcome: 'guessed', zip: expected });
    expect(read.reason).toMatch(/\.$/);
  });

  it.each([
    ['7.52E+04', 'shortened'],
    ['75210-75201', 'ends at 75201, before it starts'],
    ['75201-123', 'Neither a range nor ZIP+4'],
    ['Total: 35000', 'A total, not a ZIP code'],
    ['Grand Total 35,000', 'A total, not a ZIP code'],
    ['Count = 10001', 'A total, not a ZIP code'],
    ['12345 Main St, Dallas', 'An address without its ZIP code'],
    ['K1A 0B1', 'Canadian'],
    ['12', 'not 2'],
    ['7 500 21x', 'the digits 7, 500, and 21'],
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
        for (const { zip } of readZips(given)) expect(zip ?? '00000').toMatch(/^[0-9]{5}$/);
      }),
    );
  });

  it('is needed alone where an amount or a feature belongs to it', () => {
    for (const given of ['75201, 75202', '75201-75205', '752*']) {
      expect(readZip(given)).toMatchObject({
        outcome: 'not_understood',
        zip: null,
        reason: expect.stringContaining('its own row'),
      });
    }
  });
});

describe('a range or a prefix', () => {
  it.each([
    ['75201-75205', '75201', '75205'],
    ['75201 – 75205', '75201', '75205'],
    ['75201 to 75205', '75201', '75205'],
    ['75201 thru 75205', '75201', '75205'],
    ['75201..75205', '75201', '75205'],
    ['75201-05', '75201', '75205'],
    ['752', '75200', '75299'],
    ['752*', '75200', '75299'],
    ['752**', '75200', '75299'],
    ['753xx', '75300', '75399'],
    ['753XX', '75300', '75399'],
    ['7531x', '75310', '75319'],
    ['752-754', '75200', '75499'],
    ['752xx to 754xx', '75200', '75499'],
  ])('is read from %s', (given, from, to) => {
    expect(readZips(given)).toMatchObject([{ outcome: 'range', zip: null, range: { from, to } }]);
  });

  it('of three digits is a ZIP code where other ones lost their zeros, too', () => {
    const read = (text: string) => readZipList(text).readings.map(({ zip }) => zip);
    expect(read('zip\n2134\n501')).toEqual(['02134', '00501']);
    expect(read('zip\n75201\n501')).toEqual(['75201', null]);
  });

  it('includes its ends and nothing outside', () => {
    const zipNumber = fc.integer({ min: 0, max: 99_999 });
    fc.assert(
      fc.property(zipNumber, zipNumber, (a, b) => {
        fc.pre(a !== b);
        const [from, to] = [a, b].sort((x, y) => x - y).map((n) => String(n).padStart(5, '0'));
        expect(readZips(`${from}-${to}`)).toMatchObject([{ range: { from, to } }]);
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

  it.each([
    ['75201-75205, 75210', [null, '75210']],
    ['75210, 75201-75205\n75211, 75212', ['75210', null, '75211', '75212']],
    ['Zips: 75201 (downtown), 75204 (uptown) and 75205.', ['75201', '75204', '75205']],
    ['75201 & 75204 + 75205', ['75201', '75204', '75205']],
    ['Dallas 75201 and Plano 75023', ['75201', '75023']],
    ['12345 Main St, Dallas, TX 75201\n67890 Oak Ave, Plano, TX 75023', ['75201', '75023']],
    ['2134, 2135\n2136, 2137', ['02134', '02135', '02136', '02137']],
    ['75201, 75204 (uptown), 75205', ['75201', '75204', '75205']],
    ['75201, Ann, 75204', ['75201', null, '75204']],
  ])('without a table is read piece by piece: %s', (text, expected) => {
    expect(zipsRead(text)).toEqual(expected);
  });

  it('loses none of its numbers, however they are written together', () => {
    const word = fc.constantFrom('and', '&', '(uptown)', ';', ',', '/', '\n', 'Dallas', '\t', '"');
    fc.assert(
      fc.property(fc.array(fc.tuple(zip, word), { minLength: 1, maxLength: 12 }), (pieces) => {
        const text = pieces.flat().join(' ');
        // Two columns may be a table, of which one is chosen.
        fc.pre(readZipList(text).summary === 'Read as a plain list.');
        const read = new Set(zipsRead(text));
        expect(pieces.filter(([code]) => !read.has(code))).toEqual([]);
      }),
    );
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
      'The list has more than 50,000 entries, the maximum for one import. Split it up.',
    );
  });

  it.each([
    ['words on a line', '75201 '.repeat(1_600_000), 'more than 50,000 entries'],
    ['words in a cell', `name,zip\nAnn,${'75201 '.repeat(60_000)}`, 'more than 50,000 entries'],
    ['cells', `zip${','.repeat(9_000_000)}`, 'more than 2,000,000 cells'],
  ])('with many %s is refused', (_what, text, message) => {
    expect(() => readZipList(text)).toThrow(message);
  });

  it('truncates long cells in findings', () => {
    const [reading] = readZipList(`zip\n${'x'.repeat(10_000)}`).readings;
    expect(reading!.given.length).toBeLessThan(100);
  });
});

describe('a table', () => {
  const table = 'Account\tZip\tRevenue\n10001\t75001\t60614\n10002\t75002\t12500\n';

  it.each([
    ['"Exported from CRM"\n\n', 'Skipped 1 line above the headings.'],
    ['Our ZIP codes\nas of 2026\n\n', 'Skipped 2 lines above the headings.'],
    ['\n\n', ''],
    ['sep=\t\n', ''],
    ['"sep=\t"\n', ''],
  ])('has its headings below %j', (above, skipped) => {
    const { summary, readings, columns } = readZipList(above + table);
    expect(readings.map(({ zip, outcome }) => [zip, outcome])).toEqual([
      ['75001', 'new'],
      ['75002', 'new'],
    ]);
    expect(summary).toBe(['Read from the column “Zip”.', skipped].join(' ').trim());
    expect(columns).toBeUndefined();
  });

  it('reports ZIP codes above its headings', () => {
    const { readings } = readZipList(`Report,75205\n${table.replaceAll('\t', ',')}`);
    expect(readings[0]).toMatchObject({
      at: 1,
      given: 'Report, 75205',
      zip: null,
      reason: 'This line is above the headings.',
    });
  });

  it.each([';', ',', '\t', '|'])(
    'obeys the separator hint %j, also where others are more even',
    (separator) => {
      const rows = [
        ['Zip', 'Note'],
        ['75001', 'a,b;c|d\te'],
        ['75002', 'a,b;c|d\te'],
      ];
      const text = rows.map((cells) => cells.join(separator)).join('\n');
      const { readings } = readZipList(`sep=${separator}\n${text}`);
      expect(readings.map(({ at, zip }) => [at, zip])).toEqual([
        [3, '75001'],
        [4, '75002'],
      ]);
    },
  );

  it('with several columns of ZIP codes names the others, and reads the one that is asked for', () => {
    const text = 'ship_zip,bill zip,zip count\n75201,10001,12\n75204,10002,9';
    const read = readZipList(text);
    expect(zipsRead(text)).toEqual(['75201', '75204']);
    expect(read.summary).toBe(
      'Read from the column “ship_zip”. The table also has ZIP codes in “bill zip”.',
    );
    expect(read.columns).toEqual([
      { number: 1, name: '“ship_zip”' },
      { number: 2, name: '“bill zip”' },
    ]);
    for (const wanted of ['Bill ZIP', '2']) {
      expect(readZipList(text, wanted).readings.map(({ zip }) => zip)).toEqual(['10001', '10002']);
    }
    expect(() => readZipList(text, 'from')).toThrow(
      'no column "from". It has "ship_zip", "bill zip"',
    );
    expect(() => readZipList('75201 75202', '2')).toThrow('no column 2');
  });

  it('tells columns with the same heading apart', () => {
    expect(readZipList('Zip,Zip\n75201,75204\n75201,75204').summary).toBe(
      'Read from the column “Zip” (column 1). The table also has ZIP codes in “Zip” (column 2).',
    );
  });

  it.each([
    ['98101,12345\n98102,8800\n98103,20111', ['98101', '98102', '98103'], 'new'],
    ['12345,98101\n8800,98102\n20111,98103', ['98101', '98102', '98103'], 'new'],
    ['98101,$12345\n98102,850.50\n98103,20111', ['98101', '98102', '98103'], 'new'],
    // Each could be ZIP codes: somebody has to decide.
    ['98101,12345\n98102,18800', ['98101', '12345', '98102', '18800'], 'guessed'],
    [
      '2134,12345\n2135,18800\n98101,20111',
      ['02134', '12345', '02135', '18800', '98101', '20111'],
      'guessed',
    ],
    // ZIP codes of one region fill all columns: a list.
    ['98101,98102\n98103,98104', ['98101', '98102', '98103', '98104'], 'new'],
  ])('without headings has no ZIP codes in a column of amounts: %j', (text, zips, outcome) => {
    const { readings } = readZipList(text);
    expect(readings.map(({ zip }) => zip)).toEqual(zips);
    expect(readings.every((one) => one.outcome === outcome)).toBe(true);
  });

  it('may have headings of two lines', () => {
    const { readings, summary } = readZipList('Zip,2024,\n,Jobs,Revenue\n75201,1,100\n75204,2,50');
    expect(summary).toBe('Read from the column “Zip”.');
    expect(readings.map(({ zip }) => zip)).toEqual(['75201', '75204']);
  });

  it('without headings only guesses, if several columns have five digits', () => {
    const { readings, summary, columns } = readZipList('Ann,10001,75001\nBob,10002,75002');
    expect(readings.map(({ zip, outcome }) => [zip, outcome])).toEqual([
      ['10001', 'guessed'],
      ['10002', 'guessed'],
    ]);
    expect(summary).toContain('The table also has ZIP codes in column 3.');
    expect(columns).toHaveLength(2);
    const chosen = readZipList('Ann,10001,75001\nBob,10002,75002', '3').readings;
    expect(chosen.map(({ zip, outcome }) => [zip, outcome])).toEqual([
      ['75001', 'new'],
      ['75002', 'new'],
    ]);
  });

  it('may have several ZIP codes or a range in a cell', () => {
    const { readings } = readZipList('name,zips\nAnn,"75201, 75204"\nBob,75205-75209');
    expect(readings).toMatchObject([
      { at: 2, zip: '75201', outcome: 'new' },
      { at: 2, zip: '75204', outcome: 'new' },
      { at: 3, outcome: 'range' },
    ]);
  });
});
