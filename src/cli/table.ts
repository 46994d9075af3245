/** Tables and lists in a terminal, aligned by the columns that texts take on a screen. */
import stringWidth from 'string-width';
import type { Paper } from './paper.ts';

export interface Column<Row> {
  heading: string;
  cell(row: Row): string;
  /** Figures stand at the right of their column. */
  right?: boolean;
  /** It may be left out where lines are too short: the highest first */
  spare?: number;
}

const INDENT = '  ';
const GAP = '  ';

/** Headings, then a line for each row, in columns as far as there is room; nothing without rows. */
export function table<Row>(
  paper: Paper,
  columns: Column<NoInfer<Row>>[],
  rows: readonly Row[],
): string {
  if (rows.length === 0) return '';
  const text = wholeTable(paper, columns, rows);
  const spare = Math.max(...columns.map((column) => column.spare ?? 0));
  const width = Math.max(...text.split('\n').map((line) => stringWidth(line)));
  if (width <= paper.width || spare === 0) return text;
  const kept = columns.filter((column) => column.spare !== spare);
  return table(paper, kept, rows);
}

function wholeTable<Row>(paper: Paper, columns: Column<Row>[], rows: readonly Row[]): string {
  const headings = columns.map(({ heading }) => heading);
  const cells = rows.map((row) => columns.map((column) => column.cell(row)));
  const widths = columns.map((_, i) =>
    Math.max(...[headings, ...cells].map((texts) => stringWidth(texts[i]!))),
  );
  const line = (texts: string[]) =>
    (
      INDENT + texts.map((text, i) => padded(text, widths[i]!, columns[i]!.right)).join(GAP)
    ).trimEnd();
  return [paper.paint('dim', line(headings)), ...cells.map(line)].join('\n');
}

export interface Entry {
  /** Stands before the name: a figure, a method */
  mark: string;
  name: string;
  note: string;
}

/** For sentences, for which a table has no room: each beneath the name of what it is about. */
export function entries(paper: Paper, heading: string, list: readonly Entry[]): string {
  if (list.length === 0) return '';
  const width = Math.max(...list.map(({ mark }) => stringWidth(mark)));
  const before = INDENT + ' '.repeat(width) + GAP;
  const lines = list.flatMap(({ mark, name, note }) => [
    INDENT + padded(mark, width, true) + GAP + name,
    ...wrapped(note, paper.width - before.length).map((part) => before + paper.paint('dim', part)),
  ]);
  return [paper.paint('dim', INDENT + heading), ...lines].join('\n');
}

function padded(text: string, width: number, right = false): string {
  const space = ' '.repeat(width - stringWidth(text));
  return right ? space + text : text + space;
}

/** Broken between words into lines of at most so many columns; a longer word keeps its line. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && stringWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
