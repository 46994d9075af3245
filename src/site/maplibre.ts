/**
 * Serves MapLibre GL from its package on this origin. Its worker is a file of its own, so a page's
 * Content-Security-Policy has to allow workers from `'self'` only.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { IMMUTABLE, sitePage, type SitePage } from './page.ts';

const require = createRequire(import.meta.url);

const { version } = require('maplibre-gl/package.json') as { version: string };

const JAVASCRIPT = 'text/javascript; charset=utf-8';
const TYPES = {
  'maplibre-gl.mjs': JAVASCRIPT,
  // The module loads it from its own folder.
  'maplibre-gl-worker.mjs': JAVASCRIPT,
  'maplibre-gl.css': 'text/css; charset=utf-8',
} as const;

/** Returns a path from the site root. It contains the version, so its content never changes. */
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
