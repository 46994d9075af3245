/** The routes of stylesheets, scripts, fonts, the icon, MapLibre GL, and logos. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Operation } from '../../base/contract/operation.ts';
import type { Queryable } from '../../base/db/database.ts';
import { projectFile } from '../../base/geodata/project-files.ts';
import { logoByHash } from '../../territories/brands/branding.ts';
import { COMPONENT_PATH } from '../http/locators/embed.ts';
import {
  anyVersionPath,
  assetText,
  assetTexts,
  assetVersion,
  FAVICON_PATH,
  FONTS,
} from './assets.ts';
import { data } from './framework/data.ts';
import { MAPLIBRE_FILES } from './maplibre.ts';
import { IMMUTABLE } from './media-types.ts';
import { WEBAUTHN_FILE, webAuthnPath } from './webauthn.ts';

export function assetRoutes(db: Queryable): Operation[] {
  return [
    ...Array.from(assetTexts(), ([name, text]) =>
      data({
        audience: 'public',
        path: anyVersionPath(name),
        params: z.object({ version: z.string() }),
        type: `text/${name.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`,
        headers: ({ version }) =>
          version === assetVersion() ? IMMUTABLE : { 'Cache-Control': 'no-store' },
        contentKey: () => '',
        make: async () => text,
      }),
    ),
    ...MAPLIBRE_FILES.map(({ path, type, file }) =>
      data({
        audience: 'public',
        path,
        type,
        headers: () => IMMUTABLE,
        make: () => readFile(file),
      }),
    ),
    data({
      audience: 'public',
      path: webAuthnPath,
      type: 'text/javascript; charset=utf-8',
      headers: () => IMMUTABLE,
      make: () => readFile(WEBAUTHN_FILE),
    }),
    // Websites of organizations load it, from an address that stays.
    data({
      audience: 'public',
      path: COMPONENT_PATH,
      type: 'text/javascript; charset=utf-8',
      maxAgeSeconds: 3_600,
      make: async () => assetText('locator/component/script.ts'),
    }),
    ...FONTS.map(({ path, file }) =>
      data({ audience: 'public', path, type: 'font/woff2', make: () => readFile(file) }),
    ),
    data({
      audience: 'public',
      path: '/logos/{hash}.png',
      params: z.object({ hash: z.string() }),
      type: 'image/png',
      headers: () => IMMUTABLE,
      make: ({ hash }) => logoByHash(db, hash),
    }),
    data({
      audience: 'public',
      path: FAVICON_PATH,
      type: 'image/svg+xml',
      make: () => readFile(projectFile('src/doors/site/favicon.svg')),
    }),
  ];
}
