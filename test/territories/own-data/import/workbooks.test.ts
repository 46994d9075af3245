/** Uploaded Excel workbooks. */
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import writeXlsxFile from 'write-excel-file/node';
import { testDatabase } from '../../../support/database.ts';
import { amountsOf, attention, uploading } from './upload.ts';

const { db } = await testDatabase('sample');
const upload = uploading(db);

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

interface RawSheet {
  name: string;
  state?: string;
  /** XML of `sheetData` */
  data: string;
  /** XML below it */
  below?: string;
}

/** A workbook as other programs write them, from XML */
function rawWorkbook(
  sheets: readonly RawSheet[],
  { strings = [] as string[], styles = '', prefix = '', pr = '', calc = '' } = {},
): Uint8Array {
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const files: Record<string, string> = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': `<Relationships>${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml':
      `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">${pr}<sheets>` +
      sheets
        .map(
          ({ name, state }, i) =>
            `<sheet name="${name}" sheetId="${i + 1}" ${state ? `state="${state}"` : ''} r:id="s${i}"/>`,
        )
        .join('') +
      `</sheets>${calc}</workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${sheets
      .map((_, i) => relation(`s${i}`, 'worksheet', `worksheets/sheet${i + 1}.xml`))
      .join(
        '',
      )}${relation('st', 'styles', 'styles.xml')}${relation('ss', 'sharedStrings', '/xl/sharedStrings.xml')}</Relationships>`,
    'xl/styles.xml': `<styleSheet>${styles}</styleSheet>`,
    'xl/sharedStrings.xml': `<sst>${strings.map((one) => `<si>${one}</si>`).join('')}</sst>`,
  };
  for (const [i, { data, below = '' }] of sheets.entries()) {
    const xml = `<worksheet><sheetData>${data}</sheetData>${below}</worksheet>`;
    files[`xl/worksheets/sheet${i + 1}.xml`] = prefix
      ? xml.replaceAll(/<(\/?)(?=\w)/g, `<$1${prefix}:`)
      : xml;
  }
  return zipSync(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])),
  );
}

const TABLE =
  '<row r="1"><c r="A1" t="inlineStr"><is><t>ZIP</t></is></c><c r="B1" t="inlineStr"><is><t>Jobs</t></is></c></row>' +
  '<row r="2"><c r="A2"><v>75201</v></c><c r="B2"><v>3</v></c></row>';

const headings = (...names: string[]) =>
  `<row r="1">${names.map((name) => `<c t="inlineStr"><is><t>${name}</t></is></c>`).join('')}</row>`;

describe('a workbook', () => {
  it('is read from the first sheet with a table, with dates, numbers, and lost zeros', async () => {
    const text = (value: string) => ({ value, type: String });
    const number = (value: number) => ({ value, type: Number });
    const cover = [[text('Report of 2025')]];
    const jobs = [
      [text('Jobs of 2025'), null, null],
      [text('Closed'), text('ZIP'), text('Revenue')],
      [
        { value: new Date(Date.UTC(2025, 2, 31)), type: Date, format: 'yyyy-mm-dd' },
        number(75201),
        number(1200.5),
      ],
      [text('open & <shut>'), number(2134), number(-20)],
      [null, text('75202-1234'), text('$5')],
    ];
    const file = await writeXlsxFile([
      { data: cover, sheet: 'Cover' },
      { data: jobs, sheet: 'Jobs' },
      { data: [[text('zip')], [number(75203)]], sheet: 'Other' },
    ]).toBuffer();
    const result = await upload(file, {
      amounts: [{ kind: 'sum', column: 'Revenue' }],
      groupBy: 'Closed',
    });
    expect(result.sheets).toEqual(['Cover', 'Jobs', 'Other']);
    expect(result.summary).toBe(
      'Workbook with 3 rows. Read from the sheet “Jobs”. Other sheets: “Cover”, “Other”. ZIP codes are in “ZIP”. ' +
        'Amounts: the sum of “Revenue”. Groups are in “Closed”. Skipped 1 line above the headings.',
    );
    expect(result.sets.map((set) => [set.group, amountsOf(set)])).toEqual([
      ['2025-03-31', { '75201': 1200.5 }],
      ['open & <shut>', { '02134': -20 }],
      ['Without a group', { '75202': 5 }],
    ]);
    expect(attention(result)).toEqual([[4, '02134', 'guessed']]);
    const other = await upload(file, { sheet: 'Other' });
    expect(other.sets.map(amountsOf)).toEqual([{ '75203': 1 }]);
    await expect(upload(file, { sheet: 'Jan' })).rejects.toThrow(
      'The workbook has no sheet "Jan". It has "Cover", "Jobs", "Other".',
    );
  });

  it('skips hidden sheets unless one is named', async () => {
    const file = rawWorkbook([
      { name: 'Old', state: 'hidden', data: TABLE.replace('75201', '75202') },
      { name: 'New', data: TABLE },
    ]);
    expect((await upload(file)).sets.map(amountsOf)).toEqual([{ '75201': 3 }]);
    expect((await upload(file, { sheet: 'Old' })).sets.map(amountsOf)).toEqual([{ '75202': 3 }]);
  });

  it('has the values of formulas, rich texts, formats for ZIP codes, and dates since 1904', async () => {
    const file = rawWorkbook(
      [
        {
          name: 'Sheet1',
          data:
            '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c><f>1</f></c><c t="str"><v>When</v></c></row>' +
            '<row><c s="1"><v>2134</v></c><c><f>SUM(1,2)</f><v>3</v></c><c t="e"><v>#N/A</v></c><c s="2"><v>0.5</v></c></row>' +
            '<row r="9"><c r="D9" s="3"><v>44000</v></c><c r="A9" s="4"><v>21351234</v></c></row>',
        },
      ],
      {
        strings: ['<r><t>Z</t></r><r><t>IP</t></r><rPh><t>zi</t></rPh>', '<t>Jobs_x000D_</t>'],
        styles:
          '<numFmts><numFmt numFmtId="170" formatCode="00000"/><numFmt numFmtId="171" formatCode="[Red]d.m.yy h:mm"/>' +
          '<numFmt numFmtId="172" formatCode="00000\\-0000"/></numFmts>' +
          '<cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="14"/><xf numFmtId="172"/></cellXfs>',
        pr: '<workbookPr date1904="1"/>',
      },
    );
    const result = await upload(file, {
      groupBy: 'When',
      amounts: [{ kind: 'sum', column: 'Jobs' }],
    });
    expect(result.counts).toMatchObject({ placed: 1, guessed: 0, no_amount: 1 });
    expect(result.sets.map((set) => [set.group, amountsOf(set)])).toEqual([
      ['1904-01-01 12:00', { '02134': 3 }],
      ['2024-06-19', {}],
    ]);
    expect(attention(result)).toEqual([[9, '02135', 'no_amount']]);
  });

  it('may have a prefix before each element', async () => {
    const file = rawWorkbook([{ name: 'Sheet1', data: TABLE }], { prefix: 'x' });
    expect((await upload(file)).sets.map(amountsOf)).toEqual([{ '75201': 3 }]);
  });

  it('has hours for durations, and shares for percentages, which aren’t added up by default', async () => {
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="0.0%"/><numFmt numFmtId="165" formatCode="[h]:mm"/>' +
      '<numFmt numFmtId="166" formatCode="h:mm;@"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/>' +
      '<xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="46"/></cellXfs>';
    const row = (r: number, values: readonly (readonly [number, number])[]) =>
      `<row r="${r}">${values.map(([style, value]) => `<c s="${style}"><v>${value}</v></c>`).join('')}</row>`;
    const data =
      headings('ZIP', 'Close rate', 'Hours', 'Start', 'Drive') +
      row(2, [
        [0, 75201],
        [1, 0.07],
        [2, 0.5],
        [3, 0.5],
        [4, 1 / 96],
      ]) +
      row(3, [
        [0, 75202],
        [1, 0.125],
        [2, 1.5],
        [3, 1.25],
        [4, 2],
      ]);
    const file = rawWorkbook([{ name: 'A', data }], { styles });
    const first = await upload(file);
    expect(first.used.amounts).toEqual([{ kind: 'sum', column: 'Hours' }]);
    expect(first.summary).toContain('Durations are read as hours.');
    expect(first.summary).toContain('Percentages, as in “Close rate”, aren’t added up.');
    const amounts = ['Close rate', 'Hours', 'Drive', 'Start'].map((column) => ({
      kind: 'sum' as const,
      column,
    }));
    const result = await upload(file, { amounts });
    expect(result.sets.map(amountsOf)).toEqual([
      { '75201': 0.07, '75202': 0.125 },
      { '75201': 12, '75202': 36 },
      { '75201': 0.25, '75202': 48 },
      {},
    ]);
    expect(result.findings.map(({ given, reason }) => [given, reason])).toEqual(
      ['12:00', '30:00'].map((time) => [
        time,
        `“${time}” may be a time of day, or hours and minutes. Write hours as a number, such as 12.5.`,
      ]),
    );
    // As the same table in CSV
    const csv = 'ZIP,Close rate\n75201,7%\n75202,12.5%\n';
    const same = await upload(csv, { amounts: amounts.slice(0, 1) });
    expect(same.sets.map(amountsOf)).toEqual([amountsOf(result.sets[0]!)]);
  });

  const CALC = '<calcPr calcId="124519" fullCalcOnLoad="1"/>';
  const formulas = (...results: string[]) =>
    headings('ZIP', 'Qty', 'Revenue') +
    results
      .map(
        (result, i) =>
          `<row r="${i + 2}"><c><v>${75201 + i}</v></c><c><v>2</v></c><c><f>B${i + 2}*5</f>${result}</c></row>`,
      )
      .join('');

  it.each([
    ['without a value', formulas('', ''), ''],
    ['with an empty value', formulas('<v></v>', '<v/>'), CALC],
    ['with the placeholder 0 of a program', formulas('<v>0</v>', '<v>0</v>'), CALC],
  ])('says which formulas have no saved results: %s', async (_, data, calc) => {
    const file = rawWorkbook([{ name: 'A', data }], { calc });
    const first = await upload(file);
    expect(first.summary).toContain(
      'The formulas in “Revenue” have no saved results. Open the file in a spreadsheet program, save it, and upload it again.',
    );
    const { findings } = await upload(file, { amounts: [{ kind: 'sum', column: 'Revenue' }] });
    expect(findings.map(({ given, outcome, reason }) => [given, outcome, reason])).toEqual(
      ['=B2*5', '=B3*5'].map((given) => [
        given,
        'no_amount',
        'The result of this formula wasn’t saved. Open the file in a spreadsheet program, save it, and upload it again.',
      ]),
    );
  });

  it('keeps results of 0 if formulas were computed', async () => {
    const amounts = [{ kind: 'sum' as const, column: 'Revenue' }];
    for (const [calc, results] of [
      ['', ['<v>0</v>', '<v>0</v>']],
      [CALC, ['<v>0</v>', '<v>7</v>']],
    ] as const) {
      const file = rawWorkbook([{ name: 'A', data: formulas(...results) }], { calc });
      const { counts } = await upload(file, { amounts });
      expect(counts).toMatchObject({ placed: 2, no_amount: 0 });
    }
  });

  it('has one ZIP code for the rows of a merged cell, and counts a merged amount once', async () => {
    const text = (at: string, value: string) =>
      `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
    const number = (at: string, value: number) => `<c r="${at}"><v>${value}</v></c>`;
    const data =
      headings('ZIP', 'Service', 'Revenue', 'Budget') +
      `<row r="2">${number('A2', 75201)}${text('B2', 'HVAC')}${number('C2', 100)}${number('D2', 500)}</row>` +
      `<row r="3">${number('C3', 200)}</row><row r="4"><c r="A4"/>${text('B4', 'Roofing')}${number('C4', 300)}</row>` +
      `<row r="5">${number('A5', 75204)}${text('B5', 'HVAC')}${number('C5', 50)}${number('D5', 60)}</row>` +
      `<row r="6">${text('B6', 'HVAC')}${number('C6', 7)}</row>`;
    const below =
      '<mergeCells count="3"><mergeCell ref="D2:D4"/><mergeCell ref="A2:A4"/><mergeCell ref="B2:B3"/></mergeCells>';
    for (const prefix of ['', 'x']) {
      const file = rawWorkbook([{ name: 'A', data, below }], { prefix });
      const result = await upload(file, { amounts: [{ kind: 'sum', column: 'Revenue' }] });
      expect(result.sets.map(amountsOf)).toEqual([{ '75201': 600, '75204': 50 }]);
      expect(attention(result)).toEqual([[6, null, 'not_understood']]);
      const groups = await upload(file, { groupBy: 'Service', amounts: [{ kind: 'count' }] });
      expect(groups.sets.map((set) => [set.group, amountsOf(set)])).toEqual([
        ['HVAC', { '75201': 2, '75204': 1 }],
        ['Roofing', { '75201': 1 }],
      ]);
      const budget = await upload(file, { amounts: [{ kind: 'sum', column: 'Budget' }] });
      expect(budget.sets.map(amountsOf)).toEqual([{ '75201': 500, '75204': 60 }]);
      expect(budget.findings[0]!.reason).toBe(
        'The amount is in a merged cell, which counts for its first row.',
      );
    }
  });

  it('has headings of two lines, with merged cells', async () => {
    const text = (at: string, value: string | number) =>
      `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
    const row = (r: number, cells: Record<string, string | number>) =>
      `<row r="${r}">${Object.entries(cells)
        .map(([column, value]) => text(`${column}${r}`, value))
        .join('')}</row>`;
    const data =
      row(1, { A: 'Jobs by year' }) +
      row(2, { A: 'Zip', B: '2024', D: '2025' }) +
      row(3, { B: 'Jobs', C: 'Revenue', D: 'Jobs', E: 'Revenue' }) +
      row(4, { A: 75201, B: 1, C: 100, D: 2, E: 200 });
    const below =
      '<mergeCells><mergeCell ref="A1:E1"/><mergeCell ref="A2:A3"/><mergeCell ref="B2:C2"/><mergeCell ref="D2:E2"/></mergeCells>';
    const result = await upload(rawWorkbook([{ name: 'A', data, below }]), {
      amounts: [{ kind: 'sum', column: '2025 Revenue' }],
    });
    expect(result.columns.map(({ name }) => name)).toEqual([
      'Zip',
      '2024 Jobs',
      '2024 Revenue',
      '2025 Jobs',
      '2025 Revenue',
    ]);
    expect(result.sets.map(amountsOf)).toEqual([{ '75201': 200 }]);
    expect(result.summary).toContain('Skipped 1 line above the headings.');
  });

  it('says how many hidden rows count', async () => {
    const rows = (hidden: string) =>
      `${TABLE}<row r="3" hidden="1"><c><v>75202</v></c><c><v>1</v></c></row><row r="4" ${hidden}><c><v>75203</v></c><c><v>1</v></c></row>`;
    const two = await upload(rawWorkbook([{ name: 'A', data: rows('hidden="true"') }]));
    expect(two.summary).toContain('2 rows are hidden, for example by a filter, and are read, too.');
    expect(two.counts.placed).toBe(3);
    const one = await upload(rawWorkbook([{ name: 'A', data: rows('hidden="0"') }]));
    expect(one.summary).toContain('1 row is hidden, for example by a filter, and is read, too.');
  });

  it.each([
    ['a damaged workbook', rawWorkbook([{ name: 'A', data: TABLE }]).subarray(0, 900), /damaged/],
    [
      'a text that never ends',
      rawWorkbook([{ name: 'A', data: TABLE }], { strings: [`<t>${'x'.repeat(6_000_000)}</t>`] }),
      /damaged/,
    ],
    ['XML that isn’t complete', rawWorkbook([{ name: 'A', data: `${TABLE}<row>` }]), /damaged/],
    ['an empty workbook', rawWorkbook([{ name: 'A', data: '' }]), /visible sheets .* are empty/],
  ])('is refused with advice: %s', async (_, file, message) => {
    await expect(upload(file)).rejects.toThrow(message);
  });

  it('is refused if it is far larger when unpacked', async () => {
    const styles = '<fonts/>'.repeat(3_000_000);
    const file = rawWorkbook([{ name: 'A', data: TABLE }], { styles });
    expect(file.length).toBeLessThan(1_000_000);
    await expect(upload(file)).rejects.toThrow(/too large when unpacked/);
  });
});
