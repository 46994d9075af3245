/**
 * Bundles the scripts of pages: a file for each script, with the path of its source in `src/doors/site`, and files
 * for modules that several scripts share. Pages then load a few files instead of a hundred.
 */
import { readdirSync } from 'node:fs';
import { bundle } from './bundle.js';

const SITE = 'src/doors/site';
/** Scripts that several pages load, or that a page loads before its own script */
const SCRIPTS_BY_NAME = [
  'browser/header-search.ts',
  'browser/live-map.ts',
  'browser/passkey.ts',
  'browser/show-password.ts',
  'workspace/browser/start.ts',
];

const isScript = (name) => /(^|\/)script\.tsx?$/.test(name) || SCRIPTS_BY_NAME.includes(name);

/** @param folder for the bundled files; its content is replaced */
export async function bundleScripts(folder) {
  const scripts = readdirSync(SITE, { recursive: true, encoding: 'utf8' }).filter(isScript);
  const input = {
    input: Object.fromEntries(
      scripts.map((name) => [name.replace(/\.tsx?$/, ''), `${SITE}/${name}`]),
    ),
    platform: 'browser',
    tsconfig: `${SITE}/tsconfig.json`,
  };
  await bundle(input, {
    dir: folder,
    cleanDir: true,
    minify: true,
    // Keeps the names of exports, because a page may get files of two versions during a deployment.
    minifyInternalExports: false,
    entryFileNames: '[name].js',
    chunkFileNames: 'shared/[name].js',
  });
}
