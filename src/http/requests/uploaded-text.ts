/** The text of a file that somebody has sent, whatever program has written it. */
import { badRequest } from '../../errors.ts';

/** @throws ServiceError 400 for what is no text */
export async function readUploadedText(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const [a, b] = bytes;
  if (a === 0x50 && b === 0x4b) {
    throw badRequest('This is an Excel workbook or a ZIP archive: save it as CSV and send that.');
  }
  const text = decoded(bytes);
  if (!text.includes('\0')) return text;
  throw badRequest('The file is no text: a list, a table (CSV) or GeoJSON is expected.');
}

/** UTF-8; UTF-16 where it begins with its mark, as Excel's; else what Windows has used for CSV. */
function decoded(bytes: Uint8Array): string {
  const [a, b] = bytes;
  if (a === 0xff && b === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (a === 0xfe && b === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
