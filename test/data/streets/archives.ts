/** Small archives of streets, and a server of one that fails as servers do. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, onTestFinished } from 'vitest';
import {
  inArchiveOrder,
  writePmtiles,
  type ArchiveFacts,
} from '../../../src/data/basemap/write-pmtiles.ts';
import { projectFile } from '../../../src/base/geodata/project-files.ts';
import { bboxesMeet } from '../../../src/base/spatial/bbox.ts';
import { tileBbox, type TileAddress } from '../../../src/base/spatial/tile.ts';
import { openStreetsArchive } from '../../../src/data/streets/archive.ts';
import type { StreetsLog } from '../../../src/data/streets/streets.ts';

export const SAMPLE = projectFile('geodata/sample-streets.pmtiles');
/** Downtown Dallas */
export const DOWNTOWN: TileAddress = { z: 13, x: 1893, y: 3304 };

/** Layers of Protomaps' basemap schema that maps need */
export const LAYERS = ['earth', 'water', 'landuse', 'roads', 'places'];

/** A folder for the test file */
export function archiveFolder(): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'territory-test-streets-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return (name) => join(folder, name);
}

export interface WrittenTile {
  address: TileAddress;
  bytes: Uint8Array;
}

/** Writes an archive of tiles that contain its name. */
export async function writeStreets(
  file: string,
  {
    name = 'Test',
    layers = LAYERS,
    tiles = inArchiveOrder([0, 1, 2].flatMap(tilesOfZoom)).map((address) => ({
      address,
      bytes: Buffer.from(`${name} ${address.z}/${address.x}/${address.y}`) as Uint8Array,
    })),
    facts = {} as Partial<ArchiveFacts>,
    metadata = {},
  } = {},
): Promise<void> {
  const zooms = tiles.map(({ address }) => address.z);
  await writePmtiles(file, generate(tiles), {
    bounds: [-180, -85, 180, 85],
    minZoom: Math.min(...zooms),
    maxZoom: Math.max(...zooms),
    ...facts,
    metadata: {
      name,
      version: '4.1.0',
      attribution: `Streets of ${name}`,
      vector_layers: layers.map((id) => ({ id, fields: {} })),
      ...metadata,
    },
  });
}

async function* generate(tiles: readonly WrittenTile[]) {
  yield* tiles;
}

/** All tiles of a zoom */
export const tilesOfZoom = (z: number): TileAddress[] =>
  Array.from({ length: 4 ** z }, (_, i) => ({ z, x: i % 2 ** z, y: Math.floor(i / 2 ** z) }));

/** Writes a part of the sample under another name, so that it has another version. */
export async function writePartOfSample(
  file: string,
  name: string,
  isKept: (tile: TileAddress) => boolean = () => true,
): Promise<void> {
  const sample = await openStreetsArchive(SAMPLE);
  const { bounds, minZoom, maxZoom } = sample;
  const addresses = [];
  for (let z = minZoom; z <= maxZoom; z++) {
    const count = 2 ** z;
    const [from, to] = [Math.floor((83 / 360) * count), Math.ceil((84 / 360) * count)];
    for (let x = from; x <= to; x++) {
      for (let y = Math.floor(0.4 * count); y <= 0.42 * count; y++) {
        const tile = { z, x, y };
        if (bboxesMeet(tileBbox(tile), bounds) && isKept(tile)) addresses.push(tile);
      }
    }
  }
  const tiles: WrittenTile[] = [];
  for (const address of inArchiveOrder(addresses)) {
    const bytes = await sample.readTile(address);
    if (bytes) tiles.push({ address, bytes: gunzipSync(bytes) });
  }
  const layers = sample.layers.map(({ id }) => id);
  await sample.close();
  await writeStreets(file, { name, layers, tiles, facts: { bounds, minZoom, maxZoom } });
}

/** Flips bits of a tile in a file. */
export async function damageTile(file: string, tile: TileAddress): Promise<void> {
  const archive = await openStreetsArchive(file);
  const packed = Buffer.from((await archive.readTile(tile))!);
  await archive.close();
  const bytes = readFileSync(file);
  const at = bytes.indexOf(packed) + (packed.length >> 1);
  bytes.fill(0xff, at, at + 8);
  writeFileSync(file, bytes);
}

/** A log that keeps its lines. */
export function keepLines(): StreetsLog & { lines: string[] } {
  const lines: string[] = [];
  return {
    lines,
    info: (_facts, message) => lines.push(message),
    warn: ({ problem }, message) => lines.push(`${message}: ${problem}`),
  };
}

/** How a server answers */
export type ServerMode =
  /** As servers do */
  | 'ranges'
  /** Without the size of the archive */
  | 'sizeless'
  /** The whole archive */
  | 'whole'
  /** Never */
  | 'silent'
  /** A byte at a time */
  | 'drip'
  /** Half of what is asked for */
  | 'half'
  /** The beginning of the archive, whatever is asked for */
  | 'start'
  /** Ends in the middle of the body */
  | 'cut'
  /** A status */
  | number;

export interface ArchiveServer {
  url: string;
  mode: ServerMode;
  bytes: Buffer;
  etag: string;
  /** Closes its port. */
  stop(): Promise<void>;
  /** Listens on the same port again. */
  start(): Promise<void>;
}

/** Serves an archive until the end of the test. */
export async function serveArchive(
  bytes: Buffer,
  mode: ServerMode = 'ranges',
): Promise<ArchiveServer> {
  let server: Server;
  let port = 0;
  const self: ArchiveServer = {
    url: '',
    mode,
    bytes,
    etag: '"1"',
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
    async start() {
      server = createServer((req, res) => answer(self, req.headers.range ?? '', res));
      await once(server.listen(port, '127.0.0.1'), 'listening');
      port = (server.address() as AddressInfo).port;
    },
  };
  await self.start();
  self.url = `http://127.0.0.1:${port}/us.pmtiles`;
  onTestFinished(async () => {
    if (server.listening) await self.stop();
  });
  return self;
}

function answer({ mode, bytes, etag }: ArchiveServer, range: string, res: ServerResponse): void {
  if (mode === 'silent') return;
  if (typeof mode === 'number') return void res.writeHead(mode).end('no');
  if (mode === 'whole') return void res.writeHead(200, { ETag: etag }).end(bytes);
  const [from, to] = range.replace('bytes=', '').split('-').map(Number) as [number, number];
  if (from >= bytes.length) return void res.writeHead(416).end();
  const part = bytes.subarray(from, to + 1);
  const start = mode === 'start' ? 0 : from;
  const body = mode === 'half' ? part.subarray(0, Math.ceil(part.length / 2)) : part;
  res.writeHead(206, {
    ETag: etag,
    'Content-Range': `bytes ${start}-${start + body.length - 1}/${mode === 'sizeless' ? '*' : bytes.length}`,
    'Content-Length': body.length,
  });
  if (mode === 'drip') {
    const timer = setInterval(() => res.write('x'), 100);
    res.once('close', () => clearInterval(timer));
  } else if (mode === 'cut') {
    res.write(body.subarray(0, body.length - 1), () => res.destroy());
  } else {
    res.end(body);
  }
}
