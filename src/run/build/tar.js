/** Files in tar archives. */

/** Tar files consist of blocks. Two empty blocks mark the end. */
const BLOCK_BYTES = 512;

/** The files of a tar archive: names, and their bytes with the header. */
export function* entries(tar) {
  for (let start = 0; tar[start] !== 0;) {
    const text = (from, bytes) =>
      tar.toString('latin1', start + from, start + from + bytes).replace(/\0.*$/s, '');
    const contentBytes = Number.parseInt(text(124, 12), 8);
    const end = start + BLOCK_BYTES * (1 + Math.ceil(contentBytes / BLOCK_BYTES));
    yield { name: text(0, 100), bytes: tar.subarray(start, end) };
    start = end;
  }
}

/** An archive of these files. */
export const packed = (files) =>
  Buffer.concat([...files.map(({ bytes }) => bytes), Buffer.alloc(2 * BLOCK_BYTES)]);
