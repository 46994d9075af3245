/** Reads byte ranges of an archive, from a file or from a server, and notices when the archive is replaced. */
import { open, stat } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import type { Source } from 'pmtiles';
import { networkFailure, splitCredentials } from '../../base/outside/ask-server.ts';
import { exchange } from '../../base/outside/exchange.ts';

export interface ByteRanges extends Source {
  /** Size of the archive; Infinity while its server doesn't say */
  readonly bytes: number;
  /** Whether another archive has taken its place. @throws Error if the server doesn't answer */
  isReplaced(): Promise<boolean>;
  close(): Promise<void>;
}

/** Time for a read: a map waits at most a second for its streets. */
const READ_MS = 800;
/** A range larger than any tile or directory is a sign of damage. */
const MAX_RANGE_BYTES = 32 << 20;

/**
 * @param address a path, or a URL, whose user and password are sent as Basic authentication
 * @throws Error if it can't be read
 */
export const openByteRanges = (address: string): Promise<ByteRanges> =>
  isUrl(address) ? openUrl(address) : openFile(address);

export const isUrl = (address: string) => /^https?:\/\//.test(address);

/** Returns an address for logs and messages, without the password and the query of a URL, which may contain a key. */
export function publicAddress(address: string): string {
  if (!isUrl(address)) return address;
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}

/**
 * Returns how many bytes of a range an archive has: the first read asks for more than a small archive has.
 *
 * @throws Error for a range that only a damaged archive names
 */
function lengthWithin(total: number, offset: number, length: number): number {
  const isPossible = offset >= 0 && offset <= total && length >= 0 && length <= MAX_RANGE_BYTES;
  if (!isPossible) throw new Error(`it names ${length} bytes at ${offset}`);
  return Math.min(length, total - offset);
}

/** The bytes can't be read now. Other errors of an archive mean that it's damaged. */
export class UnreadableError extends Error {
  override name = 'UnreadableError';
}

async function openFile(path: string): Promise<ByteRanges> {
  const file = await open(path);
  const opened = await file.stat();
  const isSame = ({ ino, dev, size, mtimeMs }: Stats) =>
    ino === opened.ino && dev === opened.dev && size === opened.size && mtimeMs === opened.mtimeMs;
  return {
    bytes: opened.size,
    getKey: () => path,
    async getBytes(offset, length) {
      const wanted = lengthWithin(opened.size, offset, length);
      const data = new Uint8Array(wanted);
      try {
        const { bytesRead } = await file.read(data, 0, wanted, offset);
        // A file that is written in place has another time afterwards.
        if (bytesRead < wanted || !isSame(await file.stat())) throw replaced();
      } catch (error) {
        throw error instanceof UnreadableError ? error : unreadable(error as Error);
      }
      return { data: data.buffer };
    },
    // A file that was deleted can still be read.
    isReplaced: () =>
      stat(path).then(
        (now) => !isSame(now),
        () => false,
      ),
    close: () => file.close(),
  };
}

async function openUrl(url: string): Promise<ByteRanges> {
  const first = await readFrom(url, 0, 1);
  return {
    bytes: first.total,
    getKey: () => url,
    async getBytes(offset, length) {
      const wanted = lengthWithin(first.total, offset, length);
      const { data, identity } = await readFrom(url, offset, wanted);
      // The first read asks for more than a small archive has. If its size is unknown, the server cuts the range.
      if (data.byteLength < wanted && (offset > 0 || first.total < Infinity)) throw otherPart();
      if (identity !== first.identity) throw replaced();
      return { data };
    },
    isReplaced: async () => (await readFrom(url, 0, 1)).identity !== first.identity,
    close: () => Promise.resolve(),
  };
}

interface Part {
  data: ArrayBuffer;
  /** Size of the archive; Infinity if the server doesn't say */
  total: number;
  /** Differs for another archive */
  identity: string;
}

async function readFrom(url: string, offset: number, length: number): Promise<Part> {
  const range = `bytes=${offset}-${offset + length - 1}`;
  const address = splitCredentials(url);
  try {
    // A part that the server compresses would have another length.
    const init = { headers: { ...address.headers, Range: range, 'Accept-Encoding': 'identity' } };
    // A server that ignores the range sends the whole archive. One byte more shows that it did.
    const limits = { ms: READ_MS, bytes: length + 1, rest: 'cut' as const };
    const { status, headers, bytes, stopped } = await exchange(address.url, init, limits);
    if (status !== 206) {
      throw new UnreadableError(
        status === 200
          ? 'its server ignores range requests: use one that supports them'
          : status === 416
            ? `it is cut off: it ends before byte ${offset}`
            : `its server answers with status ${status}`,
      );
    }
    if (stopped) throw stopped;
    // A server may not know the size of what it sends: `bytes 0-99/*` (RFC 9110, 14.4).
    const [, start, end, total] =
      /^bytes (\d+)-(\d+)\/(\d+|\*)$/i.exec(headers.get('content-range') ?? '') ?? [];
    const isPart = Number(start) === offset && bytes.length === Number(end) - offset + 1;
    if (!isPart || bytes.length > length) throw otherPart();
    const identity = `${headers.get('etag') ?? headers.get('last-modified')} ${total}`;
    const data = new Uint8Array(bytes).buffer;
    return { data, total: total === '*' ? Infinity : Number(total), identity };
  } catch (error) {
    throw error instanceof UnreadableError ? error : unreadable(networkFailure(error));
  }
}

const otherPart = () => new UnreadableError('its server sends another part than requested');
const unreadable = (cause: Error) => new UnreadableError(cause.message, { cause });
const replaced = () => new UnreadableError('it was replaced while it was read');
