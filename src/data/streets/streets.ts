/**
 * The streets that maps show: the tiles of the archive in `BASEMAP_TILES`. A new version is picked up while the service
 * runs. While the archive can't be read, there are no streets, and maps are plain.
 */
import { cacheOf } from '../../base/cache/cache.ts';
import { OtherVersionError } from '../../base/db/imported-data.ts';
import { everyFew, type Loop } from '../../base/workers/loops.ts';
import { tileName } from '../../render/vector-tiles.ts';
import type { TileAddress } from '../../base/spatial/tile.ts';
import { openStreetsArchive, WrongArchiveError, type StreetsArchive } from './archive.ts';
import { isUrl, publicAddress, UnreadableError } from './byte-ranges.ts';

export interface Streets {
  /** Whether maps show streets as long as the archive can be read */
  isWanted(): boolean;
  /** The archive to show now; null while it can't be read, or isn't wanted */
  current(): StreetsArchive | null;
  /**
   * Returns tiles, compressed as in the archive. One that is missing, or that a damaged archive lacks, is null.
   *
   * @throws OtherVersionError if this version can't be read any more
   */
  readTiles(version: string, tiles: readonly TileAddress[]): Promise<(Uint8Array | null)[]>;
  /** Counts a tile that can't be decoded, and logs the first of an archive. */
  reportDamaged(tile: string): void;
  readonly stats: Readonly<StreetsStats>;
  close(): Promise<void>;
}

interface StreetsStats {
  /** Tiles that were read from the archive */
  read: number;
  /** Tiles that were found in memory */
  remembered: number;
  /** Times that the archive couldn't be read */
  lost: number;
  /** Tiles that couldn't be decoded */
  damaged: number;
}

/** Reports what operators should know. */
export interface StreetsLog {
  info(facts: object, message: string): void;
  warn(facts: { address: string; problem: string }, message: string): void;
}

/** A map waits this long for its streets, and is then drawn without them. */
const PATIENCE_MS = 900;
/** Interval between looks for a new version, of a file and on a server */
const FILE_CHECK_MS = 2_000;
const URL_CHECK_MS = 60_000;
/** Interval between attempts to open an archive again */
const RETRY_MS = 2_000;

/**
 * Opens the archive, unless it can't be read now. In that case, tries again in the background.
 *
 * @param isWanted whether maps show the streets, asked at each look for a new version: null if it isn't known yet, and
 *   false for good. Default: always
 * @throws WrongArchiveError for another format or schema
 */
export async function openStreets(
  address: string,
  log: StreetsLog,
  {
    isWanted,
    checkMs = isUrl(address) ? URL_CHECK_MS : FILE_CHECK_MS,
    retryMs = RETRY_MS,
  }: { isWanted?: () => Promise<boolean | null>; checkMs?: number; retryMs?: number } = {},
): Promise<Streets> {
  const known = publicAddress(address);
  const stats: StreetsStats = { read: 0, remembered: 0, lost: 0, damaged: 0 };
  const kept = cacheOf<Uint8Array>(({ length }) => length);
  let archive: StreetsArchive | null = null;
  let closed = false;
  let wanted = isWanted === undefined ? true : null;
  /** As logged */
  let shown: string | undefined;
  let hasProblem = false;
  let isDamaged = false;

  const current = () => (wanted ? archive : null);

  function use(next: StreetsArchive | null): void {
    const before = archive;
    archive = next;
    isDamaged = false;
    // Reads that have begun still end.
    if (before) setTimeout(() => void before.close(), PATIENCE_MS * 2).unref();
  }
  function logShown(): void {
    const showing = current();
    if (showing !== null && showing.version !== shown) {
      const { version, schema, dataDate, bytes, bounds } = showing;
      log.info({ address: known, version, schema, dataDate, bytes, bounds }, 'maps show streets');
    }
    shown = showing?.version;
  }
  /** Logs one line for an outage, whose problem may change meanwhile. */
  function warnOnce(error: unknown, message: string): void {
    if (!hasProblem) log.warn({ address: known, problem: (error as Error).message }, message);
    hasProblem = true;
    shown = undefined;
  }
  function lose(error: unknown): void {
    if (closed) return;
    if (archive) {
      stats.lost++;
      hasProblem = false;
    }
    if (wanted) warnOnce(error, 'the archive of streets can’t be read: maps are plain');
    use(null);
    loop?.hurry(retryMs);
  }
  async function reopen(): Promise<void> {
    const next = await openStreetsArchive(address);
    if (closed) return next.close();
    hasProblem = false;
    use(next);
  }
  async function check(): Promise<number> {
    // While the database doesn't answer, nothing changes.
    if (isWanted) wanted = await isWanted().catch(() => wanted);
    if (wanted === false) {
      use(null);
      void loop?.close();
      return checkMs;
    }
    try {
      if (archive === null || (await archive.isReplaced())) await reopen();
      logShown();
      // A read may have lost the archive meanwhile.
      return archive === null ? retryMs : checkMs;
    } catch (error) {
      // A file that was replaced by a wrong one is still open.
      const isReadable = archive !== null && !isUrl(address) && error instanceof WrongArchiveError;
      if (isReadable)
        warnOnce(error, 'the new archive of streets is wrong: maps keep the last one');
      else lose(error);
      return retryMs;
    }
  }

  let loop: Loop | undefined;
  try {
    await reopen();
    logShown();
  } catch (error) {
    if (error instanceof WrongArchiveError) throw error;
    lose(error);
  }
  const firstMs = archive === null ? retryMs : isWanted ? 0 : checkMs;
  const failed = 'the archive of streets can’t be checked; retrying';
  loop = everyFew(checkMs, check, {
    log: {
      warn: ({ err }, message) => log.warn({ address: known, problem: String(err) }, message),
    },
    failed,
    firstMs,
  });

  async function readTile(from: StreetsArchive, tile: TileAddress): Promise<Uint8Array | null> {
    const key = `${from.version} ${tileName(tile)}`;
    const known = kept.get(key);
    stats[known ? 'remembered' : 'read']++;
    if (known) return known;
    try {
      const bytes = await from.readTile(tile);
      if (bytes && archive === from) kept.set(key, bytes);
      return bytes;
    } catch (error) {
      if (error instanceof UnreadableError) throw error;
      reportDamaged(key);
      return null;
    }
  }
  function reportDamaged(tile: string): void {
    stats.damaged++;
    if (!isDamaged) {
      const problem = `the tile ${tile} can’t be decoded`;
      log.warn(
        { address: known, problem },
        'the archive of streets is damaged: maps there are plain',
      );
    }
    isDamaged = true;
  }

  return {
    stats,
    isWanted: () => wanted === true,
    current,
    reportDamaged,
    async readTiles(version, tiles) {
      const from = current();
      if (from?.version !== version) throw new OtherVersionError();
      try {
        const reads = Promise.all(tiles.map((tile) => readTile(from, tile)));
        return await within(PATIENCE_MS, reads);
      } catch (error) {
        if (archive === from) lose(error);
        throw new OtherVersionError();
      }
    },
    async close() {
      closed = true;
      await loop.close();
      await archive?.close();
    },
  };
}

/** Time during which this thread is busy counts as one tick, because it delays the answer of the read, too. */
const TICKS = 9;

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    let ticks = 0;
    timer = setInterval(() => {
      if (++ticks === TICKS) reject(new Error(`it took more than ${ms} ms to read`));
    }, ms / TICKS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearInterval(timer);
  }
}
