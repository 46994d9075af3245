/** Tables and lists, aligned by the width of text on a terminal. */
import stringWidth from 'string-width';
import type { Layout } from './layout.ts';

export interface Column<Row> {
  /** One or several lines */
  heading: string;
  cell(row: Row): string;
  /** Aligns the column to the right, for numbers */
  right?: boolean;
  /** Columns with a number are dropped on narrow terminals, highest number first. */
  dropOrder?: number;
}

const INDENT = '  ';
const GAP = '  ';

/** Returns a heading line and a line per row, or an empty string without rows. */
export function formatTable<Row>(
  layout: Layout,
  columns: Column<NoInfer<Row>>[],
  rows: readonly Row[],
): string {
  if (rows.length === 0) return '';
  const text = alignColumns(layout, columns, rows);
  const lastToDrop = Math.max(...columns.map((column) => column.dropOrder ?? 0));
  const width = Math.max(...text.split('\n').map((line) => stringWidth(line)));
  if (width <= layout.width || lastToDrop === 0) return text;
  const kept = columns.filter((column) => column.dropOrder !== lastToDrop);
  return formatTable(layout, kept, rows);
}

function alignColumns<Row>(layout: Layout, columns: Column<Row>[], rows: readonly Row[]): string {
  const headings = headingLines(columns.map(({ heading }) => heading));
  const cells = rows.map((row) => columns.map((column) => column.cell(row)));
  const widths = columns.map((_, i) =>
    Math.max(...[...headings, ...cells].map((texts) => stringWidth(texts[i]!))),
  );
  const line = (texts: string[]) =>
    (INDENT + texts.map((text, i) => pad(text, widths[i]!, columns[i]!.right)).join(GAP)).trimEnd();
  const above = headings.map((texts) => layout.paint('dim', line(texts)));
  return [...above, ...cells.map(line)].join('\n');
}

/** Returns the lines of the headings. Shorter headings are at the bottom. */
function headingLines(headings: readonly string[]): string[][] {
  const parts = headings.map((heading) => heading.split('\n'));
  const count = Math.max(...parts.map(({ length }) => length));
  return Array.from({ length: count }, (_, i) =>
    parts.map((lines) => lines[i - (count - lines.length)] ?? ''),
  );
}

export interface Entry {
  /** A number or an HTTP method, printed before the name */
  mark: string;
  name: string;
  note: string;
}

/** Returns a list with a note under each name, both wrapped, for texts too long for a table. */
export function formatEntries(layout: Layout, heading: string, list: readonly Entry[]): string {
  if (list.length === 0) return '';
  const width = Math.max(...list.map(({ mark }) => stringWidth(mark)));
  const indent = INDENT + ' '.repeat(width) + GAP;
  const wrap = (text: string) => wrapText(text, layout.width - indent.length);
  const lines = list.flatMap(({ mark, name, note }) => {
    const [first, ...rest] = wrap(name);
    return [
      INDENT + pad(mark, width, true) + GAP + first,
      ...rest.map((part) => indent + part),
      ...wrap(note).map((part) => indent + layout.paint('dim', part)),
    ];
  });
  return [layout.paint('dim', INDENT + heading), ...lines].join('\n');
}

function pad(text: string, width: number, right = false): string {
  const space = ' '.repeat(width - stringWidth(text));
  return right ? space + text : text + space;
}

/** Wraps text between words. A word longer than `width` gets its own line. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && stringWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
