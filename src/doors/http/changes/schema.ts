/** Requests and responses of the operations on changes. */
import { z } from 'zod';
import { exactQuery } from '../../../base/contract/exact-query.ts';
import { MAX_LIMIT, NextCursor, pageFields } from '../../../base/contract/paging.ts';
import { exampleOf, ZipCode } from '../../../base/contract/resources.ts';
import { wholeNumber } from '../../../base/contract/whole-number.ts';
import { actorName, type Actor } from '../../../people/account/caller.ts';
import {
  CHANGE_SOURCES,
  CHANGE_STATUSES,
  type Change,
} from '../../../territories/brands/changes/read.ts';
import type { RefusedZips as Refused } from '../../../territories/brands/groups/refusal-words.ts';
import { MAX_ZIPS_PER_CHANGE } from '../../../territories/brands/validate-zips.ts';
import { RefusedZips } from '../groups/refused-zips.ts';

const MAX_BRANDS = 100;
const MAX_NOTE = 500;

const ref = z.string().min(1).max(120);
const brand = ref.meta({ description: 'Slug, name, or id of a brand' });
const zips = z.array(ZipCode).max(MAX_ZIPS_PER_CHANGE);
const note = z
  .string()
  .max(MAX_NOTE)
  .optional()
  .meta({ description: 'For the reviewer and the activity log' });
const on = z.iso
  .date('must be a date, such as 2027-01-01')
  .meta({ description: 'The day on which it goes live. Days begin where the organization is' });
const confirm = z
  .boolean()
  .default(false)
  .meta({ description: 'Without it, the response is a preview, and nothing changes' });

export const changeParams = z.object({ change: z.uuid().meta({ description: 'Id of a change' }) });

export const changeListQuery = exactQuery({
  status: z.enum(CHANGE_STATUSES).optional().meta({ description: 'Default: all' }),
  brand: brand.optional(),
  cursor: pageFields().cursor,
  limit: wholeNumber(1, MAX_LIMIT)
    .optional()
    .meta({ type: 'number', description: pageFields().limit.description }),
});

export const NewChangeRequest = z
  .strictObject({
    changes: z
      .array(
        z.strictObject({
          brand,
          add: zips.default([]).meta({ description: 'ZIP codes to request' }),
          remove: zips.default([]).meta({ description: 'ZIP codes to give up' }),
        }),
      )
      .min(1)
      .max(MAX_BRANDS)
      .meta({ description: 'What each brand gets and gives up' }),
    on: on.optional(),
    note,
    confirm,
  })
  .meta({
    id: 'NewChangeRequest',
    examples: [
      {
        changes: [
          { brand: 'lone-star-roofing', remove: ['75201'] },
          { brand: 'desert-air-hvac', add: ['75201'] },
        ],
        note: 'Sold to Desert Air',
      },
    ],
  });

export const TransferRequest = z
  .strictObject({ from: brand, to: brand, zips: zips.min(1), on: on.optional(), note, confirm })
  .meta({
    id: 'TransferRequest',
    examples: [{ from: 'lone-star-roofing', to: 'desert-air-hvac', zips: ['75201'] }],
  });

export const MoveChangeRequest = z
  .strictObject({
    on: on
      .nullable()
      .meta({
        description:
          'The new day. Null: as soon as it’s approved, which is now for a change that’s approved already',
      }),
  })
  .meta({ id: 'MoveChangeRequest', examples: [{ on: '2099-02-01' }] });

export const UndoChangeRequest = z
  .strictObject({ note, confirm })
  .meta({ id: 'UndoChangeRequest', examples: [{}] });

const id = z.uuid();
const time = z.iso.datetime();
const NamedBrand = z.object({
  brand: z.string().meta({ description: 'Slug' }),
  brandName: z.string(),
});

const common = {
  id,
  source: z
    .enum(CHANGE_SOURCES)
    .meta({
      description:
        'What made it: a `save` on the map, a `plan`, a `transfer`, an `import` of a file, a `request` of the API or a tool, or a request to `undo` a change',
    }),
  status: z
    .enum(CHANGE_STATUSES)
    .meta({
      description:
        '`waiting` for a review; `scheduled` for its day; `blocked`, because something kept it from going live on its day; ' +
        '`live`; or ended: `rejected`, `withdrawn`, `undone`',
    }),
  on: on.nullable(),
  note: z.string().nullable(),
  reason: z
    .string()
    .nullable()
    .meta({ description: 'Why it was rejected, or what keeps it from going live' }),
  madeBy: z.string(),
  madeAt: time,
  decidedBy: z.string().nullable(),
  decidedAt: time.nullable(),
  liveAt: time.nullable(),
  endedBy: z.string().nullable().meta({ description: 'Who withdrew or undid it' }),
  endedAt: time.nullable(),
  undoes: id.nullable().meta({ description: 'The change that it reverts, if it asks for an undo' }),
  otherBrands: z.int().meta({ description: 'Number of its brands that you may not see' }),
};

export const ChangeSummaryBody = z
  .object({
    ...common,
    brands: z
      .array(
        NamedBrand.extend({
          addedCount: z.int().nonnegative(),
          removedCount: z.int().nonnegative(),
        }),
      )
      .meta({ description: 'By slug' }),
  })
  .meta({ id: 'ChangeSummary' });

export const ChangeBody = z
  .object({
    ...common,
    brands: z
      .array(
        NamedBrand.extend({
          added: z.array(ZipCode).meta({ description: 'ZIP codes that it gets' }),
          removed: z.array(ZipCode).meta({ description: 'ZIP codes that it gives up' }),
          leftOut: z
            .array(z.object({ zip: ZipCode, reason: z.string() }))
            .meta({ description: 'ZIP codes that a reviewer left out' }),
        }),
      )
      .meta({ description: 'By slug' }),
    obstacles: z
      .array(RefusedZips)
      .meta({
        description:
          'What would keep it from going live, as far as it’s known now. Empty if nothing would, or if it has ended',
      }),
  })
  .meta({
    id: 'Change',
    examples: [
      {
        id: '8d4c2b1a-9e7f-4a6b-8c5d-3e2f1a0b9c8d',
        source: 'transfer',
        status: 'scheduled',
        on: '2027-01-01',
        note: 'Sold to Desert Air',
        reason: null,
        madeBy: 'Pat',
        madeAt: '2026-11-30T10:00:00.000Z',
        decidedBy: 'Rita',
        decidedAt: '2026-11-30T12:00:00.000Z',
        liveAt: null,
        endedBy: null,
        endedAt: null,
        undoes: null,
        otherBrands: 0,
        brands: [
          {
            brand: 'desert-air-hvac',
            brandName: 'Desert Air HVAC',
            added: ['75201'],
            removed: [],
            leftOut: [],
          },
          {
            brand: 'lone-star-roofing',
            brandName: 'Lone Star Roofing',
            added: [],
            removed: ['75201'],
            leftOut: [],
          },
        ],
        obstacles: [],
      },
    ],
  });

const summaryExample = (): unknown => {
  const { brands, obstacles, ...rest } = exampleOf(ChangeBody) as z.output<typeof ChangeBody>;
  return {
    ...rest,
    brands: brands.map(({ added, removed, leftOut, ...named }) => {
      return { ...named, addedCount: added.length, removedCount: removed.length };
    }),
  };
};

export const ChangeListBody = z
  .object({ changes: z.array(ChangeSummaryBody), nextCursor: NextCursor })
  .meta({ id: 'ChangeList', examples: [{ changes: [summaryExample()], nextCursor: null }] });

export const MadeChangeBody = z
  .object({
    status: z.enum(['preview', 'made']),
    next: z.string().meta({ description: 'Next step' }),
    change: ChangeBody.nullable().meta({
      description:
        'The change. Null in a preview, and for a request or a removal of one brand without a day, whose ZIP codes don’t wait for each other',
    }),
    needsReview: z.boolean().meta({ description: 'Whether a reviewer decides on it' }),
    on: on.nullable(),
    brands: z.array(
      NamedBrand.extend({
        added: z.array(ZipCode).meta({ description: 'ZIP codes that it gets' }),
        removed: z.array(ZipCode).meta({ description: 'ZIP codes that it gives up' }),
        liveBefore: z.int().meta({ description: 'Number of live ZIP codes now' }),
        liveAfter: z
          .int()
          .meta({
            description: 'Number of these when the change is live, if nothing else changes',
          }),
        shared: z
          .array(ZipCode)
          .meta({ description: 'Added ZIP codes that other brands hold, too' }),
        already: z
          .array(ZipCode)
          .meta({ description: 'ZIP codes to add that it holds or has requested' }),
        refused: z
          .array(RefusedZips)
          .meta({ description: 'ZIP codes that stay out of the change, by reason' }),
      }),
    ),
  })
  .meta({
    id: 'MadeChange',
    examples: [
      {
        status: 'preview',
        next: 'To make the change, send the same request with "confirm": true.',
        change: null,
        needsReview: true,
        on: '2027-01-01',
        brands: [
          {
            brand: 'lone-star-roofing',
            brandName: 'Lone Star Roofing',
            added: [],
            removed: ['75201'],
            liveBefore: 25,
            liveAfter: 24,
            shared: [],
            already: [],
            refused: [],
          },
          {
            brand: 'desert-air-hvac',
            brandName: 'Desert Air HVAC',
            added: ['75201'],
            removed: [],
            liveBefore: 7,
            liveAfter: 8,
            shared: [],
            already: [],
            refused: [],
          },
        ],
      },
    ],
  });

export const UndoneChangeBody = z
  .object({
    status: z
      .enum(['preview', 'undone', 'requested'])
      .meta({ description: '`requested`: a key asked for it, and a person decides' }),
    next: z.string().meta({ description: 'Next step' }),
    change: ChangeBody.meta({
      description: 'The change. If the undo was requested, the change that reverts it',
    }),
    brands: z.array(
      NamedBrand.extend({
        restored: z.array(ZipCode).meta({ description: 'ZIP codes that return to the brand' }),
        removed: z.array(ZipCode).meta({ description: 'ZIP codes that leave it again' }),
      }),
    ),
    changedSince: z
      .array(ZipCode)
      .meta({ description: 'ZIP codes that someone has changed since, which stay as they are' }),
  })
  .meta({
    id: 'UndoneChange',
    examples: [
      {
        status: 'preview',
        next: 'To undo the change, send the same request with "confirm": true.',
        change: { ...(exampleOf(ChangeBody) as z.output<typeof ChangeBody>), status: 'live' },
        brands: [
          {
            brand: 'desert-air-hvac',
            brandName: 'Desert Air HVAC',
            restored: [],
            removed: ['75201'],
          },
          {
            brand: 'lone-star-roofing',
            brandName: 'Lone Star Roofing',
            restored: ['75201'],
            removed: [],
          },
        ],
        changedSince: [],
      },
    ],
  });

const nameOf = (actor: Actor | null) => actor && actorName(actor);
const timeOf = (at: Date | null) => at && at.toISOString();

function commonOf(change: Change) {
  const { id, source, status, on, note, reason, undoes, otherBrands } = change;
  return {
    id,
    source,
    status,
    on,
    note,
    reason,
    madeBy: actorName(change.madeBy),
    madeAt: change.madeAt.toISOString(),
    decidedBy: nameOf(change.decidedBy),
    decidedAt: timeOf(change.decidedAt),
    liveAt: timeOf(change.liveAt),
    endedBy: nameOf(change.endedBy),
    endedAt: timeOf(change.endedAt),
    undoes,
    otherBrands,
  };
}

export const changeSummaryBody = (change: Change): z.output<typeof ChangeSummaryBody> => ({
  ...commonOf(change),
  brands: change.parts.map(({ brand, added, removed }) => ({
    brand: brand.slug,
    brandName: brand.name,
    addedCount: added.length,
    removedCount: removed.length,
  })),
});

export const changeBody = (
  change: Change,
  obstacles: readonly Refused[] = [],
): z.output<typeof ChangeBody> => ({
  ...commonOf(change),
  brands: change.parts.map(({ brand, added, removed, refused }) => ({
    brand: brand.slug,
    brandName: brand.name,
    added,
    removed,
    leftOut: refused,
  })),
  obstacles: [...obstacles],
});
