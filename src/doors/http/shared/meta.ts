/** The metadata of a shared map. */
import { z } from 'zod';
import type { Roots } from '../../../base/contract/openapi/about.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { jsonText, PreparedAnswer } from '../../../base/contract/prepared.ts';
import type { Database } from '../../../base/db/database.ts';
import { SHARE_KINDS } from '../../../territories/share/links.ts';
import { openShare, type OpenShare } from '../../../territories/share/open-share.ts';
import { EXAMPLE_TOKEN } from '../../../territories/share/token.ts';
import { logoPath } from '../../../territories/brands/branding.ts';
import { REVALIDATE, SHARED, tokenParam } from './answers.ts';

const text = z.string().nullable().optional();
const moment = z.iso.datetime().nullable().optional();

const SharedMapMeta = z
  .object({
    token: z.string(),
    kind: z
      .enum(SHARE_KINDS)
      .meta({
        description:
          '`brand` shows the current territory; `zip_snapshot` shows it as of `frozenAt`',
      }),
    brandName: text.meta({ description: 'Null if branding is hidden' }),
    createdByName: text.meta({
      description:
        'Person who created the link. Null if branding is hidden or an API key created it.',
    }),
    hideBranding: z.boolean().optional(),
    expiresAt: moment,
    createdAt: moment,
    title: text,
    vertical: text.meta({ description: 'Slug of the vertical' }),
    frozenAt: moment.meta({ description: 'When the snapshot was taken; null for `brand`' }),
    accent: text.meta({
      description:
        'Accent color of the brand’s maps, like `#1d6f74`, with a contrast of at least 3:1 on white. ' +
        'Null if branding is hidden or the brand has none.',
    }),
    logoUrl: text.meta({
      description:
        'PNG of the brand’s logo. The URL changes with the logo. Null if branding is hidden or the brand ' +
        'has none.',
    }),
  })
  .meta({ id: 'SharedMapMeta', description: 'A shared map' });

const EXAMPLE: z.output<typeof SharedMapMeta> = {
  token: EXAMPLE_TOKEN,
  kind: 'brand',
  brandName: 'Lone Star Roofing',
  createdByName: null,
  hideBranding: false,
  expiresAt: '2026-12-21T06:00:00.000Z',
  createdAt: '2026-11-21T06:00:00.000Z',
  title: 'Where we roof',
  vertical: 'roofing',
  frozenAt: null,
  accent: '#1d6f74',
  logoUrl: `https://territory.example.com/logos/${'3f9a'.repeat(16)}.png`,
};

export function metaOperation(db: Database, roots: () => Roots): Operation {
  return operation({
    ...SHARED,
    id: 'getSharedMapMeta',
    path: '/shared/{token}/meta',
    summary: 'Get a shared map',
    description:
      'Returns the title, brand with its look, and dates of a share link. Unknown, revoked, and expired links all ' +
      'return the same 404. Clients must revalidate cached responses, so that a revoked link closes ' +
      'at once.',
    params: z.object({ token: tokenParam }),
    answers: {
      200: { description: 'The shared map', cached: true, schema: SharedMapMeta, example: EXAMPLE },
    },
    handle: async ({ params: { token } }) => ({
      status: 200,
      headers: REVALIDATE,
      body: new PreparedAnswer(
        jsonText(SharedMapMeta, publicMeta(await openShare(db, token), roots().site)),
      ),
    }),
  });
}

/** Keeps only declared fields, so that new fields of `ShareMeta` don't become public by accident. */
const publicMeta = ({ meta, brand: { accent, logo } }: OpenShare, site: string) =>
  SharedMapMeta.parse({
    ...meta,
    expiresAt: meta.expiresAt.toISOString(),
    createdAt: meta.createdAt.toISOString(),
    frozenAt: meta.frozenAt?.toISOString() ?? null,
    accent,
    logoUrl: logo && site + logoPath(logo),
  });
