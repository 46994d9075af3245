/** The fields, words, numbers, and operators of the filter language (`filter.ts`), and their meaning. Pure. */

/** A field of a filter */
export type FilterField = {
  /** In lower case. The first one is suggested */
  names: readonly string[];
} & (
  | {
      kind: 'number';
      unit: 'count' | 'percent' | 'dollars';
      value: (zip: number) => number;
      /** For a change: whether it is more than its margin of error */
      isClear?: (zip: number) => boolean;
    }
  /** Whether the change that was named last is clear: `change of households >= 5% and clear` */
  | { kind: 'clear' }
  /** ZIP codes that brands share have several values. */
  | {
      kind: 'text';
      values: (zip: number) => readonly string[];
      /** The values of all ZIP codes. Without them, any value may be meant */
      known?: () => readonly string[];
    }
  | { kind: 'flag'; has: (zip: number) => boolean }
  /**
   * A number that depends on a name: `miles from "Lone Star" <= 10`. Null for an unknown name. Case doesn't
   * matter
   */
  | {
      kind: 'number of';
      unit: 'count';
      /** The known names */
      known: readonly string[];
      valueOf: (name: string) => ((zip: number) => number) | null;
    }
  /** A field without values, and the reason */
  | { kind: 'missing'; why: string }
);

/** What a filter lacks at a position, for suggestions */
export type Expected =
  | { kind: 'field' }
  | { kind: 'and' }
  | { kind: 'operator'; of: 'number' | 'text' }
  | { kind: 'value'; field: FilterField };

/** A problem in a filter's text, and its position */
export class FilterProblem extends Error {
  readonly at: number;
  readonly expected: Expected | undefined;

  constructor(message: string, at: number, expected?: Expected) {
    super(message);
    this.at = at;
    this.expected = expected;
  }
}

type Kind = 'number' | 'word' | 'quoted' | 'operator' | 'end';

export interface Token {
  kind: Kind;
  text: string;
  at: number;
}

/**
 * A word may begin with a prefix (`data:2025`) or with digits, as short names of data sets do (`2025-jobs`), if it has
 * a letter and a hyphen.
 */
const TOKENS =
  /\s*(?:(?<word>[\p{L}][\p{L}\p{N}'’.:-]*|(?=[\d-]*\p{L})\d[\p{L}\p{N}]*(?:-[\p{L}\p{N}]+)+)|(?<number>[-−]?\$?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:%|[km]\b)?)|"(?<quoted>[^"]*)"|(?<operator>>=|<=|=>|=<|!=|<>|==|&&|\|\||[<>=≥≤≠()!,&|])|(?<end>$))/iuy;

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKENS.lastIndex = 0;
  for (;;) {
    const from = TOKENS.lastIndex;
    const match = TOKENS.exec(text);
    if (!match) {
      const at = from + /^\s*/.exec(text.slice(from))![0].length;
      if (text[at] === '"') throw new FilterProblem('A quotation mark is missing at the end.', at);
      throw new FilterProblem(`Remove "${text[at]}". Filters can’t contain it.`, at);
    }
    const [kind, value] = Object.entries(match.groups!).find(([, one]) => one !== undefined) as [
      Kind,
      string,
    ];
    const at = from + match[0].length - value.length - (kind === 'quoted' ? 2 : 0);
    tokens.push({ kind, text: value, at });
    if (kind === 'end') return tokens;
  }
}

const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '=': (a, b) => a === b,
  '!=': (a, b) => a !== b,
};

const SPELLINGS: Readonly<Record<string, string>> = {
  '≥': '>=',
  '=>': '>=',
  '≤': '<=',
  '=<': '<=',
  '≠': '!=',
  '<>': '!=',
  '==': '=',
};

/** Returns the sign of an operator, in its usual spelling. */
export const signOf = ({ text }: Token) => SPELLINGS[text] ?? text;

export const comparisonOf = (token: Token) =>
  token.kind === 'operator' ? COMPARISONS[signOf(token)] : undefined;

const FACTORS: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 };

/** `60%`, `$250k`, `1,200`. Shares are stored in percent, so `60` has the same meaning there. */
export function valueOf(
  { text, at }: Token,
  { names, unit }: { names: readonly string[]; unit: 'count' | 'percent' | 'dollars' },
): number {
  const last = text.at(-1)!.toLowerCase();
  if (last === '%' && unit !== 'percent') {
    throw new FilterProblem(`"${names[0]}" isn’t a share. Leave out the percent sign.`, at);
  }
  return Number(text.replace('−', '-').replaceAll(/[$,%km]/gi, '')) * (FACTORS[last] ?? 1);
}
