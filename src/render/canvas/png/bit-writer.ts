import { KeptMemory } from './kept-memory.ts';

const memory = new KeptMemory();

/** Writes bits, the lowest of a byte first (RFC 1951, section 3.1.1). Only one writer can be in use. */
export class BitWriter {
  private readonly view: DataView;
  /** Number of bytes that are full */
  private length = 0;
  /** The bits after these bytes, and their number: at most 7 */
  private pending = 0;
  private pendingBits = 0;

  constructor(maxBytes: number) {
    this.view = new DataView(memory.acquire(maxBytes));
  }

  /** @param count at most 24. Four bytes are written, whatever the count is. */
  write(bits: number, count: number): void {
    const pending = this.pending | (bits << this.pendingBits);
    const pendingBits = this.pendingBits + count;
    this.view.setInt32(this.length, pending, true);
    this.length += pendingBits >>> 3;
    this.pending = pending >>> (pendingBits & 24);
    this.pendingBits = pendingBits & 7;
  }

  /** @param code `bits << 5 | number of bits` */
  writeCode(code: number): void {
    this.write(code >>> 5, code & 31);
  }

  /**
   * Fills the last byte with zeros, and appends a number with the highest byte first. Returns all bytes,
   * which are valid until the next writer.
   */
  finish(checksum: number): Buffer {
    if (this.pendingBits > 0) this.length++;
    this.view.setUint32(this.length, checksum);
    return Buffer.from(this.view.buffer, 0, this.length + 4);
  }
}
