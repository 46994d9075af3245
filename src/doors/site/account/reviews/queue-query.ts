/** Reads the filter of the review queue, and the choice in its form, from their fields. */
import { VERTICALS } from '../../../../data/scoring/verticals.ts';
import type { Tenant } from '../../../../people/account/tenant.ts';
import { ownTrade } from '../../../../territories/brands/targeting/own-trade.ts';
import type { QueueSelection, QueueFilter } from '../../../../territories/brands/review-queue.ts';

const DAY_MS = 86_400_000;

export function readQueueFilter(fields: URLSearchParams, now: Date): QueueFilter {
  const age = fields.get('age') ?? '';
  const days = /^[1-9]\d{0,3}$/.test(age) ? Number(age) : null;
  return {
    brandId: fields.get('brand') || undefined,
    requester: fields.get('requester') || undefined,
    state: fields.get('state') || undefined,
    before: days === null ? undefined : new Date(now.getTime() - days * DAY_MS),
  };
}

/** @returns the slug of the chosen vertical, or of the organization's trade */
export async function readVertical(tenant: Tenant, fields: URLSearchParams): Promise<string> {
  const chosen = VERTICALS.find(({ slug }) => slug === fields.get('vertical'));
  return (chosen ?? (await ownTrade(tenant))).slug;
}

/**
 * A form has at most 2,000 fields, so one field can name many reviews: by their ids, or those of a request
 * by its id and their ZIP codes.
 */
export const readChoice = (fields: URLSearchParams): QueueSelection => ({
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
