/**
 * The types of events, each with the schema of its data. Webhooks, the feed, the API reference, the guide, and
 * notifications use this list.
 */
import { z } from 'zod';

/** Largest number of ZIP codes in an event, which keeps it below 20 kB. `zipCount` is the whole number. */
const MAX_EVENT_ZIPS = 1_000;

const By = z
  .object({
    kind: z.enum(['person', 'key', 'operator']),
    name: z.string().meta({ description: 'Such as "Pat" or "Pat via Claude"' }),
  })
  .meta({ id: 'EventActor', description: 'Who made the change' });

const Brand = z
  .object({ id: z.uuid(), slug: z.string(), name: z.string() })
  .meta({ id: 'EventBrand', description: 'The brand when the event happened' });

const zips = z
  .array(z.string().regex(/^[0-9]{5}$/))
  .meta({
    description: `ZIP codes in order, at most ${MAX_EVENT_ZIPS.toLocaleString('en')}. If \`zipCount\` is larger, read the territory of the brand`,
  });
const zipCount = z.int().nonnegative().meta({ description: 'Number of all ZIP codes' });
const requestId = z.uuid().meta({ description: 'Shared by all ZIP codes of a request' });
const requestIds = z
  .array(z.uuid())
  .meta({ description: 'The requests of these ZIP codes. One decision can be about several' });
const removalId = z.uuid().meta({ description: 'Id that undoes the removal' });
const changeId = z
  .uuid()
  .meta({
    description: 'The change that this is part of. Changes go live, and are undone, as one',
  });
const ofChange = { changeId: changeId.optional() };
const on = z.iso.date().meta({ description: 'The day, which begins where the organization is' });
const planned = {
  zips: zips.meta({ description: 'ZIP codes that the brand gets' }),
  zipCount,
  removedZips: zips.meta({ description: 'ZIP codes that the brand gives up' }),
  removedZipCount: zipCount.meta({ description: 'Number of all ZIP codes that it gives up' }),
  changeId,
};
const waiting = {
  pendingZips: zips.meta({ description: 'Further ZIP codes, which were or are pending' }),
  pendingZipCount: zipCount.meta({ description: 'Number of all pending ZIP codes' }),
};
const note = z.string().nullable().meta({ description: 'The requester’s note' });

const endsOn = z.iso.date().meta({ description: 'The last day' });
const atEnd = z
  .enum(['told', 'ends'])
  .meta({ description: '`ends`: the brand loses them then. `told`: people decide' });

const Plan = z.object({ id: z.uuid(), name: z.string() }).meta({ id: 'EventPlan' });

const Share = z
  .object({
    code: z.string().meta({ description: 'The short code in the address of the link' }),
    kind: z
      .enum(['brand', 'zip_snapshot', 'plan'])
      .meta({
        description: 'The current territory of a brand, its territory at a moment, or a plan',
      }),
    brand: Brand.nullable(),
    plan: Plan.nullable(),
    title: z.string().nullable(),
    expiresAt: z.iso.datetime(),
    by: By,
  })
  .meta({ id: 'SharedLink' });

export interface EventKind {
  title: string;
  /** One sentence */
  description: string;
  data: z.ZodObject;
  /** Only notifications use it. Other systems never see it */
  peopleOnly?: true;
}

export const EVENTS = {
  'territory.requested': {
    title: 'ZIP codes requested',
    description: 'Someone requested ZIP codes for a brand. They wait for a review.',
    data: z.object({ brand: Brand, zips, zipCount, requestId, note, ...ofChange, by: By }),
  },
  'territory.approved': {
    title: 'Request approved',
    description: 'A reviewer approved requested ZIP codes. They are now live.',
    data: z.object({ brand: Brand, zips, zipCount, requestIds, ...ofChange, by: By }),
  },
  'territory.rejected': {
    title: 'Request rejected',
    description: 'A reviewer rejected requested ZIP codes.',
    data: z.object({
      brand: Brand,
      zips,
      zipCount,
      requestIds,
      reason: z.string(),
      ...ofChange,
      by: By,
    }),
  },
  'territory.removed': {
    title: 'ZIP codes removed',
    description: 'Live ZIP codes were removed from a brand. Pending requests were withdrawn.',
    data: z.object({
      brand: Brand,
      zips,
      zipCount,
      ...waiting,
      removalId,
      reason: z.string().nullable(),
      ...ofChange,
      by: By,
    }),
  },
  'territory.restored': {
    title: 'Removal undone',
    description: 'A removal was undone. ZIP codes are live or pending again.',
    data: z.object({ brand: Brand, zips, zipCount, ...waiting, removalId, ...ofChange, by: By }),
  },
  'territory.scheduled': {
    title: 'Change scheduled',
    description:
      'A change of a brand’s territory was approved for a day to come, or moved to another one. It goes live when that day begins.',
    data: z.object({ brand: Brand, ...planned, on, by: By }),
  },
  'territory.blocked': {
    title: 'Change blocked',
    description:
      'The day of a change has come, and something keeps it from going live. All of it waits until someone moves or withdraws it.',
    data: z.object({ brand: Brand, ...planned, on, reason: z.string(), by: By }),
  },
  'territory.withdrawn': {
    title: 'Change withdrawn',
    description: 'A change that wasn’t live yet was withdrawn.',
    data: z.object({ brand: Brand, ...planned, on: on.nullable(), by: By }),
  },
  'territory.term_ending': {
    title: 'Term ends soon',
    description: 'The term of ZIP codes ends in 90 days or less. Recorded once for each term.',
    data: z.object({ brand: Brand, zips, zipCount, endsOn, atEnd }),
  },
  'territory.term_ended': {
    title: 'Term ended',
    description:
      'The term of ZIP codes has ended. If they end with it, a `territory.removed` is next to it.',
    data: z.object({ brand: Brand, zips, zipCount, endsOn, atEnd }),
  },
  'plan.applied': {
    title: 'Plan applied',
    description:
      'A plan was applied. Each brand also has an event for its requests and one for its removals.',
    data: z.object({
      plan: Plan,
      brands: z.array(
        z.object({
          brand: Brand,
          requestedZipCount: zipCount,
          removedZipCount: zipCount,
          requestId: requestId.nullable(),
          removalId: removalId.nullable(),
        }),
      ),
      ...ofChange,
      by: By,
    }),
  },
  'share.created': {
    title: 'Link shared',
    description: 'Someone created a link that shows a territory or a plan to anyone who has it.',
    data: Share,
  },
  'share.revoked': {
    title: 'Link revoked',
    description: 'Someone revoked a link before it expired.',
    data: Share,
  },
  'usage.threshold': {
    title: 'Usage threshold reached',
    description: 'The organization used 80% or 100% of a month’s units or ZIP codes with figures.',
    data: z.object({
      meter: z.enum(['units', 'figures']),
      percent: z.union([z.literal(80), z.literal(100)]),
      used: z.int(),
      included: z.int(),
      period: z.string().meta({ description: 'The month, such as 2026-11' }),
      resetsAt: z.iso.datetime(),
    }),
  },
  'data.imported': {
    title: 'Own data uploaded',
    description: 'Someone uploaded a file of the organization’s own data.',
    data: z.object({
      dataSets: z.array(z.object({ id: z.uuid(), slug: z.string(), name: z.string() })),
      rows: z.int().nonnegative(),
      by: By,
    }),
  },
  'census.changed': {
    title: 'Census figures changed',
    description:
      'A new vintage of census figures changed the households of a brand by more than the organization chose.',
    data: z.object({
      brand: Brand,
      periods: z.string().meta({ description: 'Such as 2014-2018 and 2019-2023' }),
      zipCount,
      figures: z.array(
        z.object({
          figure: z.string().meta({ description: 'Such as householdsTotal' }),
          changePercent: z.number(),
          marginPercent: z.number().meta({ description: 'Margin of error at the 90% level' }),
        }),
      ),
    }),
  },
  'boundaries.changed': {
    title: 'ZIP code boundaries changed',
    description: 'New boundaries took area from ZIP codes that a brand holds live.',
    data: z.object({
      brand: Brand,
      boundariesBefore: z.string(),
      boundariesAfter: z.string(),
      zips,
      zipCount,
      changes: z
        .array(z.string())
        .meta({ description: 'The first 20 in words, with who holds the area now' }),
      restoring: zips.meta({
        description: 'ZIP codes that nobody holds, which would restore the agreed area',
      }),
    }),
  },
  'territory.waiting': {
    title: 'Request waiting',
    description: 'A request has waited for a review for three days.',
    data: z.object({ brand: Brand, zips, zipCount, requestId, note, by: By }),
    peopleOnly: true,
  },
  'plan.edited': {
    title: 'Plan edited',
    description:
      'Someone edited a plan of another person. Recorded once a day for each plan and editor.',
    data: z.object({ plan: Plan, by: By }),
    peopleOnly: true,
  },
} satisfies Record<string, EventKind>;

export type EventType = keyof typeof EVENTS;
export type EventData<Type extends EventType> = z.output<(typeof EVENTS)[Type]['data']>;

export const EVENT_TYPES = Object.keys(EVENTS) as EventType[];

/** The types that other systems see */
export const PUBLIC_EVENT_TYPES = EVENT_TYPES.filter(
  (type) => (EVENTS[type] as EventKind).peopleOnly === undefined,
);

/** Returns only what events show of a brand. */
export const eventBrand = ({ id, slug, name }: z.output<typeof Brand>) => ({ id, slug, name });

/** Returns only what events show of a plan. */
export const eventPlan = ({ id, name }: z.output<typeof Plan>) => ({ id, name });

/** Returns the ZIP codes of an event, without those above the limit. @param zips in order */
export const eventZips = (zips: readonly string[]) => ({
  zips: zips.slice(0, MAX_EVENT_ZIPS),
  zipCount: zips.length,
});

/** Returns the pending ZIP codes of an event, as `eventZips`. */
export const pendingEventZips = (zips: readonly string[]) => ({
  pendingZips: zips.slice(0, MAX_EVENT_ZIPS),
  pendingZipCount: zips.length,
});
