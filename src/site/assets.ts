/** What pages load besides maps: one style sheet, two weights of the maps' font, the icon. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { projectFile } from '../paths.ts';
import { paletteCss } from './colors.ts';
import { sitePage, type SitePage } from './page.ts';

const require = createRequire(import.meta.url);

const asset = (name: string) => readFileSync(projectFile(`src/site/${name}`), 'utf8');

/** Layout and type, in the colours of the maps. */
const styleSheet = () => paletteCss() + asset('site.css') + asset('account/account.css');

export const FAVICON_PATH = '/favicon.svg';

/** Of Latin script, 13 kB each; `site.css` names them too. */
const FONT_WEIGHTS = [400, 600] as const;

export const FONT_PATHS = FONT_WEIGHTS.map((weight) => `/noto-sans-${weight}.woff2`);

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 8);

let hashed: string | undefined;
let accountScript: string | undefined;

/** With a hash, so that a page never meets the style sheet of another version in a cache. */
export function styleSheetPath(): string {
  hashed ??= hashOf(styleSheet());
  return `/site.css?v=${hashed}`;
}

export function accountScriptPath(): string {
  accountScript ??= hashOf(asset(ACCOUNT_SCRIPT));
  return `/account.js?v=${accountScript}`;
}

const ACCOUNT_SCRIPT = 'account/account.js';

export function assetPages(): SitePage[] {
  return [
    sitePage({
      path: '/site.css',
      type: 'text/css; charset=utf-8',
      make: async () => styleSheet(),
    }),
    ...FONT_WEIGHTS.map((weight, i) =>
      sitePage({
        path: FONT_PATHS[i]!,
        type: 'font/woff2',
        make: () => readFile(fontFile(weight)),
      }),
    ),
    sitePage({
      path: '/account.js',
      type: 'text/javascript; charset=utf-8',
      make: async () => asset(ACCOUNT_SCRIPT),
    }),
    sitePage({ path: FAVICON_PATH, type: 'image/svg+xml', make: async () => asset('favicon.svg') }),
  ];
}

const fontFile = (weight: number) =>
  require.resolve(`@fontsource/noto-sans/files/noto-sans-latin-${weight}-normal.woff2`);
