import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { streamText } from '../../../src/base/text/stream-text.ts';

/** Records its steps and its end, like a generator that holds a reservation of units. */
function watchedPieces() {
  const seen: string[] = [];
  async function* pieces() {
    try {
      for (const piece of ['one', 'two', 'three']) {
        seen.push(piece);
        yield piece;
      }
    } finally {
      seen.push('released');
    }
  }
  return { seen, pieces: pieces() };
}

it('A text is streamed in order, and its generator ends', async () => {
  const { seen, pieces } = watchedPieces();
  expect(await text(await streamText(pieces))).toBe('onetwothree');
  expect(seen).toEqual(['one', 'two', 'three', 'released']);
});

it('The generator of a text ends when the client disconnects before the first piece is sent', async () => {
  const { seen, pieces } = watchedPieces();
  const body = await streamText(pieces);
  body.destroy();
  await once(body, 'close');
  await expect.poll(() => seen).toEqual(['one', 'released']);
});

it('The generator of a text ends when the client disconnects after the first piece', async () => {
  const { seen, pieces } = watchedPieces();
  const body = await streamText(pieces);
  const read = body[Symbol.asyncIterator]();
  await read.next();
  body.destroy();
  await expect.poll(() => seen.at(-1)).toBe('released');
});

it('An error before the first piece is thrown, and a later one ends the stream', async () => {
  async function* failing(before: boolean) {
    if (before) throw new Error('at once');
    yield 'one';
    throw new Error('later');
  }
  await expect(streamText(failing(true))).rejects.toThrow('at once');
  await expect(text(await streamText(failing(false)))).rejects.toThrow('later');
});
