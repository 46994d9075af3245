import type { OutStream } from '../layout.ts';

/** Environment and streams of the process. Tests pass their own. */
export interface ProcessIo {
  env: Record<string, string | undefined>;
  in: AsyncIterable<string | Buffer>;
  out: OutStream;
  err: OutStream;
}
