/**
 * Wraps labels with MapLibre's algorithm, which chooses the least ragged line breaks
 * (`symbol/tagged_string.ts`, after Knuth and Plass). Widths are in 1/24 em.
 */

const BREAKS_AFTER = new Set('\n\r &)+-/\u00ad\u00b7\u200b\u2010\u2013\u2027\ufffc');

/** Characters of scripts without spaces between words: a line may end after any of them. */
const IDEOGRAPHIC = new RegExp(
  '[\\p{Ideographic}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Bopomofo}\\p{Script=Yi}' +
    // Radicals, strokes, punctuation and its vertical forms, and full-width letters
    '\\u2e80-\\u2fdf\\u2ff0-\\u303f\\u31c0-\\u31ef\\u3200-\\u33ff\\ufe10-\\ufe1f\\ufe30-\\ufe4f\\uff00-\\uffef' +
    '\\u{16fe0}-\\u{16fff}\\u{1aff0}-\\u{1b16f}\\u{1f200}-\\u{1f2ff}]',
  'u',
);

interface Break {
  /** Index of the first character of the next line */
  index: number;
  /** Width of the text before the break */
  x: number;
  previous: Break | null;
  badness: number;
}

/** Splits a text into lines. `widthOf` measures a piece of the text that starts at index `start`. */
export function breakLines(
  text: string,
  maxWidth: number,
  widthOf: (piece: string, start: number) => number,
): string[] {
  const totalWidth = widthOf(text, 0);
  if (totalWidth > 0 && totalWidth <= maxWidth && !/[\n\r]/.test(text)) return [text.trim()];
  const target = totalWidth / Math.max(1, Math.ceil(totalWidth / maxWidth));

  const opportunities = breakOpportunities(text);
  const breaks: Break[] = [];
  let x = 0;
  for (const [i, index] of opportunities.entries()) {
    const start = opportunities[i - 1] ?? 0;
    const piece = text.slice(start, index);
    const blank = piece.length - piece.trimStart().length;
    x += widthOf(piece.trim(), start + blank);
    const isLast = i === opportunities.length - 1;
    breaks.push(bestBreak(index, x, target, breaks, isLast ? 0 : penaltyAt(text, index), isLast));
  }

  const lines: string[] = [];
  let end = text.length;
  for (let at = breaks.at(-1)?.previous ?? null; at !== null; at = at.previous) {
    lines.unshift(text.slice(at.index, end).trim());
    end = at.index;
  }
  lines.unshift(text.slice(0, end).trim());
  return lines;
}

/** Indexes at which a line may end; the last is the end of the text. */
function breakOpportunities(text: string): number[] {
  const ends: number[] = [];
  for (let i = 1; i < text.length; i++) {
    const before = text[i - 1]!;
    const opensBracket = text[i] === '(' && i + 1 < text.length;
    if (BREAKS_AFTER.has(before) || opensBracket || IDEOGRAPHIC.test(before)) ends.push(i);
  }
  ends.push(text.length);
  return ends;
}

function penaltyAt(text: string, index: number): number {
  const before = text[index - 1]!;
  // A newline forces a break.
  let penalty = before === '\n' || before === '\r' ? -10_000 : 0;
  // Zero-width spaces mark the better breaks in a text without spaces.
  if (IDEOGRAPHIC.test(before) && text.includes('\u200b')) penalty += 150;
  if (before === '(' || before === '\uff08') penalty += 50;
  if (text[index] === ')' || text[index] === '\uff09') penalty += 50;
  return penalty;
}

function bestBreak(
  index: number,
  x: number,
  target: number,
  earlier: readonly Break[],
  penalty: number,
  isLast: boolean,
): Break {
  let best: Break = { index, x, previous: null, badness: badness(x, target, penalty, isLast) };
  for (const previous of earlier) {
    const total = previous.badness + badness(x - previous.x, target, penalty, isLast);
    if (total <= best.badness) best = { index, x, previous, badness: total };
  }
  return best;
}

function badness(width: number, target: number, penalty: number, isLast: boolean): number {
  const raggedness = (width - target) ** 2;
  // A last line shorter than the others looks better than a longer one.
  if (isLast) return width < target ? raggedness / 2 : raggedness * 2;
  return raggedness + Math.abs(penalty) * penalty;
}
