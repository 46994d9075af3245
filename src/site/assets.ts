/** What pages load of ours: style sheets, scripts, two weights of the maps' font, the icon. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { projectFile } from '../paths.ts';
import { paletteCss } from './colors.ts';
import { FOR_EVER, sitePage, type SitePage } from './page.ts';

const require = createRequire(import.meta.url);

const fileText = (name: string) => readFileSync(projectFile(`src/site/${name}`), 'utf8');

/** By name at the site's root: how its text comes about */
const TEXTS = {
  /** Layout and type, in the colours of the maps */
  'site.css': () => paletteCss() + fileText('site.css') + fileText('account/account.css'),
  'account.js': () => fileText('account/account.js'),
  'map-view.css': () => fileText('map-view.css'),
  'map-view.js': () => fileText('map-view.js'),
  'territory-map.js': () => moduleText('account/brands/territory-map.js'),
  'brand.css': () => fileText('account/brands/brand.css'),
  'brand.js': () => moduleText('account/brands/brand.js'),
  'reviews.css': () => fileText('account/reviews/reviews.css'),
  'reviews.js': () => moduleText('account/reviews/reviews.js'),
  'shares.css': () => fileText('account/shares.css'),
  'transfer.css': () => fileText('account/brands/transfer.css'),
  'transfer.js': () => fileText('account/brands/transfer.js'),
  'targeting.css': () => fileText('account/targeting.css'),
  'targeting.js': () => fileText('account/targeting.js'),
  'consent.css': () => fileText('oauth/consent.css'),
  'shared-map.css': () => fileText('shared-map.css'),
  'shared-map.js': () => moduleText('shared-map.js'),
  'docs.css': () => fileText('docs/docs.css'),
  'docs.js': () => fileText('docs/docs.js'),
  'docs-index.js': () => fileText('docs/docs-index.js'),
  'reference.css': () => fileText('docs/reference.css'),
  'reference.js': () => fileText('docs/reference.js'),
} as const satisfies Record<string, () => string>;

export type AssetName = keyof typeof TEXTS;

/** A script with those that it imports by their addresses here: each with its hash. */
function moduleText(file: string): string {
  return fileText(file).replaceAll(
    /(?<= from ')\.[./\w-]*\/([\w-]+\.js)(?=';)/g,
    (_, name: AssetName) => `.${assetPath(name)}`,
  );
}

const hashes = new Map<AssetName, string>();

/** With a hash, so that a page never meets the file of another version in a cache. */
export function assetPath(name: AssetName): string {
  let hash = hashes.get(name);
  if (hash === undefined) {
    hash = createHash('sha256').update(TEXTS[name]()).digest('base64url').slice(0, 8);
    hashes.set(name, hash);
  }
  return `/${name}?v=${hash}`;
}

export const isScript = (name: AssetName) => name.endsWith('.js');

export const FAVICON_PATH = '/favicon.svg';

/** Of Latin script, 13 kB each; `site.css` names them too. */
const FONT_WEIGHTS = [400, 600] as const;

export const FONT_PATHS = FONT_WEIGHTS.map((weight) => `/noto-sans-${weight}.woff2`);

export function assetPages(): SitePage[] {
  return [
    ...(Object.keys(TEXTS) as AssetName[]).map((name) =>
      sitePage({
        path: `/${name}`,
        type: `text/${isScript(name) ? 'javascript' : 'css'}; charset=utf-8`,
        headers: () => FOR_EVER,
        make: async () => TEXTS[name](),
      }),
    ),
    ...FONT_WEIGHTS.map((weight, i) =>
      sitePage({
        path: FONT_PATHS[i]!,
        type: 'font/woff2',
        make: () => readFile(fontFile(weight)),
      }),
    ),
    sitePage({
      path: FAVICON_PATH,
      type: 'image/svg+xml',
      make: async () => fileText('favicon.svg'),
    }),
  ];
}

const fontFile = (weight: number) =>
  require.resolve(`@fontsource/noto-sans/files/noto-sans-latin-${weight}-normal.woff2`);
