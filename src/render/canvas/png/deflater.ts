/** The WebAssembly that `assembly/index.ts` compiles to. */
import { KERNELS } from './compiled-kernels.ts';
import { DISTANCES, LENGTHS } from './kernel-memory.ts';

/** The exports of `assembly/index.ts`, which documents them */
export interface Deflater {
  readonly memory: WebAssembly.Memory;
  begin(
    width: number,
    channels: number,
    filter: number,
    blockRows: number,
    copiedRows: number,
    outputBytes: number,
  ): number;
  beginBlock(): void;
  findMatches(rows: number): void;
  appendBits(bits: number, bitCount: number): void;
  appendRows(): void;
  alignOutput(): void;
  endOfOutput(): number;
  checksum(): number;
}

let deflater: Deflater | undefined;

/** Only one picture can be encoded at a time. */
export function loadDeflater(): Deflater {
  deflater ??= new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(KERNELS, 'base64')))
    .exports as Deflater;
  return deflater;
}

/** Numbers about symbols, valid until the memory grows */
interface SymbolTable {
  /** By byte of a pixel, or filter type */
  bytes: Uint32Array;
  /** By length of a match in pixels */
  lengths: Uint32Array;
  /** By symbol of a distance */
  distances: Uint32Array;
}

/** @param start `COUNTS` or `CODES` */
export function symbolTable({ memory: { buffer } }: Deflater, start: number): SymbolTable {
  return {
    bytes: new Uint32Array(buffer, start, 256),
    lengths: new Uint32Array(buffer, start + LENGTHS, 87),
    distances: new Uint32Array(buffer, start + DISTANCES, 30),
  };
}
