/**
 * Keeps memory from one picture to the next. The system supplies new memory page by page, on first use, and
 * new memory makes garbage collection start earlier.
 */
export class KeptMemory {
  private kept = new ArrayBuffer(0);

  /** Returns memory with any contents, which is valid until the next call. Keeps up to 16 MB. */
  acquire(bytes: number): ArrayBuffer {
    if (bytes <= this.kept.byteLength) return this.kept;
    const memory = new ArrayBuffer(bytes);
    if (bytes <= MAX_BYTES) this.kept = memory;
    return memory;
  }
}

const MAX_BYTES = 16_777_216;
