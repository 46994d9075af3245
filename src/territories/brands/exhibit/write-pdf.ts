/** Lays out an exhibit as a PDF: a first page with totals and map, maps of areas, tables, and notes. */
import Pdf from 'pdfkit';
import type { ExhibitContent, ExhibitMap, Rows } from './content.ts';
import { GUTTER, HEADING, PageFlow, SMALL } from './page-flow.ts';
import { AREA_TITLE, FRONT, mapSize, MARGIN, type PageSize } from './pages.ts';
import { HAIRLINE, INK, QUIET, type TextStyle } from './typesetter.ts';
import { writeTable } from './write-table.ts';

const PRODUCER = 'Territory Intelligence Service';

const EYEBROW: TextStyle = { sizePt: 8.5, weight: 600, color: QUIET };
const TITLE: TextStyle = { sizePt: 22, weight: 600 };
const SUBTITLE: TextStyle = { sizePt: 11, color: QUIET };
const TOTAL: TextStyle = { sizePt: 13, weight: 600 };

/** The accent color and the largest logo on the first page */
const ACCENT_HEIGHT = 3;
const ACCENT_ABOVE = 13;
const LOGO = { width: 130, height: 26 } as const;

const PIECE_BYTES = 256 * 1024;

type RowsFrom = (table: number, from: number) => Promise<Rows>;

/**
 * Returns the file in pieces. The same content gives the same bytes.
 * @param rowsFrom returns the next rows of a table
 */
export async function writePdf(content: ExhibitContent, rowsFrom: RowsFrom): Promise<Uint8Array[]> {
  // Footers contain the number of pages, so a first layout only counts them.
  const counted = new PageFlow(openDocument(content), content, null);
  await write(counted, content, null);
  const doc = openDocument(content);
  // PDFKit writes line by line. Sending hundreds of thousands of lines would take longer than making them.
  const pieces: Uint8Array[] = [];
  let lines: Buffer[] = [];
  let bytes = 0;
  const join = () => {
    pieces.push(Buffer.concat(lines));
    lines = [];
    bytes = 0;
  };
  doc.on('data', (line: Buffer) => {
    lines.push(line);
    if ((bytes += line.length) >= PIECE_BYTES) join();
  });
  const ended = new Promise((resolve, reject) => doc.once('end', resolve).once('error', reject));
  const flow = new PageFlow(doc, content, counted.page);
  await write(flow, content, rowsFrom);
  flow.tags.end();
  doc.end();
  await ended;
  join();
  return pieces;
}

function openDocument({ brand, organization, day, reference, page }: ExhibitContent) {
  // With midnight as the time, the same state gives the same bytes all day.
  const date = new Date(`${day}T00:00:00Z`);
  return new Pdf({
    size: [page.width, page.height],
    margin: 0,
    autoFirstPage: false,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en-US',
    displayTitle: true,
    // The typesetter adds fonts.
    font: '',
    info: {
      Title: `Territory exhibit: ${brand}`,
      Author: organization,
      Subject: `Reference ${reference}`,
      Creator: PRODUCER,
      Producer: PRODUCER,
      CreationDate: date,
      ModDate: date,
    },
  });
}

async function write(
  flow: PageFlow,
  content: ExhibitContent,
  rowsFrom: RowsFrom | null,
): Promise<void> {
  writeFront(flow, content);
  for (const map of content.maps.slice(1)) writeArea(flow, map, content.page);
  for (const [i, table] of content.tables.entries()) {
    if (table.hasOwnPage) flow.addPage();
    await writeTable(flow, table, rowsFrom && ((from) => rowsFrom(i, from)));
  }
  writeNotes(flow, content);
}

function writeFront(flow: PageFlow, content: ExhibitContent): void {
  const { brand, organization, look, day, reference, maps, page } = content;
  const { tags, type, right } = flow;
  flow.addPage();
  const { y } = flow;
  drawAccent(flow, content);
  const room = right - MARGIN - drawLogo(flow, content, y + 13);
  tags.add('P', () => type.line('TERRITORY EXHIBIT', MARGIN, y, EYEBROW));
  tags.add('P', () => type.lineTo(`Reference ${reference}`, right, y, EYEBROW));
  tags.add('H1', () => type.line(brand, MARGIN, y + 12, TITLE, room));
  const date = `As of ${longDay(day)}`;
  const besideDate = right - MARGIN - type.width(date, SUBTITLE) - GUTTER;
  const parties = [organization, look.title, look.subtitle].filter(Boolean).join('  ·  ');
  tags.add('P', () => type.line(parties, MARGIN, y + 43, SUBTITLE, besideDate));
  tags.add('P', () => type.lineTo(date, right, y + 43, SUBTITLE));
  writeTotals(flow, content, y + 68);
  drawMap(flow, maps[0]!, MARGIN + FRONT, mapSize(page, FRONT));
}

/** Draws a rule at the top of the page, in the color of the brand. */
function drawAccent({ doc, tags, right }: PageFlow, { look: { accent } }: ExhibitContent): void {
  if (accent === null) return;
  const y = MARGIN - ACCENT_ABOVE;
  tags.artifact(() => doc.rect(MARGIN, y, right - MARGIN, ACCENT_HEIGHT).fill(accent));
}

/** Draws the logo at the right, next to the brand's name. @returns its width with the gap */
function drawLogo({ doc, tags, right }: PageFlow, content: ExhibitContent, y: number): number {
  const { logo, brand } = content;
  if (logo === null) return 0;
  const { width, height } = LOGO;
  const [px, py] = [logo.readUInt32BE(16), logo.readUInt32BE(20)];
  const drawn = Math.min(width, (height * px) / py);
  const draw = () =>
    doc.image(logo, right - drawn, y, { fit: [drawn, height], align: 'right', valign: 'center' });
  tags.add('Figure', draw, { alt: `Logo of ${brand}` });
  return drawn + GUTTER;
}

function writeTotals(flow: PageFlow, { totals }: ExhibitContent, y: number): void {
  const step = (flow.right - MARGIN) / totals.length;
  flow.drawRule(y);
  for (const [i, { label, value }] of totals.entries()) {
    const x = MARGIN + i * step;
    flow.tags.add('P', () => {
      flow.type.line(label, x, y + 9, SMALL, step - GUTTER);
      flow.type.line(value, x, y + 21, TOTAL, step - GUTTER);
    });
  }
  flow.drawRule(y + 48);
}

/** Draws the map of an area on its own page. */
function writeArea(flow: PageFlow, map: ExhibitMap, page: PageSize): void {
  flow.addPage();
  const { tags, type, right, y } = flow;
  tags.add('H2', () => type.line(map.title!, MARGIN, y, HEADING, right - MARGIN));
  drawMap(flow, map, MARGIN + AREA_TITLE, mapSize(page, AREA_TITLE));
}

/** Draws a map, which fills the rest of the page. */
function drawMap(flow: PageFlow, { picture, alt }: ExhibitMap, y: number, size: PageSize): void {
  const { doc, tags } = flow;
  const { width, height } = size;
  tags.add('Figure', () => doc.image(Buffer.from(picture), MARGIN, y, { width, height }), { alt });
  tags.artifact(() => doc.lineWidth(0.6).rect(MARGIN, y, width, height).stroke(HAIRLINE));
  flow.y = flow.bottom;
}

function writeNotes(flow: PageFlow, content: ExhibitContent): void {
  const { notes, sources, fingerprint, reference, boundaries } = content;
  flow.writeSection('Notes', notes);
  flow.writeSection(
    'Sources',
    sources.map(([name, vintage]) => `${name}: ${vintage}`),
  );
  flow.writeSection('Reference', [
    `${reference} begins the SHA-256 fingerprint of the territory: ${fingerprint}.`,
    'The fingerprint is computed from a sorted list with one line per live or pending ZIP code. Each line, ' +
      `such as “75201 live”, ends with a line break. ${boundaries === null ? '' : `The last line is “boundaries ${boundaries}”. `}` +
      'Two exhibits with the same reference list the same ZIP codes with the same statuses.',
  ]);
  flow.startSection(90);
  const { tags, type, y } = flow;
  const half = (flow.right - MARGIN - 2 * GUTTER) / 2;
  for (const [i, party] of ['First party', 'Second party'].entries()) {
    const x = MARGIN + i * (half + 2 * GUTTER);
    tags.add('P', () => type.line(party, x, y, SMALL));
    flow.drawRule(y + 46, INK, x, x + half);
    tags.add('P', () => type.line('Name, signature, and date', x, y + 49, SMALL));
  }
  flow.y += 62;
}

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const longDay = (day: string) => dayFormat.format(new Date(`${day}T00:00:00Z`));
