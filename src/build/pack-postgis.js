/**
 * Packs the part of PostGIS that the service uses. PGlite unpacks, compiles, and links everything in
 * an extension's archive at each start: with rasters, topology, and upgrade scripts, 95 MB that take
 * half of the time of a start.
 */
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';

const ARCHIVE = 'node_modules/@electric-sql/pglite-postgis/dist/postgis.tar.gz';
const PACKED = [
  /^lib\/postgresql\/postgis-3\.so$/,
  /^share\/proj\//,
  /^share\/postgresql\/extension\/postgis(\.control|--[\d.]+\.sql)$/,
];
/** Tar files consist of blocks. Two empty ones mark the end. */
const BLOCK_BYTES = 512;

/** Does nothing if the file is newer than the archive. */
export function packPostgis(file) {
  const packed = statSync(file, { throwIfNoEntry: false });
  if (packed && packed.mtimeMs > statSync(ARCHIVE).ctimeMs) return;
  const tar = gunzipSync(readFileSync(ARCHIVE));
  const kept = [...entries(tar)].filter(({ name }) => PACKED.some((pattern) => pattern.test(name)));
  const blocks = [...kept.map(({ bytes }) => bytes), Buffer.alloc(2 * BLOCK_BYTES)];
  // A start at the same time reads the old file or the whole new one.
  writeFileSync(`${file}.${process.pid}`, gzipSync(Buffer.concat(blocks), { level: 1 }));
  renameSync(`${file}.${process.pid}`, file);
}

/** The files of a tar archive: names, and their bytes with the header. */
function* entries(tar) {
  for (let start = 0; tar[start] !== 0;) {
    const text = (from, bytes) =>
      tar.toString('latin1', start + from, start + from + bytes).replace(/\0.*$/s, '');
    const contentBytes = Number.parseInt(text(124, 12), 8);
    const end = start + BLOCK_BYTES * (1 + Math.ceil(contentBytes / BLOCK_BYTES));
    yield { name: text(0, 100), bytes: tar.subarray(start, end) };
    start = end;
  }
}
