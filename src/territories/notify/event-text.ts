/** Events in words, for notifications. */
import { EVENTS, type EventData, type EventType } from '../../people/events/catalog.ts';
import type { RecordedEvent } from '../../people/events/events.ts';
import { formatCount, joinFirst, pluralize } from '../../base/text/words.ts';

export interface EventText {
  /** One sentence */
  text: string;
  /** Further sentences, such as a reason */
  details: string[];
  /** Path of the page about it, from the site's root */
  path: string;
  /** Label of a link to that page */
  linkLabel: string;
}

/** A range of ZIP codes in a sentence */
const MAX_NAMED = 8;

type Describe<Type extends EventType> = (
  data: EventData<Type>,
  /** The reader's ZIP codes. Null: all of the event */
  zips: readonly string[] | null,
) => EventText;

const requestPage = ({ brand, requestId }: EventData<'territory.requested'>) => ({
  path: `/account/reviews?${new URLSearchParams({ brand: brand.id })}#request-${requestId}`,
  linkLabel: 'Review the request',
});

/** Names ZIP codes, and says that there are more. @param count of all, which an event may not list */
function named(zips: readonly string[], count: number): string {
  const names = joinFirst(zips, MAX_NAMED);
  return count > zips.length ? `${names}, among others` : names;
}

/** What a request asks for, and why */
const askedFor = ({ zips, zipCount, note }: EventData<'territory.requested'>): string[] => [
  `${named(zips, zipCount)}.`,
  ...(note === null ? [] : [`Note: ${note}`]),
];

/** A link may select as many, so that its address stays short. */
const MAX_SELECTED = 300;

const approved: Describe<'territory.approved'> = ({ by, brand, ...data }, own) => {
  const zips = own ?? data.zips;
  const count = own?.length ?? data.zipCount;
  const selected = { brand: brand.slug, zips: zips.slice(0, MAX_SELECTED).join(' ') };
  return {
    text: `${by.name} approved ${pluralize(count, 'ZIP code')} that you requested for ${brand.name}.`,
    details: [`${named(zips, count)} ${count === 1 ? 'is' : 'are'} live now.`],
    path: `/account/map?${new URLSearchParams(selected)}`,
    linkLabel: count === 1 ? 'See it on the map' : 'See them on the map',
  };
};

const rejected: Describe<'territory.rejected'> = ({ by, brand, reason, ...data }, own) => {
  const zips = own ?? data.zips;
  const count = own?.length ?? data.zipCount;
  return {
    text: `${by.name} rejected ${pluralize(count, 'ZIP code')} that you requested for ${brand.name}.`,
    details: [`${named(zips, count)}.`, `Reason: ${reason}`],
    path: `/account/brands/${brand.slug}/history`,
    linkLabel: 'Open the history of the brand',
  };
};

const planPage = ({ plan }: EventData<'plan.edited'>) => ({
  path: `/account/map?${new URLSearchParams({ plan: plan.id })}`,
  linkLabel: 'Open the plan',
});

const NOTIFIED: { [Type in EventType]?: Describe<Type> } = {
  'territory.requested': (data) => ({
    text: `${data.by.name} requested ${pluralize(data.zipCount, 'ZIP code')} for ${data.brand.name}.`,
    details: askedFor(data),
    ...requestPage(data),
  }),
  'territory.waiting': (data) => ({
    text: `A request of ${data.by.name} has waited for three days: ${pluralize(data.zipCount, 'ZIP code')} for ${data.brand.name}.`,
    details: askedFor(data),
    ...requestPage(data),
  }),
  'territory.approved': approved,
  'territory.rejected': rejected,
  'plan.applied': (data) => ({
    text: `${data.by.name} applied your plan “${data.plan.name}”.`,
    details: data.brands.map(
      ({ brand, requestedZipCount, removedZipCount }) =>
        `${brand.name}: ${pluralize(requestedZipCount, 'ZIP code')} requested, ${formatCount(removedZipCount)} removed.`,
    ),
    ...planPage(data),
  }),
  'plan.edited': (data) => ({
    text: `${data.by.name} edited your plan “${data.plan.name}”.`,
    details: [],
    ...planPage(data),
  }),
  'usage.threshold': ({ meter, percent, used, included, resetsAt }) => {
    const isUnits = meter === 'units';
    const until = day.format(new Date(resetsAt));
    return {
      text: `${percent}% of this month’s ${isUnits ? 'units' : 'ZIP codes with figures'} are used: ${formatCount(used)} of ${formatCount(included)}.`,
      details: [
        percent < 100
          ? `The count starts again on ${until}.`
          : `${isUnits ? 'Exports, and calls of the API and of tools, are refused' : 'Figures of further ZIP codes aren’t shown'} until ${until}. A larger subscription helps at once.`,
      ],
      path: '/account/usage',
      linkLabel: 'View usage',
    };
  },
};

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** @param zips the reader's ZIP codes. Null: all of the event */
export function describeEvent(
  { type, data }: RecordedEvent,
  zips: readonly string[] | null,
): EventText {
  const describe = NOTIFIED[type] as Describe<EventType> | undefined;
  return (
    describe?.(data as never, zips) ?? {
      text: EVENTS[type].description,
      details: [],
      path: '/account/activity',
      linkLabel: 'View activity',
    }
  );
}
