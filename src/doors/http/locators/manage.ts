/** The locators of an organization. */
import {
  LocatorBody,
  locatorBody,
  LocatorChangeRequest,
  LocatorListBody,
  locatorParams,
  NewLocatorRequest,
  UnservedBody,
  unservedBody,
} from './schema.ts';
import type { Roots } from '../../../base/contract/openapi/about.ts';
import { exactQuery } from '../../../base/contract/exact-query.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { exampleOf } from '../../../base/contract/resources.ts';
import { wholeNumber } from '../../../base/contract/whole-number.ts';
import type { Caller } from '../../../people/account/caller.ts';
import {
  COUNTED_DAYS,
  countAsked,
  unservedZips,
} from '../../../territories/serving/locator-questions.ts';
import {
  changeLocator,
  createLocator,
  findLocator,
  listLocators,
  revokeLocator,
  type Locator,
} from '../../../territories/serving/locators.ts';
import { NO_STORE, SUBSCRIBED } from '../agent/shared.ts';

/** A locator may answer for all brands. */
const LOCATORS = { ...SUBSCRIBED, tag: 'Locators', allBrands: true } as const;

/** Largest number of ZIP codes in an answer */
const MAX_UNSERVED = 1_000;

export const locatorOperations = (roots: () => Roots): Operation[] => [
  operation({
    ...LOCATORS,
    id: 'listLocators',
    method: 'get',
    path: '/agent/locators',
    summary: 'List locators',
    description:
      'Returns the locators with the numbers of questions of the last 30 days, active ones first.',
    answers: { 200: { description: 'The locators', schema: LocatorListBody } },
    errors: [402, 403],
    handle: async ({ caller: { tenant } }) => {
      const [locators, asked] = await Promise.all([listLocators(tenant), countAsked(tenant)]);
      const bodies = locators.map((one) => locatorBody(one, roots(), asked.get(one.id)));
      return { status: 200, headers: NO_STORE, body: { locators: bodies } };
    },
  }),
  operation({
    ...LOCATORS,
    needs: 'writer',
    id: 'createLocator',
    method: 'post',
    path: '/agent/locators',
    summary: 'Create a locator',
    description:
      'Creates a page, a frame, a web component, and an operation without a key that tell customers which brand serves ' +
      'a ZIP code or an address: its public name, phone, web page, and nearest place, and nothing else of the territory. ' +
      'A locator is part of a website, so it doesn’t expire. It works until you revoke it.',
    body: NewLocatorRequest,
    bodyExamples: {
      website: {
        summary: 'For the website of a brand',
        value: exampleOf(NewLocatorRequest) as typeof NewLocatorRequest._zod.input,
      },
    },
    answers: { 200: { description: 'The locator', schema: LocatorBody } },
    errors: [402, 403, 404, 409],
    handle: async ({ caller, body }) => {
      const { tenant, actor } = caller;
      const locator = await tenant.transaction((tx) => createLocator(tx, actor, body));
      return { status: 200, headers: NO_STORE, body: locatorBody(locator, roots()) };
    },
  }),
  operation({
    ...LOCATORS,
    needs: 'writer',
    id: 'changeLocator',
    method: 'post',
    path: '/agent/locators/{locator}',
    summary: 'Change a locator',
    description:
      'Changes the given fields. Websites that contain the locator show the change at once. Words that you don’t give stay; empty ones become ours.',
    params: locatorParams,
    body: LocatorChangeRequest,
    bodyExamples: {
      candidates: {
        summary: 'Let candidates ask',
        value: exampleOf(LocatorChangeRequest) as typeof LocatorChangeRequest._zod.input,
      },
    },
    answers: { 200: { description: 'The locator', schema: LocatorBody } },
    errors: [402, 403, 404, 409],
    handle: async ({ caller, params, body }) => {
      const { tenant, actor } = caller;
      const changed = await tenant.transaction((tx) =>
        changeLocator(tx, actor, params.locator, body),
      );
      return { status: 200, headers: NO_STORE, body: await withCounts(caller, changed, roots()) };
    },
  }),
  operation({
    ...LOCATORS,
    needs: 'writer',
    id: 'revokeLocator',
    method: 'post',
    path: '/agent/locators/{locator}/revoke',
    summary: 'Revoke a locator',
    description: 'Closes a locator for everyone, permanently.',
    params: locatorParams,
    answers: { 200: { description: 'The locator, which is closed', schema: LocatorBody } },
    errors: [402, 403, 404],
    handle: async ({ caller, params }) => {
      const { tenant, actor } = caller;
      const revoked = await tenant.transaction((tx) => revokeLocator(tx, actor, params.locator));
      return { status: 200, headers: NO_STORE, body: await withCounts(caller, revoked, roots()) };
    },
  }),
  operation({
    ...LOCATORS,
    id: 'listUnservedZips',
    method: 'get',
    path: '/agent/locators/{locator}/unserved',
    summary: 'List the ZIP codes that no brand serves',
    description:
      'Returns the ZIP codes that customers asked about and that no brand served on that day, the most wanted first. Only ' +
      `counts are kept, for ${COUNTED_DAYS} days.`,
    params: locatorParams,
    query: exactQuery({
      limit: wholeNumber(1, MAX_UNSERVED)
        .default(100)
        .meta({ description: 'Largest number of ZIP codes', example: 20 }),
    }),
    answers: { 200: { description: 'The ZIP codes', schema: UnservedBody } },
    errors: [402, 403, 404],
    handle: async ({ caller: { tenant }, params, query }) => {
      const locator = await findLocator(tenant, params.locator);
      const zips = await unservedZips(tenant, locator, query.limit);
      return { status: 200, headers: NO_STORE, body: unservedBody(zips) };
    },
  }),
];

async function withCounts({ tenant }: Caller, locator: Locator, roots: Roots) {
  return locatorBody(locator, roots, (await countAsked(tenant)).get(locator.id));
}
