/** Turns the bytes of a file into rows or features. Its content tells its format. */
import { badRequest, ServiceError } from '../../errors.ts';
import { joinFirst } from '../text/words.ts';
import { decodeStream, READABLE } from './decode.ts';
import { formatOf, type Format } from './formats.ts';
import { geoJsonFeatures, notGeoJson, RECORD_SEPARATOR } from './geojson.ts';
import { textRows, type Row, type Table } from './rows.ts';
import { isHidden, shapefilesAmong, whyUnreadable } from './shapefile/parts.ts';
import { UploadedArchive } from './uploaded-archive.ts';
import { bytesInMemory } from './zip-archive.ts';

export interface Features {
  format: 'geojson' | 'kml' | 'shapefile';
  /** Sentences on what is read, or left out */
  note: string;
  /** As in the file: members of GeoJSON's features may be anything */
  features: AsyncIterable<unknown[]>;
}

interface OpenOptions {
  /** Sheet of a workbook. Default: the first visible one with a table */
  sheet?: string | undefined;
  /** Whether the first rows of a sheet have a table. Default: whether several rows have several cells */
  isTable?: (rows: readonly Row[]) => boolean;
  /** Further cells of a workbook's row are left out, except for one, which tells that there are more. */
  maxColumns?: number;
}

/** The name of the content of a workbook with a password */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');
const HEAD_BYTES = 16;
/** Number of characters in which the first element of KML starts, and of spaces before */
const HEAD_LENGTH = 1_000;
const MAX_HEAD_LENGTH = 1_000_000;
/** Of the archive's files that are read as a whole */
const MAX_PART_BYTES = 200 * 1024 * 1024;

/**
 * Opens a list of ZIP codes, CSV, TSV, an Excel workbook, GeoJSON, KML, KMZ, or a zipped shapefile. Texts are read as
 * they arrive.
 * @throws ServiceError 400 for any other format, saying what to do
 */
export async function openFile(
  chunks: AsyncIterable<Uint8Array>,
  options: OpenOptions = {},
): Promise<Table | Features> {
  const { start, all } = await peek(chunks);
  if (start.toString('latin1', 0, 2) === 'PK' && start[2]! < 9) {
    return openArchive(await UploadedArchive.open(await collect(all)), options);
  }
  const format = start[0] === LESS_THAN ? undefined : formatOf(start);
  if (format?.extensions.includes('.xls') && (await collect(all)).includes(ENCRYPTED)) {
    throw badRequest(
      'The workbook is protected with a password. Remove the password, and try again.',
    );
  }
  if (format) throw unreadable(format);
  const texts = await peekText(decodeStream(all));
  const isSequence = texts.start.startsWith(RECORD_SEPARATOR);
  if (isSequence || texts.start.startsWith('{')) {
    return {
      format: 'geojson',
      note: isSequence ? 'Read as a GeoJSON sequence.' : '',
      features: geoJsonFeatures(texts.all),
    };
  }
  if (texts.start.startsWith('[')) throw notGeoJson();
  if (/^<(?:kml\b|[^]{0,1000}<kml\b)/.test(texts.start)) return openKml(texts.all);
  if (texts.start.startsWith('<')) throw badRequest(`This looks like XML or HTML. ${READABLE}`);
  let delimiter = '';
  return {
    format: 'csv',
    sheets: [],
    note: '',
    isHeaded: false,
    hasStoredNumbers: false,
    rows: textRows(texts.all, (found) => (delimiter = found)),
    get hasSemicolons() {
      return delimiter === ';';
    },
  };
}

/** Opens a file in memory. Its rows come in pieces, so that too many are refused early. @throws ServiceError as `openFile` */
export const openBytes = (bytes: Uint8Array, options?: OpenOptions): Promise<Table | Features> =>
  openFile(bytesInMemory(Buffer.from(bytes)).stream(0, bytes.length), options);

const LESS_THAN = 0x3c;

const unreadable = ({ what, extensions }: Format) =>
  extensions.includes('.xls') ? notWorkbook(what) : badRequest(`The file is ${what}. ${READABLE}`);

const isSeveralRows = (rows: readonly Row[]) =>
  rows.filter(({ cells }) => cells.filter((cell) => cell.trim() !== '').length > 1).length > 1;

async function openArchive(
  archive: UploadedArchive,
  { sheet, isTable = isSeveralRows, maxColumns = 1_000 }: OpenOptions,
): Promise<Table | Features> {
  const names = archive.names.filter((name) => !isHidden(name));
  const has = (pattern: RegExp) => archive.names.some((name) => pattern.test(name));
  if (has(/(^|\/)Index(\.zip|\/.*\.iwa)$/)) throw notWorkbook('a Numbers spreadsheet');
  if (has(/^xl\/workbook\.bin$/)) throw notWorkbook('a binary Excel workbook (.xlsb)');
  if (has(/^content\.xml$/)) throw notWorkbook('an OpenDocument file');
  if (archive.has('[Content_Types].xml') && has(/^xl\//)) {
    const { openSheet } = await import('./workbook/workbook.ts');
    return openSheet(archive, sheet, isTable, maxColumns);
  }
  const kml =
    names.find((name) => name === 'doc.kml') ?? names.find((name) => /\.kml$/i.test(name));
  if (kml !== undefined) return openKml(decodeStream(archive.read(kml, MAX_PART_BYTES)));
  const shapefiles = shapefilesAmong(names, (name) => archive.read(name, MAX_PART_BYTES));
  const [parts, ...others] = shapefiles;
  if (parts === undefined) {
    throw badRequest(
      'The ZIP archive contains neither a workbook, KML, nor a shapefile. Unpack it, and use one of its files.',
    );
  }
  if (others.length > 0) {
    throw badRequest(
      `The ZIP archive has several shapefiles: ${joinFirst(shapefiles.map(({ shp }) => shp))}. Keep one of them.`,
    );
  }
  const notes: string[] = [];
  const { shapefileFeatures } = await import('./shapefile/dataset.ts');
  try {
    const features = await shapefileFeatures(parts, (note) => notes.push(`${note}.`));
    return { format: 'shapefile', note: notes.join(' '), features: one(features) };
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    throw badRequest(`The shapefile can’t be read: ${whyUnreadable(cause)}`, { cause });
  }
}

const notWorkbook = (what: string) =>
  badRequest(`The file is ${what}. Export it as an Excel workbook (.xlsx) or CSV.`);

async function openKml(texts: AsyncIterable<string>): Promise<Features> {
  let text = '';
  for await (const part of texts) text += part;
  const { kmlFeatures } = await import('./kml.ts');
  return { format: 'kml', note: '', features: one(kmlFeatures(text.trimStart())) };
}

async function* one<T>(element: T): AsyncGenerator<T> {
  yield element;
}

/** Reads the first bytes. @returns them, perhaps with others, and all chunks, which include them */
async function peek(chunks: AsyncIterable<Uint8Array>) {
  const source = chunks[Symbol.asyncIterator]();
  let start: Buffer = Buffer.alloc(0);
  while (start.length < HEAD_BYTES) {
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

/** Returns the start of the text without spaces, and all of it. */
async function peekText(texts: AsyncGenerator<string>) {
  let start = '';
  while (start.length < MAX_HEAD_LENGTH && start.trimStart().length < HEAD_LENGTH) {
    const next = await texts.next();
    if (next.done) break;
    start += next.value;
  }
  async function* all(): AsyncGenerator<string> {
    yield start;
    yield* texts;
  }
  return { start: start.trimStart(), all: all() };
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}
