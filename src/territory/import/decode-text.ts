/** Decodes imported files in common encodings. */
import { badRequest } from '../../errors.ts';

/** @throws ServiceError 400 if the file isn't text */
export function decodeText(bytes: Uint8Array): string {
  const [a, b] = bytes;
  if (a === 0x50 && b === 0x4b) {
    throw badRequest(
      'The file is an Excel workbook, a KMZ file, or another ZIP archive. Save it as CSV or KML, and upload that file.',
    );
  }
  const text = decode(bytes);
  if (!text.includes('\0')) return text;
  throw badRequest('The file isn’t text. Upload a list, a CSV table, GeoJSON, or KML.');
}

/** Decodes UTF-16 with a byte order mark, as from Excel, then UTF-8, and else Windows-1252, as in old CSV files. */
function decode(bytes: Uint8Array): string {
  const [a, b] = bytes;
  if (a === 0xff && b === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (a === 0xfe && b === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
