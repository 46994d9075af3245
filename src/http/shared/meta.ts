/** What a share says of itself. */
import { z } from 'zod';
import { operation, type Operation } from '../../contract/operation.ts';
import { jsonText, PreparedAnswer } from '../../contract/prepared.ts';
import type { Database } from '../../db/database.ts';
import { SHARE_KINDS } from '../../share/links.ts';
import { openShare, type ShareMeta } from '../../share/open-share.ts';
import { EXAMPLE_TOKEN } from '../../share/token.ts';
import { ASK_EACH_TIME, SHARED, tokenParam } from './answers.ts';

const text = z.string().nullable().optional();
const moment = z.iso.datetime().nullable().optional();

const SharedMapMeta = z
  .object({
    token: z.string(),
    kind: z.enum(SHARE_KINDS).meta({
      description: 'Shows what the brand holds now (`brand`), or what it held (`zip_snapshot`)',
    }),
    brandName: text.meta({ description: 'Null with branding hidden' }),
    createdByName: text.meta({
      description: 'The person who minted it; null with branding hidden, and for an API key',
    }),
    hideBranding: z.boolean().optional(),
    expiresAt: moment,
    createdAt: moment,
    title: text,
    vertical: text.meta({ description: 'Slug of what the territory is for' }),
    frozenAt: moment.meta({ description: 'When the ZIPs were frozen; null unless a snapshot' }),
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
};

export function metaOperation(db: Database): Operation {
  return operation({
    ...SHARED,
    id: 'getSharedMapMeta',
    path: '/shared/{token}/meta',
    summary: 'What a shared map is',
    description:
      'Title, brand and dates of a share link. A link that is unknown, was revoked or has expired ' +
      'is 404, and nobody is told which. The answer may be kept but is asked for again each time: ' +
      'a link that is revoked closes at once.',
    params: z.object({ token: tokenParam }),
    answers: {
      200: { description: 'The map', cached: true, schema: SharedMapMeta, example: EXAMPLE },
    },
    handle: async ({ params: { token } }) => ({
      status: 200,
      headers: ASK_EACH_TIME,
      body: new PreparedAnswer(
        jsonText(SharedMapMeta, publicMeta((await openShare(db, token)).meta)),
      ),
    }),
  });
}

/** Field by field: what the room may come to know is not to be told by that alone. */
function publicMeta(meta: ShareMeta): z.output<typeof SharedMapMeta> {
  return {
    token: meta.token,
    kind: meta.kind,
    brandName: meta.brandName,
    createdByName: meta.createdByName,
    hideBranding: meta.hideBranding,
    expiresAt: meta.expiresAt.toISOString(),
    createdAt: meta.createdAt.toISOString(),
    title: meta.title,
    vertical: meta.vertical,
    frozenAt: meta.frozenAt?.toISOString() ?? null,
  };
}
