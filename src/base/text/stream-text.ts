import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

/**
 * Streams a long text while it is being made, as fast as the client reads. Waits for the first piece, so
 * that an earlier error can set the response's status; a later error ends the response early. Other
 * requests run between the pieces, so making a piece shouldn't take more than 20 ms.
 */
export async function streamText(pieces: AsyncGenerator<string>): Promise<Readable> {
  const first = await pieces.next();
  const body = Readable.from(
    (async function* () {
      if (!first.done) yield first.value;
      for await (const piece of pieces) {
        yield piece;
        await setImmediate();
      }
    })(),
    { objectMode: false },
  );
  // If a client left before reading anything, the loop above hasn't started and won't end the pieces.
  body.once('close', () => void pieces.return(null).catch(() => {}));
  return body;
}
