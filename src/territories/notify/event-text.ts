/** Events in words, for notifications. */
import { EVENTS, type EventData, type EventType } from '../../people/events/catalog.ts';
import type { RecordedEvent } from '../../people/events/events.ts';
import { formatDay } from '../../base/text/days.ts';
import { formatCount, formatSignedPercent, joinFirst, pluralize } from '../../base/text/words.ts';
import type { CensusFigure } from '../../data/ingest/demographics.ts';
import { FIGURE_TEXTS } from '../../data/ingest/figure-texts.ts';

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

const changePage = (changeId: string) => ({
  path: `/account/reviews/changes/${changeId}`,
  linkLabel: 'Open the change',
});

const requestPage = ({
  brand,
  requestId,
  changeId,
}: Pick<EventData<'territory.requested'>, 'brand' | 'requestId' | 'changeId'>) =>
  changeId !== undefined
    ? changePage(changeId)
    : {
        path: `/account/reviews?${new URLSearchParams({ brand: brand.id })}#request-${requestId}`,
        linkLabel: 'Review the request',
      };

/** Names ZIP codes, and says that there are more. @param count of all, which an event may not list */
function named(zips: readonly string[], count: number): string {
  const names = joinFirst(zips, MAX_NAMED);
  return count > zips.length ? `${names}, among others` : names;
}

/** What a request asks for, and why */
const askedFor = ({
  zips,
  zipCount,
  note,
}: Pick<EventData<'territory.requested'>, 'zips' | 'zipCount' | 'note'>): string[] => [
  `${named(zips, zipCount)}.`,
  ...(note === null ? [] : [`Note: ${note}`]),
];

/** What a brand gets and gives up by a change */
const parts = ({
  brand,
  zips,
  zipCount,
  removedZips,
  removedZipCount,
}: Pick<
  EventData<'territory.scheduled'>,
  'brand' | 'zips' | 'zipCount' | 'removedZips' | 'removedZipCount'
>): string[] => [
  ...(zipCount > 0
    ? [`${brand.name} gets ${pluralize(zipCount, 'ZIP code')}: ${named(zips, zipCount)}.`]
    : []),
  ...(removedZipCount > 0
    ? [
        `${brand.name} gives up ${pluralize(removedZipCount, 'ZIP code')}: ${named(removedZips, removedZipCount)}.`,
      ]
    : []),
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

const termsPage = ({ brand }: EventData<'territory.term_ending'>) => ({
  path: `/account/brands/${brand.slug}/terms`,
  linkLabel: 'Open the terms of the brand',
});

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
  'territory.scheduled': ({ by, on, changeId, ...data }) => ({
    text: `${by.name} scheduled a change of ${data.brand.name} for ${formatDay(on)}.`,
    details: parts(data),
    ...changePage(changeId),
  }),
  'territory.blocked': ({ on, reason, changeId, ...data }) => ({
    text: `A change of ${data.brand.name}, planned for ${formatDay(on)}, could not go live.`,
    details: [...parts(data), `Reason: ${reason}.`, 'Move it to another day, or withdraw it.'],
    ...changePage(changeId),
  }),
  'territory.withdrawn': ({ by, on, changeId, ...data }) => ({
    text: `${by.name} withdrew a change of ${data.brand.name}${on === null ? '' : `, planned for ${formatDay(on)}`}.`,
    details: parts(data),
    ...changePage(changeId),
  }),
  'territory.term_ending': (data) => ({
    text: `The term of ${pluralize(data.zipCount, 'ZIP code')} of ${data.brand.name} ends on ${formatDay(data.endsOn)}.`,
    details: [
      `${named(data.zips, data.zipCount)}.`,
      data.atEnd === 'ends'
        ? `${data.brand.name} then loses ${data.zipCount === 1 ? 'it' : 'them'}, unless the term is changed.`
        : 'Nothing changes then by itself.',
    ],
    ...termsPage(data),
  }),
  'territory.term_ended': (data) => ({
    text: `The term of ${pluralize(data.zipCount, 'ZIP code')} of ${data.brand.name} ended on ${formatDay(data.endsOn)}.`,
    details: [
      `${named(data.zips, data.zipCount)}.`,
      data.atEnd === 'ends'
        ? `${data.brand.name} no longer holds ${data.zipCount === 1 ? 'it' : 'them'}.`
        : `${data.brand.name} still holds ${data.zipCount === 1 ? 'it' : 'them'}: set a new term, or remove ${data.zipCount === 1 ? 'it' : 'them'}.`,
    ],
    ...termsPage(data),
  }),
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
  'boundaries.changed': ({ brand, zipCount, changes, restoring, boundariesAfter }) => ({
    text: `New boundaries (${boundariesAfter}) took area from ${pluralize(zipCount, 'ZIP code')} of ${brand.name}.`,
    details: [
      ...changes.slice(0, MAX_NAMED).map((change) => `${change}.`),
      ...(restoring.length > 0
        ? [
            `Nobody holds ${joinFirst(restoring, MAX_NAMED)}. Requesting ${restoring.length === 1 ? 'it restores the agreed area, with the rest of that ZIP code' : 'them restores the agreed area, with the rest of those ZIP codes'}.`,
          ]
        : []),
    ],
    path: `/account/brands/${brand.slug}#boundaries`,
    linkLabel: 'See what changed',
  }),
  'census.changed': ({ brand, periods, figures }) => {
    const texts = figures.map(({ figure, changePercent, marginPercent }) => {
      const label = FIGURE_TEXTS[figure as CensusFigure].label.toLowerCase();
      return `${label} ${formatSignedPercent(changePercent)} (±${marginPercent})`;
    });
    return {
      text: `New census figures changed ${brand.name}: ${texts.join(', ')}.`,
      details: [`Between ${periods}, with margins of error at the 90% level.`],
      path: `/account/brands/${brand.slug}/analysis#census`,
      linkLabel: 'See what changed',
    };
  },
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
