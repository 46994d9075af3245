/**
 * Streams the records of a shapefile's parts. Sources: ESRI Shapefile Technical Description, July 1998;
 * dBASE III file format. The package `shapefile` also streams them, but reads a truncated file without an error. An
 * import must refuse such a file.
 */
import { textDecoder } from './encoding.ts';

/** Rows of attributes by name; null for a deleted row */
export type Row = Readonly<Record<string, unknown>> | null;

interface Table {
  /** Names */
  columns: readonly string[];
  rows: AsyncGenerator<Row>;
}

interface TableOptions {
  /** Content of the `.cpg` file, which names the encoding */
  cpg?: string | undefined;
  /** Receives a remark about the encoding */
  note?: (text: string) => void;
  /** Keep the spelling of names. Default: lower case */
  keepCase?: boolean;
}

/** Opens a `.dbf` table. */
export async function openTable(
  content: AsyncIterable<Buffer>,
  { cpg, note = () => {}, keepCase }: TableOptions = {},
): Promise<Table> {
  const reader = new ByteReader(content);
  const header = await reader.take(32);
  if (!header) throw new Error('File size of .dbf is 0');
  const rowBytes = header.readUInt16LE(10);
  const rowCount = header.readUInt32LE(4);
  const descriptors = (await reader.take(header.readUInt16LE(8) - 32))!;
  const decode = await textDecoder(cpg, header[29]!, note);
  const columns: { name: string; type: string; start: number; end: number }[] = [];
  let start = 1; // after the deletion mark
  for (let at = 0; at + 32 <= descriptors.length && descriptors[at] !== 0x0d; at += 32) {
    const spelled = textOf(decode, descriptors.subarray(at, at + 11));
    const name = keepCase ? spelled : spelled.toLowerCase();
    const type = String.fromCharCode(descriptors[at + 11]!);
    const end = start + descriptors[at + 16]!;
    columns.push({ name, type, start, end });
    start = end;
  }
  async function* rows(): AsyncGenerator<Row> {
    try {
      for (let i = 0; i < rowCount; i++) {
        const row = await reader.take(rowBytes);
        if (!row) throw new Error('File size of .dbf: rows are missing');
        yield row[0] === 0x2a
          ? null
          : Object.fromEntries(
              columns.map(({ name, type, start, end }) => [
                name,
                valueOf(type, row.subarray(start, end), decode),
              ]),
            );
      }
    } finally {
      await reader.close();
    }
  }
  return { columns: columns.map(({ name }) => name), rows: rows() };
}

type Decode = (bytes: Buffer) => string;

/** Text ends at a zero byte. */
const textOf = (decode: Decode, bytes: Buffer): string => {
  const end = bytes.indexOf(0);
  return decode(end < 0 ? bytes : bytes.subarray(0, end)).trim();
};

/** Numbers are text, except for the integers of FoxPro. */
function valueOf(type: string, bytes: Buffer, decode: Decode): unknown {
  if (type === 'I' && bytes.length === 4) return bytes.readInt32LE();
  const text = textOf(decode, bytes);
  if (!'NF'.includes(type)) return text;
  const number = Number.parseFloat(text.replace(',', '.'));
  return Number.isNaN(number) ? null : number;
}

/** The lines of a record: longitude, latitude, longitude, …; empty for a record without a shape */
export type Lines = readonly Float64Array[];

interface LineShapes {
  records: AsyncGenerator<Lines>;
}

/** PolyLine, PolyLineZ, and PolyLineM, which are identical up to the positions */
const LINE_TYPES = [3, 13, 23];

/** Opens a `.shp` file. Returns null if it contains shapes other than lines. */
export async function openLines(content: AsyncIterable<Buffer>): Promise<LineShapes | null> {
  const reader = new ByteReader(content);
  const header = await reader.take(100);
  if (!header || !LINE_TYPES.includes(header.readInt32LE(32))) {
    await reader.close();
    return null;
  }
  const totalBytes = 2 * header.readInt32BE(24);
  async function* records(): AsyncGenerator<Lines> {
    try {
      let at = 100;
      while (at < totalBytes) {
        const head = await reader.take(8);
        const bytes = head && 2 * head.readInt32BE(4);
        const record = bytes && (await reader.take(bytes));
        if (!record) throw new Error('File size of .shp: records are missing');
        at += 8 + bytes;
        yield linesOf(record);
      }
    } finally {
      await reader.close();
    }
  }
  return { records: records() };
}

function linesOf(record: Buffer): Lines {
  if (!LINE_TYPES.includes(record.readInt32LE(0))) return [];
  const partCount = record.readInt32LE(36);
  const pointCount = record.readInt32LE(40);
  const points = 44 + 4 * partCount;
  if (partCount < 0 || pointCount < 0 || points + 16 * pointCount > record.length) {
    throw new Error('File size of .shp: a record is damaged');
  }
  return Array.from({ length: partCount }, (_, part) => {
    const first = record.readInt32LE(44 + 4 * part);
    const next = part + 1 < partCount ? record.readInt32LE(48 + 4 * part) : pointCount;
    const line = new Float64Array(2 * Math.max(0, next - first));
    for (let i = 0; i < line.length; i++)
      line[i] = record.readDoubleLE(points + 16 * first + 8 * i);
    return line;
  });
}

/** Takes exact numbers of bytes from a stream of chunks. */
class ByteReader {
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
