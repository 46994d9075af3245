/** Style sheets, browser scripts, fonts, and the icon that pages load. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { posix } from 'node:path';
import { compiledModule, projectFile } from '../paths.ts';
import { packageModules, withRelativeImports } from './browser-packages.ts';
import { paletteCss } from './colors.ts';

const require = createRequire(import.meta.url);

/** Path of a style sheet or browser script relative to `src/site`, such as `account/script.ts` */
export type AssetName = `${string}.css` | `${string}.ts` | `${string}.tsx`;

export const isScript = (name: string) => /(^|\/)(script|browser\/[\w-]+)\.tsx?$/.test(name);

const isAsset = (name: string): name is AssetName => name.endsWith('.css') || isScript(name);

const sourceText = (name: string) => readFileSync(projectFile(`src/site/${name}`), 'utf8');

function assetText(name: AssetName): string {
  if (name === 'site.css') return paletteCss() + sourceText(name) + sourceText('account/style.css');
  if (!isScript(name)) return sourceText(name);
  return withRelativeImports(name, readFileSync(compiledModule(`site/${name}`), 'utf8'));
}

interface Assets {
  /** By file name, including modules of packages */
  texts: ReadonlyMap<AssetName | `${string}.js`, string>;
  /** Hash of all texts */
  version: string;
}

let loaded: Assets | undefined;

function assets(): Assets {
  if (loaded) return loaded;
  const names = readdirSync(projectFile('src/site'), { recursive: true, encoding: 'utf8' });
  const texts = new Map([
    ...names.filter(isAsset).map((name) => [name, assetText(name)] as const),
    ...packageModules(),
  ]);
  const hash = createHash('sha256').update(JSON.stringify([...texts]));
  loaded = { texts, version: hash.digest('base64url').slice(0, 8) };
  return loaded;
}

/**
 * Returns the address of an asset, relative to the site's root. All addresses change when any asset
 * changes, so a cache never mixes files of two versions. They differ only after the version, because
 * modules import each other by the relative paths of their sources.
 */
export function assetPath(name: AssetName): string {
  const { texts, version } = assets();
  if (!texts.has(name)) throw new Error(`There is no src/site/${name}`);
  return versionedPath(version, name);
}

/** A static import, which a module loads before it runs */
const IMPORT = /\b(?:from|import)\s*["'](\.[^"']+)["']/g;

const importedBy = new Map<AssetName, readonly string[]>();

/**
 * Returns the addresses of the modules that a script imports, directly or indirectly, except those that it
 * loads later.
 */
export function importedPaths(script: AssetName): readonly string[] {
  const known = importedBy.get(script);
  if (known) return known;
  const { texts, version } = assets();
  const modules = new Map(Array.from(texts, ([name, text]) => [fileOf(name), text]));
  const found = new Set([fileOf(script)]);
  for (const file of found) {
    const text = modules.get(file) ?? '';
    for (const [, path] of text.matchAll(IMPORT)) {
      const imported = posix.join(posix.dirname(file), path!);
      if (modules.has(imported)) found.add(imported);
    }
  }
  const paths = [...found].slice(1).map((file) => versionedPath(version, file));
  importedBy.set(script, paths);
  return paths;
}

const fileOf = (name: string) => name.replace(/\.tsx?$/, '.js');

const versionedPath = (version: string, name: string) => `/assets/${version}/${fileOf(name)}`;

export const assetTexts = () => assets().texts;

/**
 * The path of an asset in any version, since a page of another version may request it during a deployment.
 */
export const anyVersionPath = (name: string) => versionedPath('{version}', name);

export const FAVICON_PATH = '/favicon.svg';

/** Latin script, 13 kB each; `site.css` names the same files. */
const FONT_WEIGHTS = [400, 600] as const;

export const FONTS = FONT_WEIGHTS.map((weight) => ({
  path: `/noto-sans-${weight}.woff2`,
  file: require.resolve(`@fontsource/noto-sans/files/noto-sans-latin-${weight}-normal.woff2`),
}));
