/**
 * The demo organization, with territories to look at and a key for trying out the API. It is created with
 * the same functions as real organizations, so its activity, reviews, and counts are consistent.
 */
import type { Actor, Subscription } from '../../people/account/caller.ts';
import { mintKey } from '../../people/account/keys.ts';
import { addMember } from '../../people/account/members.ts';
import {
  createOrganization,
  findOrganization,
  type Organization,
} from '../../people/account/organizations.ts';
import {
  hasPassword,
  makePasswordLink,
  passwordLinkPath,
} from '../../people/account/password-links.ts';
import { changeSubscription, TRIAL } from '../../people/account/subscription.ts';
import { tenantIn, type TenantTransaction } from '../../people/account/tenant.ts';
import type { Database, Queryable } from '../../base/db/database.ts';
import type { Transaction } from '../../base/db/transaction.ts';
import { badRequest, ServiceError } from '../../errors.ts';
import { metroBySlug } from '../../data/market/metros.ts';
import { mintShare, SHARE_DAYS } from '../share/links.ts';
import { EXAMPLE_TOKEN } from '../share/token.ts';
import { readAdjacency } from '../brands/shape/adjacency.ts';
import { applyZips } from '../brands/apply.ts';
import { saveUpload } from '../own-data/data-sets.ts';
import { createBrand, type Brand } from '../brands/brands.ts';
import { setContact } from '../places/contacts.ts';
import { locate } from '../places/locate.ts';
import { insertPlaces, NO_TEXTS, type PlaceToStore } from '../places/places.ts';
import { createLocator } from '../serving/locators.ts';
import { approveReviews, type Reviewer } from '../brands/review.ts';
import { growAreas, type Areas, type AreaSizes, type Middle, type ZipCenter } from './areas.ts';
import { sampleJobs, type Neighborhood } from './jobs.ts';

export const DEMO = 'demo';

const OWNER = { email: 'dana@demo.example', name: 'Dana Reyes', role: 'owner' } as const;
const REVIEWER = { email: 'sam@demo.example', name: 'Sam Ortiz', role: 'reviewer' } as const;

/** Each brand is in the middle of one metro and at the edge of the other brand’s. */
const DALLAS: AreaSizes = { main: 24, other: 10, shared: 3 };
const PHOENIX: AreaSizes = { main: 18, other: 9, shared: 2 };
const PENDING = 3;

export interface Demo {
  organization: Organization;
  /** Has write access to all brands; can't be retrieved again */
  key: string;
  /** Path of the page on which the owner sets a password; can't be retrieved again */
  ownerPath: string;
}

/**
 * Creates the demo organization once, in one transaction, even if several processes try at the same time.
 * @returns null if it already exists
 * @throws ServiceError 400 without enough scored ZIP codes in Dallas and Phoenix
 */
export async function makeDemo(db: Database): Promise<Demo | null> {
  if (await demoExists(db)) return null;
  try {
    const demo = await db.transaction(buildDemo);
    const { token } = await makePasswordLink(db, OWNER.email);
    return { ...demo, ownerPath: passwordLinkPath(token) };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'conflict' && (await demoExists(db))) {
      return null;
    }
    throw error;
  }
}

interface OwnerSignIn {
  email: string;
  /** Path of the page on which the owner sets a password; null after that */
  passwordPath: string | null;
}

/**
 * Returns how the demo's owner signs in. Until the owner sets a password, each call creates a new link that
 * replaces the previous one.
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

const demoExists = (db: Queryable): Promise<boolean> =>
  findOrganization(db, DEMO).then(
    () => true,
    () => false,
  );

async function buildDemo(tx: Transaction): Promise<Omit<Demo, 'ownerPath'>> {
  // The slug is unique, so other processes wait here until the first one commits.
  const organization = await createOrganization(tx, { name: 'Demo', slug: DEMO });
  const tenant = tenantIn(tx, organization.id);
  const subscription = await changeSubscription(tenant, { status: 'active', seats: TRIAL.seats });
  const owner = await addMember(tenant, OWNER);
  const reviewingMember = await addMember(tenant, REVIEWER);
  const actor: Actor = { kind: 'person', id: owner.id, name: owner.name };
  const reviewer: Reviewer = {
    actor: { kind: 'person', id: reviewingMember.id, name: reviewingMember.name },
    role: reviewingMember.role,
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
  if (dallas.isolated) await add(roofing, [dallas.isolated], 'One of our crews lives there');
  await applyZips(tenant, actor, hvac, {
    zips: phoenix.main.slice(-PENDING),
    note: 'We get calls from here every week',
  });

  await addSampleData(tenant, actor, [
    ['dallas-tx', dallas.middle],
    ['phoenix-az', phoenix.middle],
  ]);

  await addPlaces(tenant, actor, subscription, { roofing, hvac, dallas, phoenix });

  await mintShare(tenant, actor, roofing, {
    kind: 'brand',
    title: 'Where we roof',
    vertical: 'roofing',
    days: SHARE_DAYS.max,
    hideBranding: false,
    id: EXAMPLE_TOKEN,
  });

  await createLocator(tenant, actor, {
    title: 'Website',
    accent: '#1d6f74',
    candidateEmail: OWNER.email,
    vertical: 'roofing',
    id: EXAMPLE_TOKEN,
  });

  const { key } = await mintKey(tenant, {
    name: 'Demo key',
    brands: 'all',
    mayWrite: true,
    createdBy: owner.id,
  });
  return { organization, key };
}

interface Territories {
  roofing: Brand;
  hvac: Brand;
  dallas: Areas;
  phoenix: Areas;
}

/** Adds places of both brands, a competitor, and how customers reach the brands, with telephone numbers that nobody has. */
async function addPlaces(
  tenant: TenantTransaction,
  actor: Actor,
  subscription: Subscription,
  { roofing, hvac, dallas, phoenix }: Territories,
): Promise<void> {
  const roofs = { brandId: roofing.id, phone: '(214) 555-0142', hours: 'Monday to Friday, 8 to 5' };
  const cooling = { brandId: hvac.id, phone: '(602) 555-0118', hours: 'Every day, 7 to 7' };
  await setContact(tenant, actor, roofing, { phone: roofs.phone, url: 'https://lonestar.example' });
  await setContact(tenant, actor, hvac, { phone: cooling.phone, url: 'https://desertair.example' });
  const places: readonly (Pick<PlaceToStore, 'name' | 'kind' | 'brandId'> & { zip: string })[] = [
    { ...roofs, name: 'Lone Star Roofing, Dallas', kind: 'office', zip: dallas.main[0]! },
    { ...roofs, name: 'Lone Star yard', kind: 'depot', zip: dallas.main.at(12)! },
    { ...roofs, name: 'Lone Star Roofing, Phoenix', kind: 'store', zip: phoenix.other[0]! },
    { ...cooling, name: 'Desert Air, Phoenix', kind: 'office', zip: phoenix.main[0]! },
    { ...cooling, name: 'Desert Air, Dallas', kind: 'store', zip: dallas.other[0]! },
    { brandId: roofing.id, name: 'Another roofer', kind: 'competitor', zip: dallas.other.at(-1)! },
  ];
  const located: PlaceToStore[] = [];
  for (const place of places) {
    located.push({ ...NO_TEXTS, ...place, ...(await locate(tenant, { zip: place.zip })) });
  }
  await insertPlaces(tenant, actor, located, subscription);
}

/** Adds jobs and revenue that are made up, and says so in their names. */
async function addSampleData(
  tenant: TenantTransaction,
  actor: Actor,
  markets: readonly (readonly [metro: string, base: Middle])[],
): Promise<void> {
  const neighborhoods = await tenant.common.query<Neighborhood & Record<string, unknown>>(
    `select zip, st_x(centroid) as lng, st_y(centroid) as lat,
       owner_occupied_households as "ownerHouseholds"
     from zips join metro_counties using (county_fips) join zip_demographics using (zip)
     where metro_slug = any($1) and centroid is not null and owner_occupied_households > 0`,
    [markets.map(([metro]) => metro)],
  );
  const bases = markets.map(([, base]) => base);
  const { zips, jobs, revenue } = sampleJobs(neighborhoods, bases);
  const rows = jobs.reduce((sum, one) => sum + one, 0);
  const common = {
    zips,
    rows: jobs,
    addsUp: 'sum' as const,
    period: 'Sample data, made up',
    brandIds: null,
    report: {
      summary: 'Sample data: these jobs are made up.',
      rows,
      counts: { placed: rows },
      suppressedBelow: 0,
      suppressedZips: 0,
    },
  };
  const data = [
    { name: 'Sample jobs', amounts: jobs, unit: 'count' },
    { name: 'Sample revenue', amounts: revenue, unit: 'dollars' },
  ];
  for (const one of data) await saveUpload(tenant, actor, { ...common, ...one }, data.length);
}

async function areasIn(tx: Queryable, metro: string, sizes: AreaSizes): Promise<Areas> {
  const places = await tx.query<ZipCenter & Record<string, unknown>>(
    `select zip, st_x(centroid) as lng, st_y(centroid) as lat
     from zips join metro_counties using (county_fips)
     where metro_slug = $1
       and exists (select from zip_scores s where s.zip = zips.zip and s.score is not null)`,
    [metro],
  );
  if (places.length <= sizes.main + sizes.other) {
    throw badRequest(
      `The demo needs scores in Dallas and Phoenix, but too few ZIP codes of ${metroBySlug(metro).label} ` +
        'have them. Import boundaries and demographics of both metros first.',
    );
  }
  const zips = places.map(({ zip }) => zip);
  return growAreas(places, await readAdjacency(tx, zips), sizes);
}
