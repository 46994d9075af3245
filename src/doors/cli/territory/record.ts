/** Prints any record: its facts, then its lists as tables. */
import { joinFirst } from '../../../base/text/words.ts';
import type { Layout } from '../layout.ts';
import { minuteOf } from '../names.ts';
import { formatFacts, formatTable, paragraphs, type Cell, type Columns } from '../table.ts';
import { isRecord } from './json.ts';

/** `expiresAt` as `Expires at` */
function labelOf(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const label = words[0]!.toUpperCase() + words.slice(1);
  return label
    .replace(/\burl\b/i, 'URL')
    .replace(/\bzips?\b/i, (word) => (word.endsWith('s') ? 'ZIP codes' : 'ZIP'));
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** Returns a value as a cell. A record with a name is shown by it. */
function cellOf(value: unknown): Cell {
  if (Array.isArray(value))
    return value.length === 0 ? 'none' : joinFirst(value.map((one) => String(cellOf(one))));
  if (isRecord(value)) return String(value['name'] ?? Object.values(value).join(', '));
  if (typeof value === 'string' && TIME.test(value)) return `${minuteOf(value)} UTC`;
  return value as Cell;
}

/** Largest number of fields of a record that its name stands for */
const NAMED = 3;

export function formatRecord(record: Record<string, unknown>, layout: Layout): string {
  // Brands and the like are named in one line.
  const isTable = (value: unknown) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((one) => isRecord(one) && Object.keys(one).length > NAMED);
  const members = Object.entries(record);
  const facts = members.filter(([, value]) => !isTable(value));
  const tables = members.filter(([, value]) => isTable(value)) as [
    string,
    Record<string, unknown>[],
  ][];
  return paragraphs(
    formatFacts(
      layout,
      Object.fromEntries(facts.map(([name, value]) => [labelOf(name), cellOf(value)])),
    ),
    ...tables.map(([, rows]) => formatTable(layout, rows, columnsOf(rows[0]!))),
  );
}

const columnsOf = (row: Record<string, unknown>): Columns<Record<string, unknown>> =>
  Object.fromEntries(
    Object.keys(row).map((name) => [`${labelOf(name)}?`, (one) => cellOf(one[name])]),
  );
