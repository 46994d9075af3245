/** Decodes text files of people, in the encodings of spreadsheets. */
import { badRequest } from '../errors.ts';

/** @throws ServiceError 400 if the file isn't text */
export function decodeText(bytes: Uint8Array): string {
  const [a, b] = bytes;
  if (a === 0x50 && b === 0x4b) {
    throw badRequest(
      'The file is an Excel workbook, a KMZ file, or another ZIP archive. Save it as CSV or KML, and use that file.',
    );
  }
  const text = decode(bytes);
  if (!text.includes('\0')) return text;
  throw badRequest('The file isn’t text. Use a list, a CSV table, GeoJSON, or KML.');
}

/** Decodes UTF-16, as from Excel’s “Unicode text”, then UTF-8, and else Windows-1252, as in old CSV files. */
function decode(bytes: Uint8Array): string {
  const utf16 = utf16Of(bytes);
  if (utf16 !== null) return new TextDecoder(utf16).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Returns the byte order of UTF-16, by its byte order mark, or by the zeros of two ASCII characters. */
export function utf16Of([a, b, c, d]: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if ((a === 0xff && b === 0xfe) || (a && b === 0 && c && d === 0)) return 'utf-16le';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b && c === 0 && d)) return 'utf-16be';
  return null;
}
