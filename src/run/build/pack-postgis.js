/**
 * Packs the part of PostGIS that the service uses. PGlite unpacks, compiles, and links everything in an
 * extension's archive at each start. With rasters, topology, and upgrade scripts, that is half of the time of
 * a start.
 */
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { entries, packed } from './tar.js';

const ARCHIVE = 'node_modules/@electric-sql/pglite-postgis/dist/postgis.tar.gz';
const PACKED = [
  /^lib\/postgresql\/postgis-3\.so$/,
  /^share\/proj\//,
  /^share\/postgresql\/extension\/postgis(\.control|--[\d.]+\.sql)$/,
];
/** Does nothing if the file is newer than the archive. */
export function packPostgis(file) {
  const before = statSync(file, { throwIfNoEntry: false });
  if (before && before.mtimeMs > statSync(ARCHIVE).ctimeMs) return;
  const tar = gunzipSync(readFileSync(ARCHIVE));
  const kept = [...entries(tar)].filter(({ name }) => PACKED.some((pattern) => pattern.test(name)));
  // A concurrent start reads either the old file or the whole new one.
  writeFileSync(`${file}.${process.pid}`, gzipSync(packed(kept), { level: 1 }));
  renameSync(`${file}.${process.pid}`, file);
}
