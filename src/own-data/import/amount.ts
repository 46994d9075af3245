/** Reads amounts as people and spreadsheets write them. Pure. */
import { truncateInput } from '../../lists/finding.ts';

/** Largest amount. Sums of larger amounts would lose digits. */
const MAX_AMOUNT = 1e12;

/** Matches `12`, `-3.5`, `1,234.50`, `$1,200`, `-$5`, and `1.2E+05`. */
const NUMBER = /^[-+]?\$?\s?(?=\.?\d)(\d+|\d{1,3}(,\d{3})+)?(\.\d+)?(e[-+]?\d+)?$/i;
/** Accountants write negative amounts as `(1,234.50)` or `1,234.50-`. */
const NEGATIVE = /^\(([^()+-]+)\)$|^([^()+-]+)-$/;

/** Returns a number, or null for any other text, such as `12%`. */
export function readNumber(given: string): number | null {
  const text = given.trim().replaceAll('\u2212', '-');
  const [, inParentheses, beforeMinus] = NEGATIVE.exec(text) ?? [];
  const negated = (inParentheses ?? beforeMinus)?.trim();
  if (!NUMBER.test(negated ?? text)) return null;
  const value = Number((negated ?? text).replaceAll(/[$,\s]/g, ''));
  return (negated === undefined ? value : -value) || 0;
}

/** Returns an amount, or a sentence that says why the cell isn't one. */
export function readAmount(given: string): number | string {
  const value = readNumber(given);
  if (value === null) {
    const cell = given.trim();
    if (cell === '') return 'The amount is missing.';
    return cell.endsWith('%')
      ? `“${truncateInput(cell)}” is a percentage, not an amount.`
      : `“${truncateInput(cell)}” isn’t a number.`;
  }
  return Math.abs(value) <= MAX_AMOUNT ? value : 'Amounts can’t exceed a trillion.';
}
