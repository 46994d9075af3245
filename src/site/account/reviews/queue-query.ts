/** What the queue's address narrows it down by, and what its form picks. */
import { VERTICALS } from '../../../scoring/verticals.ts';
import type { QueueSelection, QueueFilter } from '../../../territory/review-queue.ts';

type Given = Pick<URLSearchParams, 'get'>;

const DAY_MS = 86_400_000;

export function queueFilter(given: Given, now: Date): QueueFilter {
  const days = /^[1-9]\d{0,3}$/.test(given.get('age') ?? '') ? Number(given.get('age')) : null;
  return {
    brandId: given.get('brand') || undefined,
    requester: given.get('requester') || undefined,
    state: given.get('state') || undefined,
    before: days === null ? undefined : new Date(now.getTime() - days * DAY_MS),
  };
}

/** Slug; the first there is where none that is known is given */
export const queueVertical = (given: Given): string =>
  (VERTICALS.find(({ slug }) => slug === given.get('vertical')) ?? VERTICALS[0]!).slug;

/**
 * Reviews are named one by one, or many in one field, since a form has no more than 2,000: all by
 * their ids, or those of one request by its id and their ZIPs.
 */
export const chosenOf = (fields: Pick<URLSearchParams, 'get' | 'getAll'>): QueueSelection => ({
  ids: [...fields.getAll('review'), ...fields.getAll('reviews')].flatMap((text) =>
    text.split(/\s+/).filter((id) => UUID.test(id)),
  ),
  picked: fields.getAll('picked').flatMap((text) => {
    const [batchId, ...zips] = text.split(' ');
    return UUID.test(batchId!) ? zips.map((zip) => [batchId!, zip] as const) : [];
  }),
  batchIds: fields.getAll('batch').filter((id) => UUID.test(id)),
  all: fields.get('all') === '1',
});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
