/** Decodes texts of people, in the encodings of spreadsheets: UTF-8, UTF-16, and Windows-1252. */
import { isAscii } from 'node:buffer';
import { badRequest } from '../../errors.ts';

/** What people can give where the content of a file is wanted, for messages */
export const READABLE =
  'Use a list, CSV, an Excel workbook (.xlsx), GeoJSON, KML, KMZ, or a zipped shapefile.';

/** Returns the byte order of UTF-16, by its byte order mark, or by the zeros of two ASCII characters. */
function utf16Of([a, b, c, d]: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if ((a === 0xff && b === 0xfe) || (a && b === 0 && c && d === 0)) return 'utf-16le';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b && c === 0 && d)) return 'utf-16be';
  return null;
}

/**
 * Decodes parts of a text. The result is the same however the bytes are divided. The first character that isn't ASCII
 * decides between UTF-8 and Windows-1252, because the rest hasn't arrived.
 * @throws ServiceError 400 if the file isn't text
 */
export async function* decodeStream(
  parts: AsyncIterable<Uint8Array> | readonly Uint8Array[],
): AsyncGenerator<string> {
  let held: Uint8Array = new Uint8Array();
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  let isStart = true;
  const decodePart = (bytes: Uint8Array, isEnd: boolean): string => {
    if (decoder === null) {
      const encoding = encodingOf(bytes, isStart, isEnd);
      if (encoding === 'unknown') {
        held = bytes;
        return '';
      }
      held = new Uint8Array();
      if (encoding !== 'ascii') decoder = new TextDecoder(encoding);
    }
    isStart = false;
    const text = decoder
      ? decoder.decode(bytes, { stream: !isEnd })
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    if (text.includes('\0')) throw badRequest(`The file isn’t text. ${READABLE}`);
    return text;
  };
  for await (const part of parts) {
    const text = decodePart(held.length > 0 ? Buffer.concat([held, part]) : part, false);
    if (text !== '') yield text;
  }
  const rest = decodePart(held, true);
  if (rest !== '') yield rest;
}

/** Decodes a whole text. @throws ServiceError as `decodeStream` */
export async function decodeText(bytes: Uint8Array): Promise<string> {
  let text = '';
  for await (const part of decodeStream([bytes])) text += part;
  return text;
}

/** Returns `unknown` if more bytes have to arrive first. */
function encodingOf(bytes: Uint8Array, isStart: boolean, isEnd: boolean) {
  if (isStart) {
    if (bytes.length < 4 && !isEnd) return 'unknown';
    const utf16 = utf16Of(bytes);
    if (utf16 !== null) return utf16;
  }
  if (isAscii(bytes)) return 'ascii';
  const at = bytes.findIndex((byte) => byte >= 0x80);
  const first = bytes[at]!;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (bytes.length < at + length && !isEnd) return 'unknown';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(at, at + length));
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}
