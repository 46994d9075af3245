/** Takes exact numbers of bytes from a stream of chunks. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Returns the next bytes, or null at the end. @throws Error if the stream ends before enough bytes */
  async take(length: number): Promise<Buffer | null> {
    if (this.#rest.length < length) {
      const parts = [this.#rest];
      let have = this.#rest.length;
      while (have < length) {
        const { done, value } = await this.#chunks.next();
        if (done) {
          if (have === 0) return null;
          throw new Error('File size of .shp or .dbf: the content ends early');
        }
        parts.push(value);
        have += value.length;
      }
      this.#rest = Buffer.concat(parts, have);
    }
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return taken;
  }

  /** Whether `length` bytes are available without waiting. */
  holds(length: number): boolean {
    return this.#rest.length >= length;
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}
