/** The filter language: `score >= 80 and owners >= 60%`, `city = "Fort Worth" or not unassigned`. Pure. */
import {
  comparisonOf,
  FilterProblem,
  type Expected,
  type FilterField,
  signOf,
  tokensOf,
  valueOf,
  type Token,
} from './filter-tokens.ts';

/**
 * @returns whether a ZIP code matches, by number
 * @throws FilterProblem
 */
export function parseFilter(
  text: string,
  fields: readonly FilterField[],
): (zip: number) => boolean {
  const test = new Parser(text, fields).parse();
  return (zip) => test(zip) === true;
}

const AND = new Set(['and', '&', '&&']);
const OR = new Set(['or', '|', '||']);
const NOT = new Set(['not', '!']);
/** Words that end a name or a text without quotation marks */
const KEYWORDS = new Set(['and', 'or', 'not', 'in', 'between', 'contains']);

/** Kinds of tokens in names of fields */
const IN_NAMES: ReadonlySet<string> = new Set(['word', 'number', 'quoted']);

class Parser {
  readonly #tokens: Token[];
  readonly #fields: readonly FilterField[];
  #next = 0;
  /** The change that was named last */
  #change: NumberField | undefined;

  constructor(text: string, fields: readonly FilterField[]) {
    this.#tokens = tokensOf(text);
    this.#fields = fields;
  }

  parse(): Test {
    if (this.#isAtEnd()) throw this.#missing('Enter a condition: score >= 80', FIELD);
    const test = this.#or();
    if (this.#isAtEnd()) return test;
    throw this.#problem(`Connect conditions with "and" or "or" before "${this.#token.text}".`);
  }

  get #token(): Token {
    return this.#tokens[this.#next]!;
  }

  #isAtEnd(): boolean {
    return this.#token.kind === 'end';
  }

  #problem(message: string, { at } = this.#token, expected?: Expected) {
    return new FilterProblem(message, at, expected);
  }

  /** @param expected what is missing here */
  #missing(message: string, expected: Expected) {
    return this.#problem(message, this.#token, expected);
  }

  /** Takes the next token if it is one of these operators or words. */
  #take(texts: ReadonlySet<string>): boolean {
    const { kind, text } = this.#token;
    if ((kind !== 'operator' && kind !== 'word') || !texts.has(text.toLowerCase())) return false;
    this.#next++;
    return true;
  }

  #takeOnly(text: string): boolean {
    return this.#take(new Set([text]));
  }

  #or(): Test {
    const first = this.#and();
    if (!this.#take(OR)) return first;
    return either(first, this.#or());
  }

  #and(): Test {
    const first = this.#not();
    if (!this.#take(AND)) return first;
    return both(first, this.#and());
  }

  #not(): Test {
    return this.#take(NOT) ? opposite(this.#not()) : this.#condition();
  }

  #condition(): Test {
    if (this.#takeOnly('(')) {
      const test = this.#or();
      if (this.#takeOnly(')')) return test;
      throw this.#problem('A closing parenthesis is missing.');
    }
    return this.#token.kind === 'number' ? this.#range() : this.#comparison();
  }

  /** `80 <= score`, `60 <= score < 80` */
  #range(): Test {
    const lower = this.#token;
    this.#next++;
    const compareLower = this.#operator();
    const field = this.#numberField();
    const least = valueOf(lower, field);
    const above: Test = (zip) => testKnown(field.value(zip), (value) => compareLower(least, value));
    if (this.#token.kind !== 'operator' || !comparisonOf(this.#token)) return above;
    return both(above, this.#compare(field));
  }

  #comparison(): Test {
    const start = this.#token;
    const field = this.#field();
    switch (field.kind) {
      case 'missing':
        throw this.#problem(field.why, start);
      case 'flag':
        return (zip) => field.has(zip);
      case 'clear':
        return this.#clear(start);
      case 'text':
        return this.#matchText(field);
      case 'number':
        break;
    }
    if (this.#takeOnly('between')) {
      const least = this.#number(field);
      if (!this.#take(AND)) {
        throw this.#missing('Enter both limits: score between 60 and 80', { kind: 'and' });
      }
      const most = this.#number(field);
      return (zip) => testKnown(field.value(zip), (value) => value >= least && value <= most);
    }
    return this.#compare(field);
  }

  /** Tests whether the change that was named last is more than its margin of error. */
  #clear(start: Token): Test {
    const change = this.#change;
    if (!change) {
      throw this.#problem(
        'Name a change before "clear": change of households >= 5% and clear',
        start,
      );
    }
    return (zip) => testKnown(change.value(zip), () => change.isClear!(zip));
  }

  #compare(field: NumberField): Test {
    const compare = this.#operator(field.names[0]);
    const limit = this.#number(field);
    return (zip) => testKnown(field.value(zip), (value) => compare(value, limit));
  }

  #operator(name = 'score') {
    const compare = comparisonOf(this.#token);
    if (!compare) {
      const expected = { kind: 'operator', of: 'number' } as const;
      throw this.#missing(`Compare it with >=, <=, >, <, =, or !=: ${name} >= 80`, expected);
    }
    this.#next++;
    return compare;
  }

  #number(field: NumberField): number {
    const token = this.#token;
    if (token.kind !== 'number') {
      throw this.#missing(`Enter a number for ${field.names[0]}.`, { kind: 'value', field });
    }
    this.#next++;
    return valueOf(token, field);
  }

  #numberField(): NumberField {
    const start = this.#token;
    const field = this.#field();
    if (field.kind === 'missing') throw this.#problem(field.why, start);
    if (field.kind === 'number') return field;
    throw this.#problem(`"${field.names[0]}" isn’t a number.`, start);
  }

  /**
   * Takes the longest name that starts here: `home value` instead of `home`. Names of data sets may contain numbers, or
   * anything in quotation marks.
   */
  #field(): Exclude<FilterField, { kind: 'number of' }> {
    const start = this.#token;
    if (start.kind !== 'word' && start.kind !== 'quoted') {
      throw this.#missing('Enter a field to compare, such as score.', FIELD);
    }
    let words = '';
    let found: FilterField | undefined;
    let after = this.#next;
    for (let i = this.#next; IN_NAMES.has(this.#tokens[i]!.kind); i++) {
      words = `${words} ${this.#tokens[i]!.text.toLowerCase()}`.trimStart();
      const field = this.#fields.find(({ names }) => names.includes(words));
      if (!field) continue;
      found = field;
      after = i + 1;
    }
    if (!found) throw this.#unknownName(start);
    this.#next = after;
    if (found.kind === 'number' && found.isClear) this.#change = found;
    return found.kind === 'number of' ? this.#numberOf(found) : found;
  }

  #numberOf(field: Extract<FilterField, { kind: 'number of' }>): NumberField {
    const { names, unit, known, valueOf } = field;
    const start = this.#token;
    const name = this.#typedText(field);
    const value = valueOf(name);
    if (!value) {
      throw this.#problem(`There is no territory "${name}".${didYouMean(name, known)}`, start);
    }
    return { kind: 'number', names, unit, value };
  }

  #unknownName(start: Token): FilterProblem {
    const words = start.kind === 'quoted' ? start.text : this.#words();
    const names = this.#fields.flatMap((field) => field.names);
    const hint = didYouMean(words, names) || ' Press ↓ for a list.';
    return this.#problem(`There is no field "${words}".${hint}`, start);
  }

  #matchText(field: TextField): Test {
    const { names, values } = field;
    const matches = (test: (value: string) => boolean): Test => {
      return (zip) => values(zip).some((value) => test(value.toLowerCase()));
    };
    if (this.#takeOnly('in')) {
      const wanted = new Set(this.#list(field));
      return matches((value) => wanted.has(value));
    }
    if (this.#takeOnly('contains')) {
      const part = this.#text(field);
      return matches((value) => value.includes(part));
    }
    const operator = this.#token;
    const sign = signOf(operator);
    if (sign !== '=' && sign !== '!=') {
      const expected = { kind: 'operator', of: 'text' } as const;
      throw this.#missing(`Compare it with =, !=, in, or contains: ${names[0]} = Dallas`, expected);
    }
    this.#next++;
    const text = this.#knownText(field);
    const equal = matches((value) => value === text);
    return sign === '=' ? equal : (zip) => !equal(zip);
  }

  #list(field: TextField): string[] {
    const isClosed = this.#takeOnly('(');
    const list = [this.#knownText(field)];
    while (this.#takeOnly(',')) list.push(this.#knownText(field));
    if (isClosed && !this.#takeOnly(')')) throw this.#problem('A closing parenthesis is missing.');
    return list;
  }

  #text(field: TextField): string {
    return this.#typedText(field).toLowerCase();
  }

  /** Takes a value. One that no ZIP code has is a typing error if it resembles one that some have. */
  #knownText(field: TextField): string {
    const start = this.#token;
    const typed = this.#typedText(field);
    const known = field.known?.() ?? [];
    const text = typed.toLowerCase();
    if (known.every((one) => one.toLowerCase() !== text)) {
      const hint = didYouMean(typed, known);
      if (hint) throw this.#problem(`No ${field.names[0]} is "${typed}".${hint}`, start);
    }
    return text;
  }

  /** A text in quotation marks, a number, or words up to the next keyword (`Territory 2`) */
  #typedText(field: FilterField): string {
    const { kind, text } = this.#token;
    if (kind === 'quoted' || kind === 'number') {
      this.#next++;
      return text;
    }
    const words: string[] = [];
    for (let word = this.#words(); word !== ''; word = this.#wordOrNumber()) words.push(word);
    if (words.length === 0) {
      throw this.#missing('Enter a text, such as Dallas.', { kind: 'value', field });
    }
    return words.join(' ');
  }

  #wordOrNumber(): string {
    const { kind, text } = this.#token;
    if (kind !== 'number') return this.#words();
    this.#next++;
    return text;
  }

  #words(): string {
    const words: string[] = [];
    for (; this.#token.kind === 'word'; this.#next++) {
      if (KEYWORDS.has(this.#token.text.toLowerCase())) break;
      words.push(this.#token.text);
    }
    return words.join(' ');
  }
}

type NumberField = Extract<FilterField, { kind: 'number' }>;
type TextField = Extract<FilterField, { kind: 'text' }>;

const FIELD: Expected = { kind: 'field' };

/**
 * Null is unknown, as in SQL: a comparison with an unknown figure is unknown, and so is its opposite. A ZIP code
 * without a score matches neither `score >= 80` nor `not score >= 80`.
 */
type Truth = boolean | null;
type Test = (zip: number) => Truth;

const either =
  (first: Test, second: Test): Test =>
  (zip) => {
    const [a, b] = [first(zip), second(zip)];
    if (a === true || b === true) return true;
    return a === null || b === null ? null : false;
  };

const both =
  (first: Test, second: Test): Test =>
  (zip) => {
    const [a, b] = [first(zip), second(zip)];
    if (a === false || b === false) return false;
    return a === null || b === null ? null : true;
  };

const opposite =
  (test: Test): Test =>
  (zip) => {
    const truth = test(zip);
    return truth === null ? null : !truth;
  };

/** @param value NaN if unknown */
const testKnown = (value: number, test: (value: number) => boolean): Truth =>
  Number.isNaN(value) ? null : test(value);

/** Returns a question about a similar name, with a space before it; empty without one. */
function didYouMean(typed: string, names: readonly string[]): string {
  const similar = nearest(typed, names);
  return similar === undefined ? '' : ` Did you mean "${similar}"?`;
}

/** Returns the name with the fewest typing errors, if there are few. */
function nearest(typed: string, names: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(typed.length / 3));
  let best: string | undefined;
  let least = most + 1;
  for (const name of names) {
    const errors = typingErrors(typed.toLowerCase(), name.toLowerCase());
    if (errors >= least) continue;
    least = errors;
    best = name;
  }
  return best;
}

/** Levenshtein distance */
function typingErrors(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(
        Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)),
      );
    }
    row = next;
  }
  return row[b.length]!;
}
