/**
 * Where a label wraps: MapLibre's rule, which picks the breaks that leave the lines least ragged
 * (its `symbol/shaping.ts`, after Knuth and Plass).
 */

/** Badness and penalties are in MapLibre's layout units. */
const UNITS_PER_EM = 24;

const BREAKS_AFTER = new Set('\n &)+-/\u00ad\u00b7\u200b\u2010\u2013\u2027');

interface Break {
  /** Index of the first character of the next line */
  index: number;
  /** Width of all text before it */
  x: number;
  previous: Break | null;
  badness: number;
}

/** Splits a text into lines; `widthEm` measures a piece of it, which begins at `start`. */
export function breakLines(
  text: string,
  maxWidthEm: number,
  widthEm: (piece: string, start: number) => number,
): string[] {
  const opportunities = breakOpportunities(text);
  const widths = opportunities.map((end, i) => {
    const start = opportunities[i - 1] ?? 0;
    const piece = text.slice(start, end);
    const blank = piece.length - piece.trimStart().length;
    return widthEm(piece.trim(), start + blank) * UNITS_PER_EM;
  });
  const totalWidth = widthEm(text, 0) * UNITS_PER_EM;
  const lineCount = Math.max(1, Math.ceil(totalWidth / (maxWidthEm * UNITS_PER_EM)));
  const target = totalWidth / lineCount;

  const breaks: Break[] = [];
  let x = 0;
  for (const [i, index] of opportunities.entries()) {
    x += widths[i]!;
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

/** Ends of the pieces that may stand at the end of a line; the last is the text's own end. */
function breakOpportunities(text: string): number[] {
  const ends: number[] = [];
  for (let i = 1; i < text.length; i++) {
    if (BREAKS_AFTER.has(text[i - 1]!) || text[i] === '(') ends.push(i);
  }
  ends.push(text.length);
  return ends;
}

function penaltyAt(text: string, index: number): number {
  // A newline forces a break.
  if (text[index - 1] === '\n') return -10_000;
  return (text[index - 1] === '(' ? 50 : 0) + (text[index] === ')' ? 50 : 0);
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
