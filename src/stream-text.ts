import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

/**
 * Streams a long text as it is made, as fast as the client reads. Waits for the first piece: an
 * error before it sets the response's status; a later one ends the response early. Other requests run
 * between the pieces, so a piece shouldn't take more than 20 ms to make.
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
  // A client that left before it read anything has not started the loop above, which would end the pieces.
  body.once('close', () => void pieces.return(null).catch(() => {}));
  return body;
}
