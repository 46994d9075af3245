import {
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { inArchiveOrder } from '../../../src/data/basemap/write-pmtiles.ts';
import { OtherVersionError } from '../../../src/base/db/imported-data.ts';
import type { TileAddress } from '../../../src/base/spatial/tile.ts';
import { WrongArchiveError } from '../../../src/data/streets/archive.ts';
import { streetsAt } from '../../../src/data/streets/streets-at.ts';
import { openStreets, type Streets } from '../../../src/data/streets/streets.ts';
import {
  archiveFolder,
  damageTile,
  keepLines,
  serveArchive,
  tilesOfZoom,
  writeStreets,
  type ServerMode,
} from './archives.ts';

const inFolder = archiveFolder();
const TILE = { z: 2, x: 1, y: 2 };
const CHECK_MS = 20;
const RETRY_MS = 100;
/** For servers, whose outage a read finds */
const RARELY_MS = 60_000;

/** Writes an archive and returns its bytes. */
async function archiveOf(name: string, options = {}): Promise<Buffer> {
  const file = inFolder(`written-${name}`);
  await writeStreets(file, { name, ...options });
  return readFileSync(file);
}

/** Opens streets for a test. */
async function opened(address: string, options: Parameters<typeof openStreets>[2] = {}) {
  const log = keepLines();
  const streets = await openStreets(address, log, {
    checkMs: CHECK_MS,
    retryMs: RETRY_MS,
    ...options,
  });
  onTestFinished(() => streets.close());
  return { streets, lines: log.lines };
}

let files = 0;
/** Opens the streets of a new file. */
async function openedFile(bytes: Buffer) {
  const file = inFolder(`streets-${files++}`);
  writeFileSync(file, bytes);
  return { file, ...(await opened(file)) };
}

/** Moves a file to its place, as a careful operator does. */
function replace(file: string, bytes: Buffer | string): void {
  writeFileSync(`${file}.next`, bytes);
  renameSync(`${file}.next`, file);
}

const nameNow = (streets: Streets) => streets.current()?.name;

async function contentOf(streets: Streets, tile: TileAddress = TILE): Promise<string> {
  const [bytes] = await streets.readTiles(streets.current()!.version, [tile]);
  return gunzipSync(bytes!).toString();
}

/** The archives that tiles are from, or the error's name */
const namesIn = (reads: ReturnType<Streets['readTiles']>): Promise<string> =>
  reads.then(
    (tiles) => {
      const names = tiles.map((bytes) => gunzipSync(bytes!).toString().split(' ')[0]!);
      return [...new Set(names)].join();
    },
    ({ name }: Error) => name,
  );

const [first, second, wrong] = await Promise.all([
  archiveOf('First'),
  archiveOf('Second'),
  archiveOf('Wrong', { layers: ['transportation'] }),
]);

describe('streets of a file', () => {
  it('are read, and remembered compressed', async () => {
    const { streets, lines } = await openedFile(first);
    expect(await contentOf(streets)).toBe('First 2/1/2');
    expect(await contentOf(streets)).toBe('First 2/1/2');
    const none = { z: 3, x: 0, y: 0 };
    expect(await streets.readTiles(streets.current()!.version, [none, TILE])).toEqual([
      null,
      expect.any(Uint8Array),
    ]);
    expect(streets.stats).toEqual({ read: 2, remembered: 2, lost: 0, damaged: 0 });
    expect(lines).toEqual(['maps show streets']);
  });

  it('are of the next file once it takes its place', async () => {
    const { file, streets, lines } = await openedFile(first);
    const { version } = streets.current()!;
    replace(file, second);
    await expect.poll(() => nameNow(streets)).toBe('Second');
    expect(await contentOf(streets)).toBe('Second 2/1/2');
    await expect(streets.readTiles(version, [TILE])).rejects.toBeInstanceOf(OtherVersionError);
    expect(lines).toEqual(['maps show streets', 'maps show streets']);
    expect(streets.stats.lost).toBe(0);
  });

  it('are of one version in each read while the file is replaced', async () => {
    const { file, streets } = await openedFile(first);
    const tiles = tilesOfZoom(2);
    const seen = new Set<string>();
    for (let round = 0; round < 60 && seen.size < 3; round++) {
      const { version } = streets.current()!;
      const reads = streets.readTiles(version, tiles);
      replace(file, round % 2 === 0 ? second : first);
      seen.add(await namesIn(reads));
      await delay(CHECK_MS);
      seen.add(await namesIn(streets.readTiles(version, tiles)));
    }
    expect(seen).toEqual(new Set(['First', 'Second', 'OtherVersionError']));
  });

  it('remain while the file is deleted', async () => {
    const { file, streets, lines } = await openedFile(first);
    rmSync(file);
    await delay(3 * CHECK_MS);
    expect(await contentOf(streets)).toBe('First 2/1/2');
    writeFileSync(file, second);
    await expect.poll(() => nameNow(streets)).toBe('Second');
    expect(lines).toEqual(['maps show streets', 'maps show streets']);
  });

  it('are of the new content after the file was overwritten in place', async () => {
    const { file, streets } = await openedFile(first);
    writeFileSync(file, second);
    await expect.poll(() => nameNow(streets)).toBe('Second');
    expect(await contentOf(streets)).toBe('Second 2/1/2');
  });

  it('aren’t mixed with what overwrites the file', async () => {
    const file = inFolder('overwritten');
    writeFileSync(file, first);
    const { streets, lines } = await opened(file, { checkMs: RARELY_MS });
    writeFileSync(file, second);
    const { version } = streets.current()!;
    await expect(streets.readTiles(version, [TILE])).rejects.toBeInstanceOf(OtherVersionError);
    expect(streets.current()).toBeNull();
    await expect.poll(() => nameNow(streets)).toBe('Second');
    expect(lines).toEqual([
      'maps show streets',
      'the archive of streets can’t be read: maps are plain: it was replaced while it was read',
      'maps show streets',
    ]);
  });

  it('aren’t there while the file is cut off, and come back with the whole file', async () => {
    const { file, streets, lines } = await openedFile(first);
    truncateSync(file, first.length - 10);
    await expect.poll(() => streets.current()).toBeNull();
    // As if it is being copied.
    truncateSync(file, first.length - 20);
    await delay(3 * RETRY_MS);
    expect(streets.current()).toBeNull();
    expect(streets.stats.lost).toBe(1);
    writeFileSync(file, first);
    await expect.poll(() => nameNow(streets)).toBe('First');
    expect(await contentOf(streets)).toBe('First 2/1/2');
    expect(lines).toEqual([
      'maps show streets',
      expect.stringMatching(
        /^the archive of streets can’t be read: maps are plain: it is cut off: it has \d+ of \d+ bytes$/,
      ),
      'maps show streets',
    ]);
  });

  it('stay those of the last file if the next is another kind of archive', async () => {
    const { file, streets, lines } = await openedFile(first);
    replace(file, wrong);
    await expect.poll(() => lines.length).toBe(2);
    await delay(3 * RETRY_MS);
    expect(await contentOf(streets)).toBe('First 2/1/2');
    replace(file, first);
    await expect.poll(() => lines.length).toBe(3);
    expect(lines).toEqual([
      'maps show streets',
      expect.stringMatching(
        /^the new archive of streets is wrong: maps keep the last one: has the schema OpenMapTiles/,
      ),
      'maps show streets',
    ]);
    expect(streets.stats.lost).toBe(0);
  });

  it('appear once there is a file', async () => {
    const file = inFolder('later');
    const { streets, lines } = await opened(file);
    expect(streets.current()).toBeNull();
    await expect(streets.readTiles('any', [TILE])).rejects.toBeInstanceOf(OtherVersionError);
    copyFileSync(inFolder('written-First'), file);
    await expect.poll(() => nameNow(streets)).toBe('First');
    expect(lines).toEqual([
      expect.stringContaining('the archive of streets can’t be read: maps are plain: ENOENT'),
      'maps show streets',
    ]);
    expect(streets.stats.lost).toBe(0);
  });

  it('can’t be opened from another kind of archive', async () => {
    const file = inFolder('wrong');
    writeFileSync(file, wrong);
    await expect(openStreets(file, keepLines())).rejects.toBeInstanceOf(WrongArchiveError);
  });
});

describe('streets that the service may not want', () => {
  it('are shown as long as they are wanted, and while it isn’t known, as before', async () => {
    const file = inFolder('wanted');
    writeFileSync(file, first);
    const isWanted = vi.fn<() => Promise<boolean | null>>().mockResolvedValue(null);
    const { streets, lines } = await opened(file, { isWanted });
    await expect.poll(() => isWanted.mock.calls.length).toBeGreaterThan(1);
    expect([streets.isWanted(), streets.current(), lines]).toEqual([false, null, []]);
    isWanted.mockResolvedValue(true);
    await expect.poll(() => nameNow(streets)).toBe('First');
    const calls = isWanted.mock.calls.length;
    isWanted.mockRejectedValue(new Error('The database can’t be reached.'));
    await expect.poll(() => isWanted.mock.calls.length).toBeGreaterThan(calls + 1);
    expect(await contentOf(streets)).toBe('First 2/1/2');
    isWanted.mockResolvedValue(false);
    await expect.poll(() => streets.isWanted()).toBe(false);
    expect(streets.current()).toBeNull();
    expect(lines).toEqual(['maps show streets']);
  });

  it('aren’t asked for again once they aren’t wanted', async () => {
    const file = inFolder('unwanted');
    writeFileSync(file, first);
    const isWanted = vi.fn<() => Promise<boolean | null>>().mockResolvedValue(false);
    const { streets } = await opened(file, { isWanted });
    await expect.poll(() => isWanted.mock.calls.length).toBe(1);
    isWanted.mockResolvedValue(true);
    await delay(300);
    expect([isWanted.mock.calls.length, streets.current()]).toEqual([1, null]);
  });
});

describe('streets of a server', () => {
  const PLAIN = 'the archive of streets can’t be read: maps are plain';

  it('are read by range requests', async () => {
    const server = await serveArchive(first);
    const { streets } = await opened(server.url);
    expect(await contentOf(streets)).toBe('First 2/1/2');
    expect(streets.current()!.bytes).toBe(first.length);
  });

  it('are read from a server that doesn’t say how large the archive is', async () => {
    const server = await serveArchive(first, 'sizeless');
    const { streets } = await opened(server.url);
    expect(await contentOf(streets)).toBe('First 2/1/2');
    expect(streets.current()!.bytes).toBe(first.length);
    const cut = await serveArchive(first.subarray(0, -1), 'sizeless');
    const { streets: none, lines } = await opened(cut.url);
    expect(none.current()).toBeNull();
    expect(lines).toEqual([`${PLAIN}: it is cut off: it ends before byte ${first.length - 1}`]);
  });

  it.each<[ServerMode, string]>([
    ['whole', 'its server ignores range requests: use one that supports them'],
    [404, 'its server answers with status 404'],
    [500, 'its server answers with status 500'],
    ['silent', 'no response in time'],
    ['drip', 'no response in time'],
    ['half', 'its server sends another part than requested'],
    ['start', 'its server sends another part than requested'],
    ['cut', 'other side closed'],
  ])('give way to plain maps while it answers with %s, and come back', async (mode, problem) => {
    const server = await serveArchive(first);
    const { streets, lines } = await opened(server.url, { checkMs: RARELY_MS });
    expect(await contentOf(streets)).toBe('First 2/1/2');
    const { version } = streets.current()!;
    server.mode = mode;
    // What is in memory needs no server.
    expect(await contentOf(streets)).toBe('First 2/1/2');
    const read = streets.readTiles(version, [TILE, { z: 2, x: 0, y: 0 }]);
    await expect(read).rejects.toBeInstanceOf(OtherVersionError);
    expect(streets.current()).toBeNull();
    server.mode = 'ranges';
    await expect.poll(() => nameNow(streets)).toBe('First');
    expect(await contentOf(streets, { z: 2, x: 0, y: 0 })).toBe('First 2/0/0');
    expect(lines).toEqual(['maps show streets', `${PLAIN}: ${problem}`, 'maps show streets']);
    expect(streets.stats.lost).toBe(1);
  });

  it('are opened once a server that was silent at the start answers', async () => {
    const server = await serveArchive(first, 'silent');
    const { streets, lines } = await opened(server.url);
    expect(streets.current()).toBeNull();
    server.mode = 'ranges';
    await expect.poll(() => nameNow(streets)).toBe('First');
    expect(lines).toEqual([`${PLAIN}: no response in time`, 'maps show streets']);
  });

  it('are of the next archive when its ETag changes', async () => {
    const server = await serveArchive(first);
    const { streets } = await opened(server.url);
    Object.assign(server, { bytes: second, etag: '"2"' });
    await expect.poll(() => nameNow(streets)).toBe('Second');
    expect(await contentOf(streets)).toBe('Second 2/1/2');
  });

  it('aren’t mixed when its ETag changes between reads', async () => {
    const server = await serveArchive(first);
    const { streets } = await opened(server.url, { checkMs: RARELY_MS });
    const { version } = streets.current()!;
    Object.assign(server, { bytes: second, etag: '"2"' });
    await expect(streets.readTiles(version, [TILE])).rejects.toBeInstanceOf(OtherVersionError);
    await expect.poll(() => nameNow(streets)).toBe('Second');
    expect(await contentOf(streets)).toBe('Second 2/1/2');
  });

  it('come back after the server was away, with one line in the log for the outage', async () => {
    const server = await serveArchive(first);
    const { streets, lines } = await opened(server.url);
    await server.stop();
    await expect.poll(() => streets.current()).toBeNull();
    await delay(3 * RETRY_MS);
    await server.start();
    server.mode = 500;
    await delay(3 * RETRY_MS);
    expect(streets.current()).toBeNull();
    server.mode = 'ranges';
    await expect.poll(() => nameNow(streets)).toBe('First');
    expect(lines).toEqual([
      'maps show streets',
      expect.stringMatching(
        /^the archive of streets can’t be read: maps are plain: (connect ECONNREFUSED|other side closed|read ECONNRESET)/,
      ),
      'maps show streets',
    ]);
  });
});

describe('a damaged archive', () => {
  const at = (streets: Streets) =>
    streetsAt(streets.current()!, {
      read: (version, tiles) => streets.readTiles(version, tiles),
      reportDamaged: (tile) => streets.reportDamaged(tile),
    });
  const names = async (streets: Streets, tiles: readonly TileAddress[]) =>
    (await at(streets).tiles(tiles)).map(({ bytes }) => Buffer.from(bytes).toString());

  it('lacks the damaged tiles, which are counted, and logged once', async () => {
    const file = inFolder('damaged');
    await writeStreets(file, { name: 'Damaged' });
    const tiles = tilesOfZoom(1);
    await damageTile(file, tiles[1]!);
    await damageTile(file, tiles[2]!);
    const { streets, lines } = await opened(file);
    const whole = ['Damaged 1/0/0', 'Damaged 1/1/1'];
    expect(await names(streets, tiles)).toEqual(whole);
    expect(await names(streets, tiles)).toEqual(whole);
    expect(streets.stats).toMatchObject({ damaged: 4, lost: 0 });
    expect(lines).toEqual([
      'maps show streets',
      'the archive of streets is damaged: maps there are plain: the tile 1/1/0 can’t be decoded',
    ]);
  });

  it('lacks the tiles of a damaged directory', async () => {
    const file = inFolder('directory');
    // Equal tiles far from each other make a directory too large for one part.
    const tiles = inArchiveOrder(tilesOfZoom(7)).map((address) => ({
      address,
      bytes: Buffer.from(
        `Number ${(address.x * 31 + address.y * address.x * 17) % 251}`,
      ) as Uint8Array,
    }));
    await writeStreets(file, { name: 'Directory', tiles });
    const bytes = readFileSync(file);
    const leaves = Number(bytes.readBigUInt64LE(40));
    bytes.fill(0xff, leaves + 20, leaves + 40);
    writeFileSync(file, bytes);
    const { streets, lines } = await opened(file);
    const [inFirst, inLast] = [tiles[1]!.address, { z: 7, x: 127, y: 0 }];
    expect(await names(streets, [inFirst, inLast])).toEqual(['Number 172']);
    expect(streets.stats).toMatchObject({ damaged: 1, lost: 0 });
    expect(lines).toHaveLength(2);
  });

  it('lacks tiles that aren’t compressed and aren’t vector tiles', async () => {
    const { streets } = await openedFile(first);
    const reportDamaged = vi.fn<(tile: string) => void>();
    const facts = { ...streets.current()!, version: 'not compressed' };
    const read = async () => [Buffer.from('damaged'), Buffer.from([]), null];
    const found = await streetsAt(facts, { read, reportDamaged }).tiles(tilesOfZoom(1).slice(0, 3));
    expect(found).toEqual([{ ...tilesOfZoom(1)[1], bytes: Buffer.from([]) }]);
    expect(reportDamaged.mock.calls).toEqual([['1/0/0']]);
  });
});
