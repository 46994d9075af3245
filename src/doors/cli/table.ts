/** Tables, facts, and lists, aligned by the width of text on a terminal. */
import stringWidth from 'string-width';
import { formatCount, orDash } from '../../base/text/words.ts';
import type { Layout } from './layout.ts';

/** A number is grouped, true is `yes`, and null is unknown, shown as a dash. Undefined and false leave the cell empty. */
export type Cell = string | number | boolean | null | undefined;

/**
 * Headings, of one or several lines, with a field of the row or a function that returns the cell. On a narrow terminal,
 * columns whose heading ends with `?` are dropped, the last one first. Columns without any value aren't shown.
 */
export type Columns<Row> = Readonly<Record<string, (keyof Row & string) | ((row: Row) => Cell)>>;

const INDENT = '  ';
const GAP = '  ';

/** Returns a heading line and a line per row, or `none` without rows. */
export function formatTable<Row>(
  layout: Layout,
  rows: readonly Row[],
  columns: Columns<NoInfer<Row>>,
  none = '',
): string {
  if (rows.length === 0) return none;
  let shown = Object.entries(columns)
    .map(([heading, of]) => ({
      headings: heading.replace('?', '').split('\n'),
      isOptional: heading.endsWith('?'),
      texts: rows.map((row) => cellText(typeof of === 'function' ? of(row) : (row[of] as Cell))),
    }))
    .filter(({ texts }) => texts.some((text) => text !== ''));
  for (;;) {
    const text = alignColumns(layout, shown);
    const last = shown.findLastIndex(({ isOptional }) => isOptional);
    const width = Math.max(...text.split('\n').map((line) => stringWidth(line)));
    if (width <= layout.width || last < 0) return text;
    shown = shown.toSpliced(last, 1);
  }
}

interface Shown {
  headings: string[];
  texts: string[];
}

function cellText(cell: Cell): string {
  if (typeof cell === 'number') return formatCount(cell);
  if (typeof cell === 'boolean') return cell ? 'yes' : '';
  return cell === undefined ? '' : orDash(cell);
}

/** Amounts such as `1,234`, `$250,000+`, `14.4%`, `9 of 164`, and `3 → 4`. ZIP codes are names. */
const AMOUNT = /^(?!\d{5}$)(?:[-+]?\$?(?=[\d.])[\d,.]*[%+]?(?:(?:[–]| of | → )[\d,.]+)?|–|)$/;

function alignColumns(layout: Layout, columns: readonly Shown[]): string {
  const above = Math.max(...columns.map(({ headings }) => headings.length));
  const padded = columns.map(({ headings, texts }) => {
    // Shorter headings are at the bottom.
    const cells = [...Array<string>(above - headings.length).fill(''), ...headings, ...texts];
    const width = Math.max(...cells.map((text) => stringWidth(text)));
    const right = texts.every((text) => AMOUNT.test(text));
    return cells.map((text) => pad(text, width, right));
  });
  return padded[0]!
    .map((_, i) => (INDENT + padded.map((cells) => cells[i]).join(GAP)).trimEnd())
    .map((line, i) => (i < above ? layout.paint('dim', line) : line))
    .join('\n');
}

/** Returns facts in two columns, without those that are undefined. Long ones are wrapped; a long URL has its own line. */
export function formatFacts(layout: Layout, facts: Readonly<Record<string, Cell>>): string {
  const shown = Object.entries(facts).flatMap(([name, cell]) => {
    const text = cell === false ? 'no' : cellText(cell);
    return text === '' ? [] : [[name, text] as const];
  });
  const width = Math.max(0, ...shown.map(([name]) => stringWidth(name)));
  const room = layout.width - INDENT.length - width - GAP.length;
  return shown
    .flatMap(([name, text]) =>
      /^https?:\S+$/.test(text) && text.length > room
        ? [INDENT + name, text]
        : wrapText(text, room).map(
            (line, i) => INDENT + pad(i === 0 ? name : '', width) + GAP + line,
          ),
    )
    .join('\n');
}

interface Entry {
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

/** Wraps each line of a text. */
export const wrapLines = (text: string, layout: Layout) =>
  text
    .split('\n')
    .flatMap((line) => wrapText(line, layout.width))
    .join('\n');

/** Joins the non-empty parts with an empty line in between. */
export const paragraphs = (...parts: string[]) => parts.filter(Boolean).join('\n\n');

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
