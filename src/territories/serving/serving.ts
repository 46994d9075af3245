/** Answers which brand serves a ZIP code, a point, or an address. */
import { cacheOf } from '../../base/cache/cache.ts';
import { readZip } from '../../base/lists/read-zip.ts';
import { truncateInput } from '../../base/text/words.ts';
import type { Geocoder } from '../../data/geocoding/geocoder.ts';
import { zipsAt } from '../../data/market/search/zip-at.ts';
import type { Point } from '../../data/market/zip-centers.ts';
import { badRequest, ServiceError, unavailable } from '../../errors.ts';
import type { BrandScope } from '../../people/account/caller.ts';
import type { Tenant } from '../../people/account/tenant.ts';
import { answererOf, type Answerer, type Located, type Served } from './answer.ts';
import { servingState, type ServingState } from './facts.ts';

export type Question =
  | { zip: string }
  /** Degrees */
  | { point: Point }
  | { address: string };

export interface ServingOptions {
  /** Only these brands may serve; the others are other holders. Default: all that the caller sees */
  brandIds?: readonly string[] | undefined;
  /** Finds addresses. Undefined without one */
  geocoder?: Pick<Geocoder, 'find'> | undefined;
}

/** Whose lookup it is: a caller, or a locator with all brands */
export interface ServingViewer {
  tenant: Tenant;
  brandScope: BrandScope;
}

/**
 * Answers one question.
 * @throws ServiceError 400 for an address without a geocoder, or a text that isn't a ZIP code; 503 if the geocoder fails
 */
export async function servedBy(
  viewer: ServingViewer,
  question: Question,
  options: ServingOptions = {},
): Promise<Served> {
  const [served] = await servedByEach(viewer, [question], options);
  return served!;
}

/** Answers questions in their order. All answers are of one moment. @throws ServiceError as `servedBy` */
export async function servedByEach(
  viewer: ServingViewer,
  questions: readonly Question[],
  { brandIds, geocoder }: ServingOptions = {},
): Promise<Served[]> {
  const state = await servingState(viewer.tenant, viewer.brandScope);
  const located = await locateEach(viewer.tenant, questions, geocoder);
  const answer = await answererFor(state, brandIds);
  const now = new Date();
  return located.map((one) => answer(one, now));
}

const ANSWERER_BYTES = 2_000_000;
const answerers = cacheOf<Answerer>(() => ANSWERER_BYTES);

const answererFor = (
  { version, facts, gazetteer }: ServingState,
  brandIds?: readonly string[],
): Promise<Answerer> =>
  answerers.find(`${version} ${brandIds?.toSorted().join() ?? ''}`, async () =>
    answererOf(facts, gazetteer, brandIds),
  );

const NO_GEOCODER =
  'This service can’t look up addresses. Give a ZIP code or a point, or ask the operator to set GEOCODER_URL to a ' +
  'Nominatim or Photon server.';

export const NO_ADDRESS = 'The address wasn’t found. Check it, or give its ZIP code.';
export const NO_ZIP_HERE =
  'No ZIP code covers this point. It lies on water, outside the country, or on land without addresses.';

/** Finds the ZIP codes of questions: of all points by one query, exactly by the boundaries. */
async function locateEach(
  { common }: Tenant,
  questions: readonly Question[],
  geocoder: ServingOptions['geocoder'],
): Promise<Located[]> {
  const located = await Promise.all(
    questions.map(async (question): Promise<Located> => {
      if ('zip' in question) return byZip(question.zip);
      if ('point' in question) return { foundBy: 'point', zip: null, point: question.point };
      return findAddress(question.address, geocoder);
    }),
  );
  const isAsked = ({ zip, point, reason }: Located) =>
    zip === null && point !== null && reason === undefined;
  const asked = located.filter(isAsked);
  const found =
    asked.length === 0
      ? []
      : await zipsAt(
          common,
          asked.map(({ point }) => point!),
        );
  let next = 0;
  return located.map((one) => {
    if (!isAsked(one)) return one;
    const zip = found[next++]?.zip;
    return zip === undefined ? { ...one, reason: NO_ZIP_HERE } : { ...one, zip };
  });
}

function byZip(text: string): Located {
  const { zip, reason } = readZip(text);
  return zip === null
    ? { foundBy: 'zip', zip, point: null, reason: `“${truncateInput(text)}”: ${reason}` }
    : { foundBy: 'zip', zip, point: null };
}

async function findAddress(text: string, geocoder: ServingOptions['geocoder']): Promise<Located> {
  if (geocoder === undefined) throw badRequest(NO_GEOCODER);
  const [first] = await geocoder.find(text).catch((cause: unknown) => {
    if (cause instanceof ServiceError) throw cause;
    throw unavailable(
      'The service that looks up addresses isn’t responding. Try again later, or give a ZIP code or a point.',
      { cause },
    );
  });
  if (first === undefined) {
    return { foundBy: 'address', zip: null, point: null, reason: NO_ADDRESS };
  }
  const { lng, lat, label } = first;
  return { foundBy: 'address', zip: null, point: { lng, lat }, address: label };
}
