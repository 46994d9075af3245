import { Readable } from 'node:stream';

/**
 * Streams a long text as it is made, as fast as the client reads. Waits for the first piece: an
 * error before it sets the response's status; a later one ends the response early.
 */
export async function streamText(pieces: AsyncGenerator<string>): Promise<Readable> {
  const first = await pieces.next();
  return Readable.from(
    (async function* () {
      if (!first.done) yield first.value;
      yield* pieces;
    })(),
    { objectMode: false },
  );
}
