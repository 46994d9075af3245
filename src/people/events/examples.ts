/** An example of each event that other systems see: in the contract, in the guide, and as test events. */
import type { EventData, EventType } from './catalog.ts';

const brand = {
  id: '0f8b7c52-6f1d-4a53-9f4c-2b9d4b1f6a01',
  slug: 'lone-star-roofing',
  name: 'Lone Star Roofing',
};
const by = { kind: 'person' as const, name: 'Rita' };
const requestId = '7c1f5d0e-8a52-4e7b-8a39-5f3c0d1b2e44';
const removalId = 'c2a9e1b4-3d5f-4c6a-9e87-1a2b3c4d5e6f';
const plan = { id: '3b1e4f60-2a7c-4d8e-b0f9-6c5d4e3f2a1b', name: 'Texas 2027' };
const zips = ['75201', '75202'];
const two = { zips, zipCount: 2 };
const changeId = '8d4c2b1a-9e7f-4a6b-8c5d-3e2f1a0b9c8d';
const givenUp = { removedZips: ['75219'], removedZipCount: 1 };
const pending = { pendingZips: [], pendingZipCount: 0 };
const share = {
  code: '4f7k2m9x0q',
  kind: 'brand' as const,
  brand,
  plan: null,
  title: 'Where we roof',
  expiresAt: '2026-12-29T10:00:00.000Z',
  by,
};
const agent = { kind: 'key' as const, name: 'CRM import' };
const term = { endsOn: '2027-03-31', atEnd: 'ends' as const };

export const EVENT_EXAMPLES: { [Type in EventType]?: EventData<Type> } = {
  'territory.requested': { brand, ...two, requestId, note: 'A growing market', by: agent },
  'territory.approved': { brand, ...two, requestIds: [requestId], by },
  'territory.rejected': { brand, ...two, requestIds: [requestId], reason: 'Too far away', by },
  'territory.removed': { brand, ...two, ...pending, removalId, reason: 'Sold', by: agent },
  'territory.restored': { brand, ...two, ...pending, removalId, by },
  'territory.scheduled': { brand, ...two, ...givenUp, changeId, on: '2027-01-01', by },
  'territory.blocked': {
    brand,
    ...two,
    ...givenUp,
    changeId,
    on: '2027-01-01',
    reason: '75201: held by another brand of the group "Franchisees", which blocks overlaps',
    by,
  },
  'territory.withdrawn': { brand, ...two, ...givenUp, changeId, on: '2027-01-01', by },
  'territory.term_ending': { brand, ...two, ...term },
  'territory.term_ended': { brand, ...two, ...term },
  'plan.applied': {
    plan,
    brands: [{ brand, requestedZipCount: 2, removedZipCount: 0, requestId, removalId: null }],
    by,
  },
  'share.created': share,
  'share.revoked': share,
  'usage.threshold': {
    meter: 'units',
    percent: 80,
    used: 8e3,
    included: 1e4,
    period: '2026-11',
    resetsAt: '2026-12-01T00:00:00.000Z',
  },
  'data.imported': {
    dataSets: [
      { id: '5f0b6c1e-6c3b-4d9c-9f55-0f2f4a1f6f10', slug: 'jobs-2025', name: 'Jobs 2025' },
    ],
    rows: 1_240,
    by,
  },
  'boundaries.changed': {
    brand,
    boundariesBefore: 'Census 2010 ZCTAs',
    boundariesAfter: 'Census 2020 ZCTAs',
    zips: ['75201'],
    zipCount: 1,
    changes: ['75201 lost 12% of its area (about 1,310 households) to 75270, which nobody holds'],
    restoring: ['75270'],
  },
  'census.changed': {
    brand,
    periods: '2014-2018 and 2019-2023',
    zipCount: 25,
    figures: [{ figure: 'householdsTotal', changePercent: 6.4, marginPercent: 1.2 }],
  },
};

/** When the examples happened */
export const EXAMPLE_TIME = '2026-11-29T10:00:00.000Z';
export const EXAMPLE_EVENT_ID = 'evt_9d2c1b7f4e6a4c0f8b3a5d7e9f1a2b3c';
