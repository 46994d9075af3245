/**
 * MapLibre GL for the maps of pages: from its package, on our own origin. It is three modules in two
 * threads, so that the policy of a page need allow no worker but one of `'self'`.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { IMMUTABLE, sitePage, type SitePage } from './page.ts';

const require = createRequire(import.meta.url);

const { version } = require('maplibre-gl/package.json') as { version: string };

const JAVASCRIPT = 'text/javascript; charset=utf-8';
const TYPES = {
  'maplibre-gl.mjs': JAVASCRIPT,
  // Asked for by the module, beside itself
  'maplibre-gl-worker.mjs': JAVASCRIPT,
  'maplibre-gl.css': 'text/css; charset=utf-8',
} as const;

/** From the site's root. With the version: what is there never changes. */
export const maplibrePath = (file: keyof typeof TYPES) => `/maplibre-gl/${version}/${file}`;

export function maplibreAssets(): SitePage[] {
  return Object.entries(TYPES).map(([file, type]) =>
    sitePage({
      path: maplibrePath(file as keyof typeof TYPES),
      type,
      headers: () => IMMUTABLE,
      make: () => readFile(require.resolve(`maplibre-gl/dist/${file}`)),
    }),
  );
}
