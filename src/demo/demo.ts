/**
 * The demo organisation: something to look at and to try the authenticated layer on. It is made
 * with the rooms' own functions, so that its trail, its reviews and its counts are as they would be.
 */
import type { Actor } from '../account/caller.ts';
import { mintKey } from '../account/keys.ts';
import { addMember } from '../account/members.ts';
import {
  createOrganization,
  findOrganization,
  type Organization,
} from '../account/organizations.ts';
import { hasPassword, makePasswordLink, passwordLinkPath } from '../account/password-links.ts';
import { setPlan, TRIAL } from '../account/plans.ts';
import { tenantIn } from '../account/tenant.ts';
import type { Database, Queryable } from '../db/database.ts';
import { badRequest, ServiceError } from '../errors.ts';
import { metroBySlug } from '../market/metros.ts';
import { mintShare, SHARE_DAYS } from '../share/links.ts';
import { EXAMPLE_TOKEN } from '../share/token.ts';
import { readAdjacency } from '../territory/adjacency.ts';
import { applyZips } from '../territory/apply.ts';
import { createBrand, type Brand } from '../territory/brands.ts';
import { approveReviews, type Reviewer } from '../territory/review.ts';
import { groupNearby, type Areas, type AreaSizes, type Place } from './areas.ts';

export const DEMO = 'demo';

const OWNER = { email: 'dana@demo.example', name: 'Dana Reyes', role: 'owner' } as const;
const REVIEWER = { email: 'sam@demo.example', name: 'Sam Ortiz', role: 'reviewer' } as const;

/** Each brand is at home in one metro and beside the other brand in the other one. */
const DALLAS: AreaSizes = { main: 24, other: 10, shared: 3 };
const PHOENIX: AreaSizes = { main: 18, other: 9, shared: 2 };
const PENDING = 3;

export interface Demo {
  organization: Organization;
  /** Writes for all brands; it cannot be had a second time, nor can the other */
  key: string;
  /** Path, from the site's root, at which whoever comes first becomes the demo's owner */
  ownerPath: string;
}

/**
 * Makes it, all or nothing. Of processes that ask at the same time one makes it.
 * @returns null where it has been made already
 * @throws ServiceError 400 where there are no scored ZIPs in Dallas and Phoenix
 */
export async function makeDemo(db: Database): Promise<Demo | null> {
  try {
    return await db.transaction(makeIn);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'conflict' && (await demoExists(db))) {
      return null;
    }
    throw error;
  }
}

export interface OwnerSignIn {
  email: string;
  /** Where the owner chooses a password, from the site's root; null once they have chosen one */
  passwordPath: string | null;
}

/**
 * Tells how the demo's owner signs in. Until they choose a password, each call makes a new link, which
 * replaces the one before.
 * @returns null if the owner's account no longer exists
 */
export async function ownerSignIn(db: Queryable): Promise<OwnerSignIn | null> {
  const { email } = OWNER;
  const chosen = await hasPassword(db, email);
  if (chosen === null) return null;
  if (chosen) return { email, passwordPath: null };
  const { token } = await makePasswordLink(db, email);
  return { email, passwordPath: passwordLinkPath(token) };
}

async function demoExists(db: Queryable): Promise<boolean> {
  return findOrganization(db, DEMO).then(
    () => true,
    () => false,
  );
}

async function makeIn(tx: Queryable): Promise<Demo> {
  // Its slug is unique: another process waits here until the first has made all of it.
  const organization = await createOrganization(tx, { name: 'Demo', slug: DEMO });
  const tenant = tenantIn(tx, organization.id);
  await setPlan(tenant, { status: 'active', seats: TRIAL.seats });
  const owner = await addMember(tenant, OWNER);
  const decider = await addMember(tenant, REVIEWER);
  const actor: Actor = { kind: 'person', id: owner.id, name: owner.name };
  const reviewer: Reviewer = {
    actor: { kind: 'person', id: decider.id, name: decider.name },
    role: decider.role,
    brandScope: 'all',
  };

  const roofing = await createBrand(tenant, { name: 'Lone Star Roofing' });
  const hvac = await createBrand(tenant, { name: 'Desert Air HVAC' });
  const dallas = await areasIn(tx, 'dallas-tx', DALLAS);
  const phoenix = await areasIn(tx, 'phoenix-az', PHOENIX);

  const add = async (brand: Brand, zips: readonly string[], note: string) => {
    const { batchId } = await applyZips(tenant, actor, brand, { zips, note });
    await approveReviews(tenant, reviewer, { batchId: batchId! });
  };
  await add(roofing, dallas.main, 'Home market');
  await add(hvac, phoenix.main.slice(0, -PENDING), 'Home market');
  await add(roofing, phoenix.other, 'Second market');
  await add(hvac, dallas.other, 'Second market');
  if (dallas.apart) await add(roofing, [dallas.apart], 'A crew of ours lives there');
  await applyZips(tenant, actor, hvac, {
    zips: phoenix.main.slice(-PENDING),
    note: 'Calls come in from here every week',
  });

  await mintShare(tenant, actor, roofing, {
    kind: 'brand',
    title: 'Where we roof',
    vertical: 'roofing',
    days: SHARE_DAYS.max,
    hideBranding: false,
    id: EXAMPLE_TOKEN,
  });

  const { key } = await mintKey(tx, {
    organization,
    name: 'Demo key',
    brands: 'all',
    mayWrite: true,
    createdBy: owner.id,
  });
  const { token } = await makePasswordLink(tx, owner.email);
  return { organization, key, ownerPath: passwordLinkPath(token) };
}

async function areasIn(tx: Queryable, metro: string, sizes: AreaSizes): Promise<Areas> {
  const places = await tx.query<Place & Record<string, unknown>>(
    `select zip, st_x(centroid) as lng, st_y(centroid) as lat
     from zips join metro_counties using (county_fips)
     where metro_slug = $1
       and exists (select from zip_scores s where s.zip = zips.zip and s.score is not null)`,
    [metro],
  );
  if (places.length > sizes.main + sizes.other) {
    return groupNearby(
      places,
      await readAdjacency(
        tx,
        places.map(({ zip }) => zip),
      ),
      sizes,
    );
  }
  throw badRequest(
    `The demo is about Dallas and Phoenix, and too few ZIPs of ${metroBySlug(metro).label} have ` +
      'scores. Import boundaries and demographics that reach there first.',
  );
}
