/** Width and colors of text output, on a terminal or through a pipe, and bars. */
import type { Writable } from 'node:stream';
import { styleText } from 'node:util';

export type OutStream = Writable & { isTTY?: boolean; columns?: number };

export interface Layout {
  /** Columns per line */
  width: number;
  /** Colors text if the stream shows colors. NO_COLOR and FORCE_COLOR apply. */
  paint(format: Parameters<typeof styleText>[0], text: string): string;
}

/** Width if the output isn't a terminal */
const DEFAULT_WIDTH = 80;
/** Largest width, because longer lines are hard to read */
const MAX_WIDTH = 100;

export function layoutOf(stream: OutStream): Layout {
  return {
    width: Math.min(stream.columns || DEFAULT_WIDTH, MAX_WIDTH),
    paint: (format, text) => styleText(format, text, { stream }),
  };
}

/** Writes data. A reader that stops early, such as `head`, isn't an error. */
export function write(stream: OutStream, data: string | Uint8Array): Promise<boolean> {
  return new Promise((resolve, reject) => {
    stream.write(data, (error) => {
      if (!error || (error as NodeJS.ErrnoException).code === 'EPIPE') resolve(!error);
      else reject(error);
    });
  });
}

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
