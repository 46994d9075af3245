/**
 * Deletes files that the service never reads from an installation without development dependencies: source
 * maps, the sources and types of compiled packages, their READMEs, and mapshaper's website. This is more
 * than a quarter of its size.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('../../node_modules', import.meta.url)));
const FOLDERS = [
  'maplibre-gl/src',
  'mapshaper/www',
  'zod/src',
  ...['bundle', 'commonjs', 'docs'].map((name) => `write-excel-file/${name}`),
];
/** 30 MB of builds for browsers and debugging */
const SQLITE = { folder: 'sql.js/dist', used: ['sql-wasm.js', 'sql-wasm.wasm'] };

const UNUSED = [
  /\.map$/,
  /\.d\.[cm]?ts$/,
  /^preact\/(src|compat|debug|devtools|test-utils)$/,
  /(^|\/)(README|CHANGELOG|HISTORY)[^/]*\.md$/i,
  // PDFKit's builds and fonts for browsers and old versions of Node take 10 MB.
  /^pdfkit\/js\/pdfkit\.(browser|old|standalone)/,
  /^fontkit\/dist\/browser/,
  // Bundling the scripts of pages needs only this build.
  /^terra-draw[\w-]*\/dist\/(?!.*\.modern\.js$)./,
];

if (!existsSync('vitest')) {
  for (const folder of FOLDERS) rmSync(folder, { recursive: true, force: true });
  if (existsSync(SQLITE.folder)) {
    for (const name of readdirSync(SQLITE.folder)) {
      if (!SQLITE.used.includes(name)) rmSync(`${SQLITE.folder}/${name}`);
    }
  }
  for (const name of readdirSync('.', { recursive: true, encoding: 'utf8' })) {
    if (UNUSED.some((pattern) => pattern.test(name)))
      rmSync(name, { recursive: true, force: true });
  }
}
