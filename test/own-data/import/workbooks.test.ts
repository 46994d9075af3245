/** Uploaded Excel workbooks. */
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import writeXlsxFile from 'write-excel-file/node';
import { testDatabase } from '../../support/database.ts';
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
}

/** A workbook as other programs write them, from XML */
function rawWorkbook(
  sheets: readonly RawSheet[],
  { strings = [] as string[], styles = '', prefix = '', pr = '' } = {},
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
      '</sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships>${sheets
      .map((_, i) => relation(`s${i}`, 'worksheet', `worksheets/sheet${i + 1}.xml`))
      .join(
        '',
      )}${relation('st', 'styles', 'styles.xml')}${relation('ss', 'sharedStrings', '/xl/sharedStrings.xml')}</Relationships>`,
    'xl/styles.xml': `<styleSheet>${styles}</styleSheet>`,
    'xl/sharedStrings.xml': `<sst>${strings.map((one) => `<si>${one}</si>`).join('')}</sst>`,
  };
  for (const [i, { data }] of sheets.entries()) {
    const xml = `<worksheet><sheetData>${data}</sheetData></worksheet>`;
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

  it.each([
    ['a damaged workbook', rawWorkbook([{ name: 'A', data: TABLE }]).subarray(0, 900), /damaged/],
    [
      'a text that never ends',
      rawWorkbook([{ name: 'A', data: TABLE }], { strings: [`<t>${'x'.repeat(6_000_000)}</t>`] }),
      /damaged/,
    ],
    ['XML that isn’t complete', rawWorkbook([{ name: 'A', data: `${TABLE}<row>` }]), /damaged/],
    ['an empty workbook', rawWorkbook([{ name: 'A', data: '' }]), /visible sheets .* are empty/],
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1000000', 'hex'), /old Excel version/],
    [
      'a workbook with a password',
      Buffer.concat([
        Buffer.from('d0cf11e0a1b11ae1', 'hex'),
        Buffer.from('EncryptedPackage', 'utf16le'),
      ]),
      /protected with a password/,
    ],
    ['a Numbers spreadsheet', zipSync({ 'Index/Document.iwa': strToU8('x') }), /Numbers/],
    ['an OpenDocument file', zipSync({ 'content.xml': strToU8('x') }), /OpenDocument/],
    ['a binary workbook', zipSync({ 'xl/workbook.bin': strToU8('x') }), /xlsb/],
    ['another archive', zipSync({ 'doc.kml': strToU8('x') }), /ZIP archive, but not an Excel/],
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
