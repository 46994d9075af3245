/** An organization for tests of places, and a geocoder. */
import type { Database } from '../../../src/base/db/database.ts';
import type { Address } from '../../../src/data/geocoding/engine.ts';
import type { Caller } from '../../../src/people/account/caller.ts';
import { tenantOf } from '../../../src/people/account/tenant.ts';
import type { addPlace } from '../../../src/territories/places/places.ts';
import { agent, organizationWith } from '../brands/organization.ts';

const SUBSCRIPTION: Caller['subscription'] = {
  status: 'active',
  trialEndsAt: null,
  seats: 5,
  monthlyUnits: 1000,
  monthlyZips: null,
  writeEntitlement: true,
};

type PlaceCaller = Parameters<typeof addPlace>[0];

/** Its brands are North and South. `ofNorth` has access only to North. */
export async function placeOrganization(
  db: Database,
  subscription: Partial<Caller['subscription']> = {},
) {
  const { tenant, brands } = await organizationWith(db, 'North', 'South');
  const [north, south] = brands;
  const all: PlaceCaller = {
    tenant,
    actor: agent,
    brandScope: 'all',
    subscription: { ...SUBSCRIPTION, ...subscription },
  };
  const ofNorth: PlaceCaller = {
    ...all,
    tenant: tenantOf(db, tenant.organizationId, new Set([north.id])),
    brandScope: new Set([north.id]),
  };
  return { tenant, north, south, all, ofNorth };
}

/** Finds some addresses, and remembers what it was asked. */
export const standInGeocoder = (answers: Record<string, Pick<Address, 'lng' | 'lat'>>) => {
  const asked: string[] = [];
  return {
    asked,
    find: async (text: string) => {
      asked.push(text);
      return answers[text] ? [{ ...answers[text], label: text }] : [];
    },
  };
};
