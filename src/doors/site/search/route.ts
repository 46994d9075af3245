/** Routes of the search for places: a page of results, and JSON for results while typing. */
import { z } from 'zod';
import { ServerFailure } from '../../../base/outside/ask-server.ts';
import { BreakerOpen } from '../../../base/outside/breaker.ts';
import type { Roots } from '../../../base/contract/openapi/about.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { JSON_TYPE, PreparedAnswer } from '../../../base/contract/prepared.ts';
import type { Database } from '../../../base/db/database.ts';
import { importedData, type DataAt } from '../../../base/db/imported-data.ts';
import { looksLikeAddress, type Geocoder } from '../../../data/geocoding/geocoder.ts';
import { preparedCache } from '../../http/answers/prepared-cache.ts';
import { unlisted } from '../../http/unlisted.ts';
import { explainMissing, missingBoundaries } from '../../../data/market/missing-boundaries.ts';
import { zipDigits, type PlaceQuery, type Place } from '../../../data/market/search/place-index.ts';
import { placeSearch, SEARCH_DATASETS } from '../../../data/market/search/search.ts';
import { zipAt, type ZipAt } from '../../../data/market/search/zip-at.ts';
import type { FoundPlace } from '../browser/found-place.ts';
import { Links, SEARCH_PATH, cityPath, metroPath, zipPath } from '../links.ts';
import { HTML } from '../media-types.ts';
import { searchPage } from './view.ts';
import type { Address } from '../../../data/geocoding/engine.ts';

const MAX_QUERY_LENGTH = 100;
/** Number of results while typing. They must fit on a small screen */
const MAX_SUGGESTIONS = 8;
const MAX_RESULTS = 40;
/** A missing or repeated parameter counts as empty. */
const text = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'string' ? value.slice(0, MAX_QUERY_LENGTH) : ''));

const query = z.object({
  q: text,
  /** `1` limits the results to places in launched metros */
  launched: text,
});

/** The results of a query */
interface Results {
  places: FoundPlace[];
  /** Reason why results may be missing, as a sentence */
  problem: string | null;
}

/** @param geocoder default: no addresses */
export function searchRoutes(db: Database, roots: () => Roots, geocoder?: Geocoder): Operation[] {
  const { find } = placeSearch(db);
  const data = importedData(db, SEARCH_DATASETS);

  const findPlaces = async (db: DataAt, query: PlaceQuery): Promise<Results> => {
    const places = await find(db, query);
    const digits = zipDigits(query.text);
    const isUnknown = places.length === 0 && digits?.length === 5;
    const [missing] = isUnknown ? await missingBoundaries(db, [digits]) : [];
    const links = new Links(roots());
    return {
      places: places.map((place) => foundPlace(place, links)),
      problem: missing ? explainMissing(missing) : null,
    };
  };

  /** Adds addresses after places with similar names. */
  async function findAddresses(from: Geocoder, query: PlaceQuery): Promise<Results> {
    const addresses = await from.find(query.text).catch((error: unknown) => {
      if (error instanceof ServerFailure || error instanceof BreakerOpen) return null;
      throw error;
    });
    return data.read(async (db) => {
      const { places, problem } = await findPlaces(db, query);
      const links = new Links(roots());
      const found = await Promise.all(
        (addresses ?? []).map(async (address) => {
          const at = await zipAt(db, address);
          const isWanted = at && (!query.launchedOnly || at.metro !== null);
          return isWanted ? [foundAddress(address, at, links)] : [];
        }),
      );
      return {
        places: [...places, ...found.flat()].slice(0, query.limit),
        problem: addresses === null ? NO_ADDRESSES : problem,
      };
    });
  }

  const searchOperation = (
    path: string,
    type: string,
    limit: number,
    show: (query: string, results: Results, links: Links) => string,
  ) => {
    const cached = preparedCache({ type, data });
    return operation({
      ...unlisted('get', path),
      limit: 'site',
      query,
      answers: { 200: { description: 'The results', type, cached: true } },
      errors: [503],
      async handle({ query: { q: text, launched } }) {
        const query = { text, limit, launchedOnly: launched === '1' };
        const showResults = (results: Results) => show(text, results, new Links(roots()));
        if (geocoder && looksLikeAddress(text)) {
          const results = await findAddresses(geocoder, query);
          // Addresses aren't cached, because an address may be someone's home.
          const headers = { 'Cache-Control': 'no-store' };
          return { status: 200, headers, body: new PreparedAnswer(showResults(results), type) };
        }
        const key = JSON.stringify([text, launched]);
        const body = await cached(key, async (db) => showResults(await findPlaces(db, query)));
        return { status: 200, headers: { 'Cache-Control': 'public, max-age=3600' }, body };
      },
    });
  };

  return [
    searchOperation(SEARCH_PATH, HTML, MAX_RESULTS, searchPage),
    searchOperation(`${SEARCH_PATH}.json`, JSON_TYPE, MAX_SUGGESTIONS, (_, { places }) =>
      JSON.stringify({ places }),
    ),
  ];
}

const NO_ADDRESSES =
  'Addresses can’t be found at the moment. Search for the ZIP code or the city, or try again later.';

/** A place as `/search.json` returns it. */
const foundPlace = (place: Place, links: Links): FoundPlace => ({
  ...place,
  zip: place.kind === 'zip' ? place.label : null,
  url: pageOf(place, links),
});

/** Distance around an address on the map, in degrees: about a mile */
const AROUND_DEG = 0.008;

const foundAddress = (
  { label, lng, lat }: Address,
  { zip, state, metro }: ZipAt,
  links: Links,
): FoundPlace => ({
  kind: 'address',
  label,
  detail: `Address in ${zip}`,
  bbox: [lng - AROUND_DEG, lat - AROUND_DEG, lng + AROUND_DEG, lat + AROUND_DEG],
  zip,
  state,
  metro,
  url: metro === null ? null : links.page(zipPath(zip)),
});

function pageOf({ kind, label, metro }: Place, links: Links): string | null {
  if (metro === null) return null;
  if (kind === 'zip') return links.page(zipPath(label));
  if (kind === 'city') return links.page(cityPath(metro, label));
  return links.page(metroPath(metro));
}
