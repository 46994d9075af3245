/** Decodes a text that arrives in parts, in the encodings of spreadsheets. */
import { isAscii } from 'node:buffer';
import { badRequest } from '../errors.ts';
import { utf16Of } from './decode-text.ts';

/**
 * Decodes parts of a text. The result is the same however the bytes are divided. The first character that isn't ASCII
 * decides between UTF-8 and Windows-1252, because the rest hasn't arrived.
 * @throws ServiceError 400 if the file isn't text
 */
export async function* decodeStream(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let held: Uint8Array = new Uint8Array();
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  let isStart = true;
  const decode = (bytes: Uint8Array, isEnd: boolean): string => {
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
    if (!text.includes('\0')) return text;
    throw badRequest('The file isn’t text. Upload CSV, an Excel workbook (.xlsx), or GeoJSON.');
  };
  for await (const part of parts) {
    const text = decode(held.length > 0 ? Buffer.concat([held, part]) : part, false);
    if (text !== '') yield text;
  }
  const rest = decode(held, true);
  if (rest !== '') yield rest;
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
