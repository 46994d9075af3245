/** Long files, sent piece by piece. */
import { Readable } from 'node:stream';

/**
 * Sent as it is made, as fast as the client takes it. The first piece is waited for: what fails by
 * then is told by the answer's status, what fails later breaks the answer off.
 */
export async function streamed(pieces: AsyncGenerator<string>): Promise<Readable> {
  const first = await pieces.next();
  return Readable.from(
    (async function* () {
      if (!first.done) yield first.value;
      yield* pieces;
    })(),
    { objectMode: false },
  );
}
