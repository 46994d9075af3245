/** What new boundaries took from a brand's territory. */
import { z } from 'zod';
import { exactQuery } from '../../../base/contract/exact-query.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { ZipCode } from '../../../base/contract/resources.ts';
import { badRequest } from '../../../errors.ts';
import { findBrand } from '../../../territories/brands/brands.ts';
import {
  brandLossText,
  lossesOfBrand,
  type BrandLosses,
} from '../../../territories/brands/boundaries/losses.ts';
import { isNamed } from '../../../territories/brands/named-brands.ts';
import { NO_STORE, SUBSCRIBED } from '../agent/shared.ts';

const share = z.number().min(0).max(100);

export const BoundaryChangesBody = z
  .object({
    brand: z.string(),
    brandName: z.string(),
    boundariesBefore: z.string().nullable(),
    boundariesAfter: z.string().nullable(),
    importedAt: z.iso.datetime().nullable(),
    losses: z.array(
      z.object({
        zipCode: ZipCode,
        lostPct: share.meta({ description: 'Of its area before' }),
        ended: z.boolean().meta({ description: 'Whether the new boundaries don’t have it' }),
        to: z.array(
          z.object({
            zipCode: ZipCode.nullable().meta({ description: 'Null: no ZIP code' }),
            pct: share,
            households: z
              .int()
              .nullable()
              .meta({ description: 'If households are spread evenly; null: unknown' }),
            holders: z
              .array(z.string())
              .meta({ description: 'Names of brands that hold it, as far as the caller may know' }),
          }),
        ),
        text: z
          .string()
          .meta({
            description:
              '`75201 lost 12% of its area (about 1,310 households) to 75270, which nobody holds`',
          }),
      }),
    ),
    restoring: z
      .array(ZipCode)
      .meta({
        description: 'ZIP codes that nobody holds: requesting them restores the agreed area',
      }),
  })
  .meta({
    id: 'BoundaryChanges',
    examples: [
      {
        brand: 'lone-star-roofing',
        brandName: 'Lone Star Roofing',
        boundariesBefore: 'Census 2010 ZCTAs',
        boundariesAfter: 'Census 2020 ZCTAs',
        importedAt: '2026-11-29T10:00:00.000Z',
        losses: [
          {
            zipCode: '75201',
            lostPct: 12,
            ended: false,
            to: [{ zipCode: '75270', pct: 12, households: 1_310, holders: [] }],
            text: '75201 lost 12% of its area (about 1,310 households) to 75270, which nobody holds',
          },
        ],
        restoring: ['75270'],
      },
    ],
  });

export const boundaryChangesOperation = (): Operation =>
  operation({
    ...SUBSCRIBED,
    tag: 'Census',
    id: 'getBoundaryChanges',
    method: 'get',
    path: '/agent/boundary-changes',
    summary: 'Find out what new boundaries took from a brand',
    description:
      'Compares the last two imported sets of boundaries: which ZIP codes that the brand holds live lost some of their area, ' +
      'to which others it went, who holds these, and which ones would restore the agreed area. What the brand holds again is ' +
      'left out. Free.',
    query: exactQuery({
      brand: z
        .string()
        .min(1)
        .max(120)
        .optional()
        .meta({ description: 'Slug, name, or id. Required' }),
    }),
    answers: { 200: { description: 'The losses', schema: BoundaryChangesBody } },
    errors: [402, 404],
    handle: async ({ caller, query }) => {
      const { tenant, brandScope } = caller;
      if (query.brand === undefined) throw badRequest('Give the brand, by slug, name, or id.');
      const brand = await findBrand(tenant, brandScope, query.brand);
      const found = await lossesOfBrand(tenant, brand);
      return {
        status: 200,
        headers: NO_STORE,
        body: { brand: brand.slug, brandName: brand.name, ...lossesBody(found) },
      };
    },
  });

const percent = (part: number) => Math.round(1000 * part) / 10;

const lossesBody = (found: BrandLosses | null) => ({
  boundariesBefore: found?.report.vintageBefore ?? null,
  boundariesAfter: found?.report.vintageAfter ?? null,
  importedAt: found?.report.importedAt.toISOString() ?? null,
  losses: (found?.losses ?? []).map((loss) => ({
    zipCode: loss.zip,
    lostPct: percent(loss.share),
    ended: loss.ended,
    to: loss.gone.map(({ nowIn, share, households, holders }) => ({
      zipCode: nowIn,
      pct: percent(share),
      households,
      holders: holders.filter(isNamed).map(({ name }) => name),
    })),
    text: brandLossText(loss),
  })),
  restoring: found?.restoring ?? [],
});
