/** Reads amounts as people and spreadsheets write them. Pure. */
import { truncateInput } from '../../../base/text/words.ts';

/** Largest amount. Sums of larger amounts would lose digits. */
const MAX_AMOUNT = 1e12;

/** How the numbers of a column are written */
export interface NumberForm {
  /** Decimal mark */
  mark: '.' | ',';
  isPercent: boolean;
  /** Whether a point between three digits may also be the decimal point of a number that a program stored */
  hasStoredNumbers: boolean;
}

export const US_NUMBERS: NumberForm = { mark: '.', isPercent: false, hasStoredNumbers: false };

interface ReadNumber {
  value: number;
  isPercent: boolean;
  /** The dash that accountants write for zero */
  isDash: boolean;
}

/** Most cells of large files. Reading them this way is ten times as fast. */
const SIMPLE = /^-?\$?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/;
/** Longer texts aren't numbers, and take long to examine. */
const MAX_LENGTH = 60;

/** Spaces may be between thousands: `1 234 567`. */
const DIGITS = {
  '.': /^(?=\.?\d)(?:\d+|\d{1,3}(?:,\d{3})+|\d{1,3}(?: \d{3})+)?(?:\.\d*)?(?:e[-+]?\d+)?$/i,
  ',': /^(?=,?\d)(?:\d+|\d{1,3}(?:\.\d{3})+|\d{1,3}(?: \d{3})+)?(?:,\d*)?(?:e[-+]?\d+)?$/i,
};

const CURRENCY = String.raw`(?:U\.?S\.? ?\$|USD(?: ?\$)?|\$(?: ?USD)?)`;
/** What may stand around the digits, and how it changes them */
const AROUND: readonly [
  pattern: RegExp,
  kind: 'minus' | 'parentheses' | 'plus' | 'dollars' | 'percent',
][] = [
  [/^\((.*)\)$/, 'parentheses'],
  [/^-(.*)$/, 'minus'],
  [/^(.*)-$/, 'minus'],
  [/^\+(.*)$/, 'plus'],
  [new RegExp(`^${CURRENCY}(.*)$`, 'i'), 'dollars'],
  [new RegExp(`^(.*?)${CURRENCY}$`, 'i'), 'dollars'],
  [/^(.*)%$/, 'percent'],
];

const INVISIBLE = /[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g;
const DASHES = /[\u2010-\u2015\u2212\uFE58\uFE63\uFF0D]/g;

/** Removes what spreadsheets add to a text: invisible characters, `="…"`, and the apostrophe that marks text. */
const unwrap = (given: string) =>
  given
    .replaceAll(INVISIBLE, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^=? ?"(.*)"$/, '$1')
    .replace(/^['’]/, '')
    .trim();

/**
 * Reads `1,234.50`, `$1,200`, `1,200 USD`, `1 200`, `1.2E+05`, and `12%`. Negative numbers have a minus before or after
 * them, or parentheses: `-$5`, `$-5`, `5-`, `$(5.00)`. Accountants write zero as `$-`.
 * @returns null for any other text
 */
export function readNumber(given: string, mark: NumberForm['mark'] = '.'): ReadNumber | null {
  if (SIMPLE.test(given) && mark === '.') {
    return { value: Number(given.replaceAll(/[$,]/g, '')) || 0, isPercent: false, isDash: false };
  }
  if (given.length > MAX_LENGTH) return null;
  const written = unwrap(given);
  let digits = written.replaceAll(DASHES, '-');
  const found = { minus: 0, parentheses: 0, plus: 0, dollars: 0, percent: 0 };
  for (;;) {
    const match = AROUND.flatMap(([pattern, kind]) => {
      const [, inner] = pattern.exec(digits) ?? [];
      return inner === undefined ? [] : [{ inner: inner.trim(), kind }];
    })[0];
    if (match === undefined) break;
    found[match.kind]++;
    digits = match.inner;
  }
  const { minus, parentheses, plus, dollars, percent } = found;
  const isPercent = percent > 0;
  if (minus + parentheses + plus > 1 || dollars > 2 || percent > 1 || dollars * percent > 0) {
    return null;
  }
  if (digits === '') {
    // Without a currency, a longer dash may also stand for a missing amount.
    const isZero = minus === 1 && !isPercent && (dollars > 0 || written === '-');
    return isZero ? { value: 0, isPercent, isDash: true } : null;
  }
  if (!DIGITS[mark].test(digits)) return null;
  const plain = digits.replaceAll(mark === '.' ? /[, ]/g : /[. ]/g, '').replace(',', '.');
  // The exponent is exact, unlike a division. Spreadsheets compute percentages such as -5.55e-15%.
  const value =
    isPercent && !/e/i.test(plain) ? Number(`${plain}e-2`) : Number(plain) / (isPercent ? 100 : 1);
  return { value: (minus + parentheses > 0 ? -value : value) || 0, isPercent, isDash: false };
}

/** Returns an amount, or a sentence that says why the cell isn't one. */
export function readAmount(given: string, form: NumberForm = US_NUMBERS): number | string {
  const number = readInForm(given, form);
  if (number === null) return whyNoAmount(given.trim(), form);
  const { value, isPercent } = number;
  if (isPercent !== form.isPercent && value !== 0) {
    const cell = truncateInput(given.trim());
    return isPercent
      ? `“${cell}” is a percentage, not an amount.`
      : `“${cell}” isn’t a percentage, as the others in its column are.`;
  }
  return Math.abs(value) <= MAX_AMOUNT ? value : 'Amounts can’t exceed a trillion.';
}

/** Reads a number. In a column with decimal commas, `12.5` can only have a decimal point. */
function readInForm(given: string, { mark, hasStoredNumbers }: NumberForm): ReadNumber | null {
  const number = readNumber(given, mark);
  if (mark === '.') return number;
  const withPoint = readNumber(given, '.');
  const isEither = number !== null && withPoint !== null && number.value !== withPoint.value;
  return isEither && hasStoredNumbers && !given.includes(',') ? null : (number ?? withPoint);
}

/** What a formula has whose result wasn't saved: its own text */
export const isFormula = (cell: string) => /^\s*=\s*[^"\s]/.test(cell);
export const NO_RESULT =
  'The result of this formula wasn’t saved. Open the file in a spreadsheet program, save it, and upload it again.';

/** Texts that aren't amounts, and what to do about them */
const REASONS: readonly [pattern: RegExp, reason: string][] = [
  [/^#[A-Z/0!?_]+$/, 'is the error of a formula. Correct the formula.'],
  [
    /^[^\w\s]*[-\u2010-\u2015\u2212]+$/,
    'may mean zero or nothing. Write 0, or leave the cell empty.',
  ],
  [
    /[€£¥₹₩₱₪]|(?:^|[^a-z])(?:eur|gbp|cad|aud|nzd|mxn|jpy|chf|inr|cny)(?:[^a-z]|$)|(?:^|[^a-z])(?!us)[a-z]{1,3}\$/i,
    'isn’t in US dollars. Convert its column to US dollars.',
  ],
  [
    /^[^a-z]*\d\s?(?:k|m|mm|mio|mil|bn?|thousand|million|billion)$/i,
    'is shortened. Write the whole number.',
  ],
  [
    /\d\s?(?:cr|dr)\.?$|^(?:cr|dr)\.?\s?\S*\d/i,
    'is a credit or a debit. Write a minus before the amounts to subtract.',
  ],
  [
    /^-?\d+:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[ap]m)?$/i,
    'may be a time of day, or hours and minutes. Write hours as a number, such as 12.5.',
  ],
  [/^[-+(]+ ?\$? ?[-+(]+|^[-+(].*\d.*[-+]$/, 'has several signs. Write one minus, or parentheses.'],
];

function whyNoAmount(cell: string, { mark }: NumberForm): string {
  if (cell === '') return 'The amount is missing.';
  if (isFormula(cell)) return NO_RESULT;
  const given = `“${truncateInput(cell)}”`;
  if (mark === '.' && readNumber(cell, ',') !== null) {
    return `${given} has a decimal comma. Choose to read its column with decimal commas.`;
  }
  if (mark === ',' && readNumber(cell, ',') !== null) {
    return `${given} may have a decimal point, or a point between thousands. Store it as a number.`;
  }
  const [, reason] = REASONS.find(([pattern]) => pattern.test(cell)) ?? [];
  return `${given} ${reason ?? 'isn’t a number.'}`;
}

export interface NumberColumn {
  /** Whether at least half of the cells with text are numbers */
  isNumeric: boolean;
  /** Whether at least half of the numbers are percentages */
  isPercent: boolean;
  /** Some amounts have decimal commas, and fewer have decimal points: then, it isn't numeric as it stands */
  hasDecimalCommas: boolean;
  /** The first cell with a decimal comma */
  example: string;
  /** Whether all marks are before three digits, such as in `1,234`: between thousands, or of decimals */
  hasEither: boolean;
}

/**
 * Finds out how the numbers of a column are written.
 * @param cells those with text
 * @param mark the decimal mark to read them with
 */
export function describeNumbers(
  cells: readonly string[],
  mark: NumberForm['mark'] = '.',
): NumberColumn {
  let [numbers, percents, dashes, commas, points, either] = [0, 0, 0, 0, 0, 0];
  let example = '';
  for (const cell of cells) {
    const withPoint = readNumber(cell, '.');
    const withComma = readNumber(cell, ',');
    const number = mark === '.' ? withPoint : (withComma ?? withPoint);
    if (number?.isDash) dashes++;
    else if (number !== null) numbers++;
    if (number?.isPercent) percents++;
    if (withPoint === null && withComma !== null) {
      commas++;
      example ||= cell;
    } else if (withPoint !== null && withComma === null) points++;
    else if (withPoint?.value !== withComma?.value) either++;
  }
  const half = (cells.length - dashes) / 2;
  const isHalf = (count: number) => count > 0 && count >= half;
  const hasDecimalCommas = commas > 0 && commas >= points && isHalf(commas + numbers);
  return {
    isNumeric: isHalf(numbers) && (mark === ',' || !hasDecimalCommas),
    isPercent: percents > 0 && 2 * percents >= numbers,
    hasDecimalCommas,
    example,
    hasEither: either > 0 && commas === 0 && points === 0,
  };
}
