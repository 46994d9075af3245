/** Swagger UI for the API reference, served from its package on our own origin. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { IMMUTABLE } from '../media-types.ts';
import type { Operation } from '../../contract/operation.ts';
import { data } from '../framework/data.ts';

const require = createRequire(import.meta.url);

const { version } = require('swagger-ui-dist/package.json') as { version: string };

/** Media type and file in the package, by name */
const FILES = {
  'swagger-ui.css': ['text/css; charset=utf-8', 'swagger-ui.css'],
  'swagger-ui.js': ['text/javascript; charset=utf-8', 'swagger-ui-bundle.js'],
} as const;

/** Path from the site's root. It contains the version, so its content never changes. */
export const swaggerPath = (file: keyof typeof FILES) => `/swagger-ui/${version}/${file}`;

export function swaggerAssets(): Operation[] {
  return Object.entries(FILES).map(([name, [type, file]]) =>
    data({
      audience: 'public',
      path: swaggerPath(name as keyof typeof FILES),
      type,
      headers: () => IMMUTABLE,
      make: () => readFile(require.resolve(`swagger-ui-dist/${file}`)),
    }),
  );
}
