/** Suggests what can follow in a filter: fields, operators, values, and words that connect conditions. Pure. */
import { parseFilter } from './filter.ts';
import { FilterProblem, type FilterField } from './filter-tokens.ts';

export interface Suggestion {
  /** Replaces the typed part */
  text: string;
  /** What it means; empty if the text says it */
  detail: string;
}

export interface Suggestions {
  /** Start of the typed part, which a suggestion replaces */
  from: number;
  list: readonly Suggestion[];
}

/** Largest number of suggestions */
const MOST = 8;
/** Longest typed part: `household income`, `Fort Worth`, in words */
const MOST_WORDS = 4;

const OPERATORS: Readonly<Record<'number' | 'text', readonly Suggestion[]>> = {
  number: [
    { text: '>=', detail: 'at least' },
    { text: '<=', detail: 'at most' },
    { text: '>', detail: 'more than' },
    { text: '<', detail: 'less than' },
    { text: '=', detail: 'exactly' },
    { text: 'between', detail: 'with "and" between two limits' },
  ],
  text: [
    { text: '=', detail: 'is' },
    { text: '!=', detail: 'isn’t' },
    { text: 'in', detail: 'is one of several, with commas' },
    { text: 'contains', detail: 'has a part' },
  ],
};

const CONNECTIVES: readonly Suggestion[] = [
  { text: 'and', detail: 'both' },
  { text: 'or', detail: 'either' },
];

const KINDS: Readonly<Record<Exclude<FilterField['kind'], 'missing'>, string>> = {
  number: 'number',
  'number of': 'miles',
  text: 'name',
  flag: 'yes or no',
  clear: 'the change before it is more than its margin of error',
};

/**
 * Returns suggestions for the end of a text. The typed part may be several words of a name, so the longest one that
 * continues to something known is taken.
 * @param zips numbers of the market's ZIP codes, for the values of fields
 */
export function suggest(
  text: string,
  fields: readonly FilterField[],
  zips: Iterable<number>,
): Suggestions {
  const starts = startsOfParts(text);
  for (const from of starts) {
    const typed = text.slice(from).replace(/^"/, '').toLowerCase();
    const list = following(text.slice(0, from), fields, zips).filter((one) =>
      isContinued(typed, one.text),
    );
    if (list.length > 0) return { from, list: list.slice(0, MOST) };
  }
  return { from: text.length, list: [] };
}

const bare = (text: string) => text.replaceAll('"', '').toLowerCase();

/** Whether the text, or a word in it, begins with what was typed and goes on */
function isContinued(typed: string, text: string): boolean {
  const whole = bare(text);
  if (typed === '') return true;
  return whole !== typed && (whole.startsWith(typed) || whole.includes(` ${typed}`));
}

/** Returns where the last words of a text begin, the longest part first, and its end. */
function startsOfParts(text: string): number[] {
  const words = [...text.matchAll(/"[^"]*$|[^\s(),"]+/g)];
  const isOpen = words.at(-1) !== undefined && !/[\s(),]$/.test(text);
  const starts = isOpen ? words.slice(-MOST_WORDS).map(({ index }) => index) : [];
  return [...starts, text.length];
}

/** Returns everything that can follow a beginning. */
function following(
  beginning: string,
  fields: readonly FilterField[],
  zips: Iterable<number>,
): readonly Suggestion[] {
  try {
    parseFilter(beginning, fields);
    return beginning.trim() === '' ? namesOf(fields, beginning) : CONNECTIVES;
  } catch (error) {
    if (!(error instanceof FilterProblem)) throw error;
    const { expected } = error;
    // A mistake before the end has its own message.
    if (!expected || error.at < beginning.trimEnd().length) return [];
    switch (expected.kind) {
      case 'field':
        return namesOf(fields, beginning);
      case 'and':
        return CONNECTIVES.slice(0, 1);
      case 'operator':
        return OPERATORS[expected.of];
      case 'value':
        return valuesOf(expected.field, zips);
    }
  }
}

/** @param beginning only after a change, it makes sense to ask whether it is clear */
function namesOf(fields: readonly FilterField[], beginning: string): Suggestion[] {
  const hasChange = /\bchange\b/i.test(beginning);
  return fields.flatMap((field) =>
    field.kind === 'missing' || (field.kind === 'clear' && !hasChange)
      ? []
      : { text: fieldName(field.names[0]!), detail: KINDS[field.kind] },
  );
}

/** Values: names by how many ZIP codes have them, or numbers that divide the ZIP codes */
function valuesOf(field: FilterField, zips: Iterable<number>): Suggestion[] {
  if (field.kind === 'number of')
    return field.known.map((name) => ({ text: quoted(name), detail: '' }));
  if (field.kind === 'text') {
    const counts = new Map<string, number>();
    for (const zip of zips)
      for (const value of field.values(zip)) counts.set(value, (counts.get(value) ?? 0) + 1);
    counts.delete('');
    return [...counts]
      .sort(([, a], [, b]) => b - a)
      .map(([name, count]) => ({ text: quoted(name), detail: count.toLocaleString('en-US') }));
  }
  if (field.kind !== 'number') return [];
  const known = Array.from(zips, field.value)
    .filter((value) => !Number.isNaN(value))
    .sort((a, b) => a - b);
  if (known.length === 0) return [];
  return [0.5, 0.75, 0.25].map((part) => ({
    text: String(Math.round(known[Math.floor(part * (known.length - 1))]!)),
    detail: part === 0.5 ? 'the median' : `${100 * (1 - part)}% of ZIP codes have more`,
  }));
}

/** Returns a name as filters read it: in quotation marks unless it is a single word. */
const quoted = (name: string) =>
  /^(?!(?:and|or|not|in|between|contains)$)\p{L}[\p{L}\p{N}:-]*$|^\d+$/iu.test(name)
    ? name
    : `"${name}"`;

/** Fields may have several words without quotation marks. */
const fieldName = (name: string) => (/^\p{L}[\p{L} ]*$/u.test(name) ? name : quoted(name));
