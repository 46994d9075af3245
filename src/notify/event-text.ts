/** Events in words, for notifications. */
import { EVENTS, type EventData, type EventType } from '../events/catalog.ts';
import type { RecordedEvent } from '../events/events.ts';
import { formatCount, joinFirst, pluralize } from '../text/words.ts';

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

const decision =
  (verb: string): Describe<'territory.approved' | 'territory.rejected'> =>
  ({ by, brand, ...data }, own) => {
    const zips = own ?? data.zips;
    const count = own ? own.length : data.zipCount;
    const named = joinFirst(zips, MAX_NAMED);
    return {
      text: `${by.name} ${verb} ${pluralize(count, 'ZIP code')} that you requested for ${brand.name}.`,
      details: [
        `${count > zips.length ? `${named}, among others` : named}.`,
        ...('reason' in data ? [`Reason: ${data.reason}`] : []),
      ],
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
    details: data.note === null ? [] : [`Note: ${data.note}`],
    ...requestPage(data),
  }),
  'territory.waiting': (data) => ({
    text: `A request of ${data.by.name} has waited for three days: ${pluralize(data.zipCount, 'ZIP code')} for ${data.brand.name}.`,
    details: data.note === null ? [] : [`Note: ${data.note}`],
    ...requestPage(data),
  }),
  'territory.approved': decision('approved'),
  'territory.rejected': decision('rejected'),
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
    const what = meter === 'units' ? 'units' : 'ZIP codes with figures';
    return {
      text: `${percent}% of this month’s ${what} are used: ${formatCount(used)} of ${formatCount(included)}.`,
      details: [
        percent === 100
          ? `Calls that need more are refused until ${day.format(new Date(resetsAt))}. A larger plan helps at once.`
          : `The count starts again on ${day.format(new Date(resetsAt))}.`,
      ],
      path: '/account',
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
      ...{ text: EVENTS[type].description, details: [], path: '/account/activity' },
      linkLabel: 'View activity',
    }
  );
}
