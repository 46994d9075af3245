/** What the reference loads: Swagger UI from its package, and how we start and clothe it. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { projectFile } from '../paths.ts';
import { sitePage, type SitePage } from './page.ts';

const require = createRequire(import.meta.url);

const CSS = 'text/css; charset=utf-8';
const JAVASCRIPT = 'text/javascript; charset=utf-8';

/** By their paths at the site's root: media type and where they lie */
const FILES: Record<string, [type: string, file: string]> = {
  '/docs/docs.css': [CSS, projectFile('src/site/docs.css')],
  '/docs/docs.js': [JAVASCRIPT, projectFile('src/site/docs.js')],
  '/docs/swagger-ui.css': [CSS, require.resolve('swagger-ui-dist/swagger-ui.css')],
  '/docs/swagger-ui.js': [JAVASCRIPT, require.resolve('swagger-ui-dist/swagger-ui-bundle.js')],
};

const { version } = require('swagger-ui-dist/package.json') as { version: string };

/** With the version, so that a page never meets the files of another in a cache. */
export const versioned = (path: keyof typeof FILES) => `${path}?v=${version}`;

export function docsAssets(): SitePage[] {
  return Object.entries(FILES).map(([path, [type, file]]) =>
    sitePage({ path, type, make: () => readFile(file) }),
  );
}
