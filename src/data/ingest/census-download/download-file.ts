/**
 * Downloads ZIP archives into a folder. Until an archive is complete and its checksums match, its content
 * is in a `.part` file, from which the next download continues.
 */
import { mkdir, open, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ImportError } from '../../../errors.ts';
import { isTemporaryStatus, retrying, TemporaryFailure, type Retries } from '../retry.ts';
import { bytesOfFile, readZipEntries, readZipEntry } from '../../../base/files/zip-archive.ts';

export interface DownloadOptions {
  retries?: Retries;
  /** Maximum time without data from the server */
  silenceMs?: number;
  /** Size limit of a file, in bytes */
  maxBytes?: number;
  /** Disk space to leave free, in bytes */
  spareBytes?: number;
}

/** `present`: downloaded earlier; `missing`: not on the server */
type Download = { outcome: 'downloaded' | 'present'; bytes: number } | { outcome: 'missing' };

const SILENCE_MS = 60_000;
/** The largest file, all ZCTAs in full detail, has 0.5 GB. */
const MAX_BYTES = 2 * 1024 ** 3;
const SPARE_BYTES = 1024 ** 3;

/**
 * Downloads an archive unless it exists in the folder. A file that isn't on the server is not an error.
 * @throws TemporaryFailure if the server fails repeatedly
 * @throws ImportError if the file is too large, the disk has no space for it, or the server refuses
 */
export async function downloadFile(
  url: string,
  file: string,
  options: DownloadOptions = {},
): Promise<Download> {
  const present = await completeSize(file);
  if (present !== null) return { outcome: 'present', bytes: present };
  await mkdir(dirname(file), { recursive: true });
  return retrying(() => attempt(url, file, options), options.retries);
}

/** Returns the size of an archive that was downloaded earlier, or null. */
async function completeSize(file: string): Promise<number | null> {
  const facts = await stat(file).catch(() => null);
  if (!facts) return null;
  // Its checksums matched after the download, but a copy made by hand may be truncated.
  const entries = await readZipEntries(bytesOfFile(file)).catch(() => []);
  return entries.length > 0 ? facts.size : null;
}

async function attempt(url: string, file: string, options: DownloadOptions): Promise<Download> {
  const part = `${file}.part`;
  // The server's ETag for this version of the file, so that parts of two versions are never joined.
  const tagFile = `${part}.tag`;
  const tag = await readFile(tagFile, 'utf8').catch(() => '');
  const have = tag ? ((await stat(part).catch(() => null))?.size ?? 0) : 0;
  const silence = new Silence(options.silenceMs ?? SILENCE_MS);
  try {
    const response = await fetch(url, {
      headers: {
        'accept-encoding': 'identity',
        ...(have > 0 ? { range: `bytes=${have}-`, 'if-range': tag } : {}),
      },
      signal: silence.signal,
    });
    if (response.status === 404) {
      await response.body?.cancel();
      return { outcome: 'missing' };
    }
    if (response.status === 416) {
      await discard(file);
      throw new TemporaryFailure('no longer has the rest of the file');
    }
    if (!response.ok) throw await statusFailure(url, response);
    const continues = response.status === 206 && rangeStart(response) === have;
    if (response.status === 206 && !continues) {
      await discard(file);
      throw new TemporaryFailure('sent another part of the file');
    }
    const start = continues ? have : 0;
    const total = start + Number(response.headers.get('content-length') ?? 0);
    await checkSpace(url, file, total, start, options);
    await writeFile(tagFile, versionOf(response));
    await save(response, part, continues, start, silence, options.maxBytes ?? MAX_BYTES);
    silence.stop();
    await verify(file, part, total);
    return { outcome: 'downloaded', bytes: (await stat(file)).size };
  } catch (error) {
    throw failureOf(error, file, silence);
  } finally {
    silence.stop();
  }
}

async function save(
  response: Response,
  part: string,
  append: boolean,
  start: number,
  silence: Silence,
  maxBytes: number,
): Promise<void> {
  if (!response.body) throw new TemporaryFailure('sent an empty response');
  let size = start;
  const handle = await open(part, append ? 'a' : 'w');
  try {
    // Write each chunk before waiting for the next, so that an interruption loses nothing.
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      silence.heard();
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(part, maxBytes);
      await handle.writeFile(chunk);
    }
  } finally {
    await handle.close();
  }
}

/** Renames a complete archive to its final name, or discards it. */
async function verify(file: string, part: string, total: number): Promise<void> {
  const { size } = await stat(part);
  if (total > 0 && size < total) throw new TemporaryFailure('closed the connection early');
  const problem = await damageOf(part);
  if (problem) {
    await discard(file);
    throw new TemporaryFailure(problem);
  }
  await rename(part, file);
  await rm(`${part}.tag`, { force: true });
}

/** Describes the damage to an archive; null if it's complete and all checksums match. */
async function damageOf(part: string): Promise<string | null> {
  try {
    const bytes = bytesOfFile(part);
    for (const entry of await readZipEntries(bytes)) {
      for await (const _ of readZipEntry(bytes, entry));
    }
    return null;
  } catch {
    const handle = await open(part);
    const { buffer } = await handle.read(Buffer.alloc(64), 0, 64, 0);
    await handle.close();
    return /^\s*</.test(buffer.toString('latin1'))
      ? 'sent a web page instead of the file'
      : 'sent a damaged or incomplete file';
  }
}

async function discard(file: string): Promise<void> {
  await rm(`${file}.part`, { force: true });
  await rm(`${file}.part.tag`, { force: true });
}

/** The version of a file according to the server; empty if it reports none that range requests can use. */
function versionOf({ headers }: Response): string {
  const etag = headers.get('etag');
  if (etag && !etag.startsWith('W/')) return etag;
  return headers.get('last-modified') ?? '';
}

function rangeStart({ headers }: Response): number {
  return Number(/^bytes (\d+)-/.exec(headers.get('content-range') ?? '')?.[1] ?? -1);
}

async function statusFailure(url: string, response: Response): Promise<Error> {
  await response.body?.cancel();
  const { status, headers } = response;
  if (isTemporaryStatus(status)) {
    const seconds = Number(headers.get('retry-after') ?? 0);
    return new TemporaryFailure(`returned status ${status}`, {
      retryAfterMs: Number.isFinite(seconds) ? 1000 * seconds : 0,
    });
  }
  return new ImportError(`${url}: the server returned status ${status}. Check the address.`);
}

async function checkSpace(
  url: string,
  file: string,
  total: number,
  start: number,
  options: DownloadOptions,
): Promise<void> {
  const maxBytes = options.maxBytes ?? MAX_BYTES;
  if (total > maxBytes) throw tooLarge(url, maxBytes);
  const { bavail, bsize } = await statfs(dirname(file));
  const needed = total - start + (options.spareBytes ?? SPARE_BYTES);
  if (bavail * bsize >= needed) return;
  throw new ImportError(
    `The disk with ${dirname(file)} has ${inGigabytes(bavail * bsize)} left, and ` +
      `${inGigabytes(needed)} are needed. Free space, or choose another folder with --cache.`,
  );
}

const inGigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

const tooLarge = (what: string, maxBytes: number): ImportError =>
  new ImportError(
    `${what} is larger than ${inGigabytes(maxBytes)}, so it isn’t a file of the Census Bureau.`,
  );

function failureOf(error: unknown, file: string, silence: Silence): unknown {
  if (error instanceof ImportError || error instanceof TemporaryFailure) return error;
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOSPC' || code === 'EACCES' || code === 'EROFS') {
    const reason = code === 'ENOSPC' ? 'the disk is full' : 'the folder is read-only';
    return new ImportError(
      `${file} can’t be written: ${reason}. Choose another folder with --cache.`,
      { cause: error },
    );
  }
  if (silence.isOver) return new TemporaryFailure('stopped sending', { cause: error });
  const cause = (error as Error).cause as NodeJS.ErrnoException | undefined;
  return new TemporaryFailure(
    `can’t be reached or closed the connection (${cause?.code ?? (error as Error).name})`,
    { cause: error },
  );
}

/** Aborts a request if no data arrives for a while. */
class Silence {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(limitMs: number) {
    this.#timer = setTimeout(() => this.#controller.abort(), limitMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isOver(): boolean {
    return this.#controller.signal.aborted;
  }

  heard(): void {
    this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
