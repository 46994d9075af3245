/** Bars for a terminal. */
import type { Layout } from './layout.ts';

const BAR_CELLS = 10;

/** Returns a bar such as `━━━━━━━───` for a score of 0 to 100, or an empty string without a score. */
export function scoreBar(layout: Layout, score: number | null | undefined): string {
  if (score === null || score === undefined) return '';
  const filled = Math.round((score / 100) * BAR_CELLS);
  return (
    layout.paint('cyan', '━'.repeat(filled)) + layout.paint('dim', '─'.repeat(BAR_CELLS - filled))
  );
}

const LONGEST_BAR_CELLS = 40;

/** Returns a bar of a chart. Any value above 0 gets at least one cell. */
export const lengthBar = (layout: Layout, value: number, largest: number) =>
  layout.paint('cyan', '━'.repeat(Math.ceil((value / largest) * LONGEST_BAR_CELLS)));
