/** What texts for people are written on: a terminal, or a pipe or file in its place. */
import type { Writable } from 'node:stream';
import { styleText } from 'node:util';

export type OutStream = Writable & { isTTY?: boolean; columns?: number };

export interface Paper {
  /** Columns of a line */
  width: number;
  /** Colours a text where colours show: on a terminal, subject to NO_COLOR and FORCE_COLOR */
  paint(look: Parameters<typeof styleText>[0], text: string): string;
}

/** Where there is no terminal: that of the first ones */
const DEFAULT_WIDTH = 80;
/** Longer lines are hard to read. */
const MAX_WIDTH = 100;

export function paperOf(stream: OutStream): Paper {
  return {
    width: Math.min(stream.columns || DEFAULT_WIDTH, MAX_WIDTH),
    paint: (look, text) => styleText(look, text, { stream }),
  };
}

/** @returns once it is written; a reader that hung up has what it wanted */
export function write(stream: OutStream, data: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(data, (error) => {
      if (!error || (error as NodeJS.ErrnoException).code === 'EPIPE') resolve();
      else reject(error);
    });
  });
}
