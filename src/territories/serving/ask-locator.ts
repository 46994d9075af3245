/** Answers the visitors of a locator: who serves a place, and whether an area is available. */
import { scoresOfZips } from '../../data/market/zips.ts';
import type { Database } from '../../base/db/database.ts';
import { readZip } from '../../base/lists/read-zip.ts';
import { looksLikeAddress, type Geocoder } from '../../data/geocoding/geocoder.ts';
import { NATIONAL_CLASSES, scoreClass } from '../../maps/cartography/classes.ts';
import { notFound } from '../../errors.ts';
import type { Limiter } from '../../people/metering/limiter.ts';
import { tenantOf } from '../../people/account/tenant.ts';
import type { LiveBrand, Served } from './answer.ts';
import { countAsking } from './locator-limits.ts';
import { countQuestion } from './locator-questions.ts';
import { SENTENCES, type Availability, type Demand } from './locator-sentences.ts';
import { wordsIn, type Language } from './locator-words.ts';
import type { OpenLocator } from './locators.ts';
import { servedBy } from './serving.ts';

export interface LocatorParts {
  db: Database;
  limiter: Limiter;
  geocoder: Geocoder | undefined;
}

/** What a visitor entered, in one spelling */
export type LocatorQuestion = { zip: string } | { address: string };

/** Longer than any address */
const MAX_QUESTION = 200;

/** Reads what a visitor entered. @returns null unless it's a ZIP code, or an address that can be found */
export function readQuestion(text: string, geocodes: boolean): LocatorQuestion | null {
  const plain = text.trim().replaceAll(/\s+/g, ' ').slice(0, MAX_QUESTION);
  if (geocodes && looksLikeAddress(plain)) return { address: plain.toLowerCase() };
  const { zip, outcome } = readZip(plain || '-');
  return zip !== null && outcome === 'new' ? { zip } : null;
}

/** An answer of the lookup, without what only the organization may know */
export interface LocatorAnswer {
  status: 'served' | 'unserved' | 'unknown';
  zip: string | null;
  /** `75201 (Dallas, TX)`, or the address */
  where: string;
  /** In the visitor's language */
  message: string;
  brands: ServingContact[];
}

interface ServingContact {
  name: string;
  phone: string | null;
  url: string | null;
  nearestPlace: LiveBrand['nearestPlace'];
}

/**
 * Answers who serves a place, and counts the question.
 * @param client network of the visitor
 * @throws TooManyRequests; ServiceError 503 if the geocoder doesn't respond
 */
export async function askLocator(
  parts: LocatorParts,
  open: OpenLocator,
  question: LocatorQuestion,
  language: Language,
  client: string,
): Promise<LocatorAnswer> {
  const { served, isNew } = await ask(parts, open, question, client);
  const status =
    served.status === 'unknown' ? 'unknown' : served.status === 'live' ? 'served' : 'unserved';
  const zip = served.around?.zip ?? served.zip;
  if (isNew && status !== 'unknown' && zip !== null) {
    const tenant = tenantOf(parts.db, open.organizationId);
    await countQuestion(tenant, open.locator, zip, status === 'served');
  }
  const brands = served.brands.map(({ publicName, phone, url, nearestPlace }) => ({
    name: publicName,
    phone,
    url,
    nearestPlace,
  }));
  const where = whereOf(served);
  return {
    status,
    zip: served.zip,
    where,
    message: messageOf(open, served, where, language),
    brands,
  };
}

async function ask(
  { db, limiter, geocoder }: LocatorParts,
  open: OpenLocator,
  question: LocatorQuestion,
  client: string,
): Promise<{ served: Served; isNew: boolean }> {
  const isNew = await countAsking({ limiter, client }, open, Object.values(question).join());
  const viewer = { tenant: tenantOf(db, open.organizationId), brandScope: 'all' } as const;
  const brandIds = open.locator.brands.map(({ id }) => id);
  return { served: await servedBy(viewer, question, { brandIds, geocoder }), isNew };
}

const whereOf = ({ address, zip, place }: Served): string =>
  address ?? (place === '' ? (zip ?? '') : `${zip} (${place})`);

function messageOf(
  { locator: { words } }: OpenLocator,
  { status, zip, brands }: Served,
  where: string,
  language: Language,
): string {
  const sentences = SENTENCES[language];
  if (status === 'unknown') {
    return zip === null ? sentences.unknownAddress : sentences.unknownZip(zip);
  }
  const [brand, ...others] = brands;
  if (brand === undefined) return wordsIn(words, language, false).nobody;
  return others.length > 0 ? sentences.serveBoth(where) : sentences.serves(brand.publicName, where);
}

export const NO_CANDIDATES = 'This locator doesn’t say whether areas are available.';

/** Whether an area is available to people who want to buy a franchise */
export interface LocatorAvailability {
  availability: Availability;
  /** Of an available area, unless it's unknown */
  demand: Demand | null;
  zip: string | null;
  where: string;
  message: string;
}

/**
 * Answers whether an area is available. Reasons, days, and scores stay within the organization.
 * @throws ServiceError 404 unless people may ask; TooManyRequests
 */
export async function askAvailability(
  parts: LocatorParts,
  open: OpenLocator,
  zip: string,
  language: Language,
  client: string,
): Promise<LocatorAvailability> {
  if (open.locator.candidateEmail === null) throw notFound(NO_CANDIDATES);
  const { served } = await ask(parts, open, { zip }, client);
  const availability = AVAILABILITY_OF[served.status];
  const where = whereOf(served);
  const area = served.around?.zip ?? zip;
  return {
    availability,
    demand: availability === 'available' ? await demandIn(parts.db, open, area) : null,
    zip: served.zip,
    where,
    message:
      availability === 'unknown'
        ? SENTENCES[language].unknownZip(zip)
        : SENTENCES[language].candidates.availability[availability](where),
  };
}

/** Other brands than the locator's take an area only if a group blocks overlaps. */
const AVAILABILITY_OF: Readonly<Record<Served['status'], Availability>> = {
  live: 'taken',
  blocked: 'taken',
  held: 'available',
  reserved: 'reserved',
  free: 'available',
  unknown: 'unknown',
};

/** Classes of demand by the five classes of scores on maps */
const DEMAND_OF_CLASS = ['low', 'low', 'middle', 'high', 'high'] as const;

async function demandIn(
  db: Database,
  { locator: { vertical } }: OpenLocator,
  zip: string,
): Promise<Demand | null> {
  if (vertical === null) return null;
  const score = (await scoresOfZips(db, [zip], vertical)).get(zip) ?? null;
  const at = scoreClass(score, NATIONAL_CLASSES.breaks);
  return at === null ? null : DEMAND_OF_CLASS[at]!;
}
