/**
 * MapLibre GL, served from its package on our own origin. Its worker is a separate module, so a page's
 * policy only has to allow workers from `'self'`.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

const { version } = require('maplibre-gl/package.json') as { version: string };

const JAVASCRIPT = 'text/javascript; charset=utf-8';
const TYPES = {
  'maplibre-gl.mjs': JAVASCRIPT,
  // The library loads the worker from its own folder.
  'maplibre-gl-worker.mjs': JAVASCRIPT,
  'maplibre-gl.css': 'text/css; charset=utf-8',
} as const;

/** Contains the version, so the file at a path never changes. */
export const maplibrePath = (file: keyof typeof TYPES) => `/maplibre-gl/${version}/${file}`;

export const MAPLIBRE_FILES = Object.entries(TYPES).map(([file, type]) => ({
  path: maplibrePath(file as keyof typeof TYPES),
  type,
  file: require.resolve(`maplibre-gl/dist/${file}`),
}));
