/** Tells the format of a file by its content. */
import { badRequest } from '../../errors.ts';
import { truncateInput } from '../../lists/finding.ts';
import { joinFirst } from '../../text/words.ts';
import { decodeStream } from '../../text/decode-stream.ts';
import { geoJsonRows } from './geojson-rows.ts';
import { notGeoJson } from './feature-texts.ts';
import type { RowSource } from './read-rows.ts';
import { textRows } from './text-rows.ts';
import type { UploadOptions } from './types.ts';
import { workbookRows } from './workbook-rows.ts';

/** The first bytes of ZIP archives, such as workbooks, and of the files of old Microsoft programs */
const ARCHIVE = Buffer.from('PK\u0003\u0004');
const OLD_OFFICE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
/** The name of the content of a workbook with a password */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

/** Properties that only later features have, to name */
const MAX_LATE = 20;

/** @throws ServiceError 400 for any other format, or a workbook without rows */
export async function openSource(
  chunks: AsyncIterable<Uint8Array>,
  { sheet }: UploadOptions,
): Promise<RowSource> {
  const bytes = await peek(chunks, OLD_OFFICE.length);
  if (bytes.start.subarray(0, ARCHIVE.length).equals(ARCHIVE)) {
    return workbookRows(await collect(bytes.all), sheet);
  }
  if (bytes.start.subarray(0, OLD_OFFICE.length).equals(OLD_OFFICE)) {
    throw badRequest(
      (await collect(bytes.all)).includes(ENCRYPTED)
        ? 'The workbook is protected with a password. Remove the password, and upload it again.'
        : 'The file is of an old Excel version (.xls). Save it as an Excel workbook (.xlsx) or CSV.',
    );
  }
  const texts = await peekText(decodeStream(bytes.all));
  const source = { sheets: [], note: '' };
  if (texts.first === '{') {
    const late = new Set<string>();
    const keep = (name: string) => late.size < MAX_LATE && late.add(truncateInput(name));
    return {
      ...{ sheets: [], format: 'geojson', isHeaded: true },
      rows: geoJsonRows(texts.all, keep),
      get note() {
        if (late.size === 0) return '';
        const names = joinFirst(
          [...late].map((name) => `“${name}”`),
          5,
        );
        return `Left out ${names}, which the first features don’t have.`;
      },
    };
  }
  if (texts.first === '[') throw notGeoJson();
  if (texts.first === '<') {
    throw badRequest(
      'This looks like XML or HTML. Upload CSV, an Excel workbook (.xlsx), or GeoJSON instead.',
    );
  }
  return { ...source, format: 'csv', isHeaded: false, rows: textRows(texts.all) };
}

/** Reads the first bytes. @returns them, perhaps with others, and all chunks, which include them */
async function peek(chunks: AsyncIterable<Uint8Array>, bytes: number) {
  const source = chunks[Symbol.asyncIterator]();
  let start: Buffer = Buffer.alloc(0);
  while (start.length < bytes) {
    const next = await source.next();
    if (next.done) break;
    start = Buffer.concat([start, next.value]);
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    if (start.length > 0) yield start;
    yield* { [Symbol.asyncIterator]: () => source };
  }
  return { start, all: all() };
}

/** Returns the first character that isn't a space, and all texts. */
async function peekText(texts: AsyncGenerator<string>) {
  const start: string[] = [];
  let first: string | undefined;
  while (first === undefined) {
    const next = await texts.next();
    if (next.done) break;
    start.push(next.value);
    first = next.value.trimStart()[0];
  }
  async function* all(): AsyncGenerator<string> {
    yield* start;
    yield* texts;
  }
  return { first, all: all() };
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}
