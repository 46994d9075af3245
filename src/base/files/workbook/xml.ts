/** Parses the XML files of a workbook, part by part. */
import { Parser } from 'saxen';
import { badRequest } from '../../../errors.ts';
import type { UploadedArchive } from '../uploaded-archive.ts';

/**
 * Number of parts of the archive without an element, which is several times the longest text of a cell. The parser reads
 * a longer text again with each part.
 */
const MAX_QUIET_PARTS = 16;

export interface Handlers {
  open(name: string, attributes: () => Record<string, string>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Parses a file of the archive. Yields after each part of it. */
export async function* parsing(
  archive: UploadedArchive,
  path: string,
  maxBytes: number,
  handlers: Handlers,
): AsyncGenerator<void> {
  const parser = new Parser();
  // Some programs write a prefix before each name.
  const local = (name: string) => name.slice(name.indexOf(':') + 1);
  let quietParts = 0;
  parser.on('openTag', (name, attributes, decode) => {
    quietParts = 0;
    handlers.open(local(name), () => {
      const given = attributes();
      for (const key in given) given[key] = decode(given[key]!);
      return given;
    });
  });
  if (handlers.text) {
    parser.on('text', (text, decode) => handlers.text!(decode(text)));
    parser.on('cdata', (text) => handlers.text!(text));
  }
  if (handlers.close) parser.on('closeTag', (name) => handlers.close!(local(name)));
  let problem: Error | null = null;
  parser.on('error', (error) => (problem ??= error));
  const decoder = new TextDecoder();
  for await (const part of archive.read(path, maxBytes)) {
    parser.write(decoder.decode(part, { stream: true }));
    if (++quietParts > MAX_QUIET_PARTS) problem ??= new Error('A text is too long');
    if (problem !== null) break;
    yield;
  }
  if (problem === null) parser.end();
  yield;
  if (problem === null) return;
  throw badRequest(
    'The workbook is damaged. Open it in a spreadsheet program, and save it again.',
    { cause: problem },
  );
}

export async function parseXml(...given: Parameters<typeof parsing>): Promise<void> {
  for await (const _ of parsing(...given));
}

/** Returns the index of the column in a reference such as `AB12`. */
export function columnOf(reference: string | undefined): number | undefined {
  if (reference === undefined) return undefined;
  let column = 0;
  for (let i = 0; i < reference.length; i++) {
    const letter = reference.charCodeAt(i) - 64;
    if (letter < 1 || letter > 26) break;
    column = 26 * column + letter;
  }
  return column === 0 ? undefined : column - 1;
}
