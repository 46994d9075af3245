/** Stylesheets, browser scripts, fonts, and the icon that pages load. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, posix } from 'node:path';
import { projectFile } from '../../base/geodata/project-files.ts';
import { paletteCss } from './colors.ts';

const require = createRequire(import.meta.url);

/** Path of a stylesheet or a page's script relative to `src/doors/site`, such as `account/script.ts` */
export type AssetName = `${string}.css` | `${string}.ts` | `${string}.tsx`;

export const isScript = (name: AssetName) => !name.endsWith('.css');

const sourceText = (name: string) => readFileSync(projectFile(`src/doors/site/${name}`), 'utf8');

const sheetText = (name: string) =>
  name === 'site.css'
    ? paletteCss() + sourceText(name) + sourceText('account/style.css')
    : sourceText(name);

/** The scripts as `run/build/bundle-scripts.js` bundles them */
const SCRIPTS = projectFile('dist/scripts');

const filesIn = (folder: string, ending: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith(ending),
  );

interface Assets {
  /** By path: `site.css`, `account/script.js` */
  texts: ReadonlyMap<string, string>;
  /** Hash of all texts */
  version: string;
}

let loaded: Assets | undefined;

function assets(): Assets {
  if (loaded) return loaded;
  const sheets = filesIn(projectFile('src/doors/site'), '.css');
  const scripts = filesIn(SCRIPTS, '.js');
  const texts = new Map([
    ...sheets.map((name) => [name, sheetText(name)] as const),
    ...scripts.map((name) => [name, readFileSync(join(SCRIPTS, name), 'utf8')] as const),
  ]);
  const hash = createHash('sha256').update(JSON.stringify([...texts]));
  loaded = { texts, version: hash.digest('base64url').slice(0, 8) };
  return loaded;
}

/**
 * Returns the address of an asset, relative to the site's root. All addresses change when any asset
 * changes, so caches hold only files of one version for a page. Addresses of a version start alike,
 * because scripts import their shared parts by relative paths.
 */
export function assetPath(name: AssetName): string {
  const { texts, version } = assets();
  const file = fileOf(name);
  if (!texts.has(file)) {
    throw new Error(
      `There is no stylesheet or bundled script ${name}. List a script with another name than script.ts or ` +
        'script.tsx in src/run/build/bundle-scripts.js.',
    );
  }
  return versionedPath(version, file);
}

/** A static import, which a module loads before it runs */
const IMPORT = /\b(?:from|import)\s*["'](\.[^"']+)["']/g;

const importedBy = new Map<AssetName, readonly string[]>();

/**
 * Returns the addresses of the files that a script imports, directly or indirectly, except those that it
 * loads later.
 */
export function importedPaths(script: AssetName): readonly string[] {
  const known = importedBy.get(script);
  if (known) return known;
  const { texts, version } = assets();
  const found = new Set([fileOf(script)]);
  for (const file of found) {
    for (const [, path] of texts.get(file)!.matchAll(IMPORT)) {
      found.add(posix.join(posix.dirname(file), path!));
    }
  }
  const paths = [...found].slice(1).map((file) => versionedPath(version, file));
  importedBy.set(script, paths);
  return paths;
}

const fileOf = (name: AssetName) => name.replace(/\.tsx?$/, '.js');

const versionedPath = (version: string, file: string) => `/assets/${version}/${file}`;

export const assetText = (name: AssetName): string => assets().texts.get(fileOf(name))!;

export const assetTexts = () => assets().texts;

export const assetVersion = () => assets().version;

/**
 * The path of an asset in any version. During a deployment, processes of two versions answer. A page may
 * get files of the other version, which nothing may cache at this version's addresses.
 */
export const anyVersionPath = (file: string) => versionedPath('{version}', file);

export const FAVICON_PATH = '/favicon.svg';

/** Latin script, 13 kB each; `site.css` names the same files. */
const FONT_WEIGHTS = [400, 600] as const;

export const FONTS = FONT_WEIGHTS.map((weight) => ({
  path: `/noto-sans-${weight}.woff2`,
  file: require.resolve(`@fontsource/noto-sans/files/noto-sans-latin-${weight}-normal.woff2`),
}));
