/** Requests and responses of the operations on groups of brands. */
import { z } from 'zod';
import { actorName } from '../../../people/account/caller.ts';
import { NextCursor } from '../../../base/contract/paging.ts';
import { exampleOf, ZipCode } from '../../../base/contract/resources.ts';
import {
  resolutionOf,
  type GroupOverlap,
} from '../../../territories/brands/groups/existing-overlaps.ts';
import type { BrandGroup } from '../../../territories/brands/groups/groups.ts';
import { MAX_REASON_LENGTH, type Reserve } from '../../../territories/brands/groups/reserves.ts';
import { RULES } from '../../../territories/brands/groups/rules.ts';
import { MAX_ZIPS_PER_CHANGE } from '../../../territories/brands/validate-zips.ts';

const name = z.string().min(1).max(120);
const NamedBrand = z.object({
  brand: z.string().meta({ description: 'Slug' }),
  brandName: z.string(),
});

export const groupParams = z.object({ group: name.meta({ description: 'Id or name of a group' }) });

export const reserveParams = groupParams.extend({
  reserve: z.uuid().meta({ description: 'Id of a reserve' }),
});

const rule = z
  .enum(RULES)
  .meta({
    description:
      'For a ZIP code that several brands of the group hold: `allow` shows no flag, `warn` shows the usual flag, and ' +
      '`block` refuses requests and approvals for a ZIP code that another brand holds live',
  });
const showsNames = z
  .boolean()
  .meta({
    description:
      'Whether people and keys with only some brands see the names of the others where these hold a ZIP code. Otherwise ' +
      'they learn only that another brand holds it.',
  });
const brands = z
  .array(name)
  .min(1)
  .max(1_000)
  .meta({ description: 'Slugs, names, or ids of all brands of the group' });

export const NewGroupRequest = z
  .strictObject({ name, rule: rule.default('warn'), showsNames: showsNames.default(false), brands })
  .meta({
    id: 'NewBrandGroupRequest',
    examples: [
      {
        name: 'Franchisees of Lone Star',
        rule: 'block',
        brands: ['lone-star-roofing', 'desert-air-hvac'],
      },
    ],
  });

export const GroupChangeRequest = z
  .strictObject({
    name: name.optional(),
    rule: rule.optional(),
    showsNames: showsNames.optional(),
    brands: brands.optional(),
  })
  .meta({ id: 'BrandGroupChangeRequest', examples: [{ rule: 'block' }] });

export const ReserveBody = z
  .object({
    id: z.uuid(),
    zips: z.array(ZipCode),
    reason: z.string(),
    until: z.iso
      .date()
      .meta({
        description: 'Last day. It ends when that day has ended everywhere in the United States.',
      }),
    open: z.boolean().meta({ description: 'Whether it still counts' }),
    createdBy: z.string(),
    createdAt: z.iso.datetime(),
    endedBy: z
      .string()
      .nullable()
      .meta({ description: 'Name of the person or key that ended it before its last day' }),
    endedAt: z.iso.datetime().nullable(),
  })
  .meta({
    id: 'ZipReserve',
    examples: [
      {
        id: '0c8e4a52-41f3-4c55-9d3e-0b7c5c1e5d11',
        zips: ['75204', '75205'],
        reason: 'Sale in progress',
        until: '2027-03-31',
        open: true,
        createdBy: 'Pat',
        createdAt: '2026-11-22T10:00:00.000Z',
        endedBy: null,
        endedAt: null,
      },
    ],
  });

export const GroupBody = z
  .object({
    id: z.uuid(),
    name,
    rule,
    showsNames,
    brands: z.array(NamedBrand).meta({ description: 'The brands that you may see, by slug' }),
    others: z.int().meta({ description: 'Number of other brands of the group' }),
    overlaps: z
      .int()
      .nullable()
      .meta({
        description:
          'Number of ZIP codes that several brands of the group hold, live or pending. A rule changes none of them. Null ' +
          'unless you may see all brands',
      }),
    createdBy: z.string(),
    createdAt: z.iso.datetime(),
    changedBy: z.string(),
    changedAt: z.iso.datetime(),
  })
  .meta({
    id: 'BrandGroup',
    examples: [
      {
        id: '9f2f1a0e-58a2-4f7a-9a5c-0a6f5fb6c1c2',
        name: 'Franchisees of Lone Star',
        rule: 'block',
        showsNames: false,
        brands: [
          { brand: 'desert-air-hvac', brandName: 'Desert Air HVAC' },
          { brand: 'lone-star-roofing', brandName: 'Lone Star Roofing' },
        ],
        others: 0,
        overlaps: 1,
        createdBy: 'Pat',
        createdAt: '2026-11-20T10:00:00.000Z',
        changedBy: 'Pat',
        changedAt: '2026-11-22T10:00:00.000Z',
      },
    ],
  });

export const GroupListBody = z
  .object({ groups: z.array(GroupBody) })
  .meta({ id: 'BrandGroupList', examples: [{ groups: [exampleOf(GroupBody)] }] });

export const GroupWithReservesBody = GroupBody.extend({
  reserves: z.array(ReserveBody).meta({ description: 'Reserves, those that still count first' }),
}).meta({
  id: 'BrandGroupWithReserves',
  examples: [
    { ...(exampleOf(GroupBody) as z.output<typeof GroupBody>), reserves: [exampleOf(ReserveBody)] },
  ],
});

export const DeletedGroupBody = z
  .object({ deleted: z.string().meta({ description: 'Name of the group' }) })
  .meta({ id: 'DeletedBrandGroup', examples: [{ deleted: 'Franchisees of Lone Star' }] });

export const NewReserveRequest = z
  .strictObject({
    zips: z.array(ZipCode).min(1).max(MAX_ZIPS_PER_CHANGE),
    reason: z
      .string()
      .min(1)
      .max(MAX_REASON_LENGTH)
      .meta({ description: 'People whose requests are refused see it' }),
    until: z.iso.date('must be a date, such as 2027-03-31').meta({ description: 'Last day' }),
  })
  .meta({
    id: 'NewZipReserveRequest',
    examples: [{ zips: ['75204', '75205'], reason: 'Sale in progress', until: '2099-03-31' }],
  });

export const OverlapsBody = z
  .object({
    overlaps: z.array(
      z.object({
        zip: ZipCode,
        holders: z
          .array(
            NamedBrand.extend({ status: z.enum(['live', 'pending']), since: z.iso.datetime() }),
          )
          .meta({ description: 'Live ones first, in the order in which they got it' }),
        resolution: z.string().meta({ description: 'How to resolve the overlap' }),
      }),
    ),
    nextCursor: NextCursor,
  })
  .meta({
    id: 'BrandGroupOverlaps',
    examples: [
      {
        overlaps: [
          {
            zip: '75201',
            holders: [
              {
                brand: 'lone-star-roofing',
                brandName: 'Lone Star Roofing',
                status: 'live',
                since: '2026-10-01T10:00:00.000Z',
              },
              {
                brand: 'desert-air-hvac',
                brandName: 'Desert Air HVAC',
                status: 'live',
                since: '2026-11-01T10:00:00.000Z',
              },
            ],
            resolution: 'Remove 75201 from Desert Air HVAC, which got it last.',
          },
        ],
        nextCursor: null,
      },
    ],
  });

const named = ({ slug, name: brandName }: BrandGroup['brands'][number]) => ({
  brand: slug,
  brandName,
});

/** @param overlaps their number, or null if the caller may not see all brands */
export const groupBody = (
  group: BrandGroup,
  overlaps: number | null,
): z.output<typeof GroupBody> => ({
  id: group.id,
  name: group.name,
  rule: group.rule,
  showsNames: group.showsNames,
  brands: group.brands.map(named),
  others: group.others,
  overlaps,
  createdBy: actorName(group.createdBy),
  createdAt: group.createdAt.toISOString(),
  changedBy: actorName(group.changedBy),
  changedAt: group.changedAt.toISOString(),
});

export const reserveBody = ({
  createdBy,
  createdAt,
  endedBy,
  endedAt,
  ...reserve
}: Reserve): z.output<typeof ReserveBody> => ({
  ...reserve,
  createdBy: actorName(createdBy),
  createdAt: createdAt.toISOString(),
  endedBy: endedBy && actorName(endedBy),
  endedAt: endedAt && endedAt.toISOString(),
});

export const overlapBody = (
  overlap: GroupOverlap,
): z.output<typeof OverlapsBody>['overlaps'][number] => ({
  zip: overlap.zip,
  holders: overlap.holders.map(({ brand, status, since }) => ({
    ...named(brand),
    status,
    since: since.toISOString(),
  })),
  resolution: resolutionOf(overlap),
});
