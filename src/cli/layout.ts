/** Width and colors of text output, on a terminal or through a pipe. */
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
