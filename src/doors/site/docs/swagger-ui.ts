/** Serves the files of Swagger UI from its npm package, for the API reference. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { IMMUTABLE } from '../media-types.ts';
import type { Operation } from '../../../base/contract/operation.ts';
import { data } from '../framework/data.ts';

const require = createRequire(import.meta.url);

const { version } = require('swagger-ui-dist/package.json') as { version: string };

/** Media type and file in the package, by name */
const FILES = {
  'swagger-ui.css': ['text/css; charset=utf-8', 'swagger-ui.css'],
  'swagger-ui.js': ['text/javascript; charset=utf-8', 'swagger-ui-bundle.js'],
} as const;

/** Path relative to the site's root. It contains the version, so the content at a path never changes. */
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
