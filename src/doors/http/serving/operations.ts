/** Lookups: which brand serves a ZIP code, a point, or an address. */
import type { JsonBounds } from '../../../base/spatial/json-bounds.ts';
import { JSON_BODY } from '../../../base/contract/bounds.ts';
import { EXPORT_TYPES } from '../../../base/contract/export-formats.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { exampleOf } from '../../../base/contract/resources.ts';
import { csvLines } from '../../../base/text/csv.ts';
import type { Geocoder } from '../../../data/geocoding/geocoder.ts';
import { badRequest } from '../../../errors.ts';
import { MAX_ZIPS_PER_CALL } from '../../../base/contract/limits.ts';
import {
  ADDRESSES_PER_UNIT,
  withMeteredAddresses,
} from '../../../territories/own-data/address-units.ts';
import { MAX_BYTES, MAX_MB } from '../../../territories/own-data/import/read-upload.ts';
import { routeFile } from '../../../territories/serving/route-file.ts';
import {
  servedByEach,
  type Question,
  type ServingViewer,
} from '../../../territories/serving/serving.ts';
import { SERVED_COLUMNS, servedCells } from '../../../territories/serving/words.ts';
import { SUBSCRIBED, NO_STORE } from '../agent/shared.ts';
import { FILE_TYPES } from '../own-data/data-sets.ts';
import { placeOptionsOf } from '../own-data/upload-schema.ts';
import {
  MAX_ADDRESSES,
  MAX_QUESTIONS,
  questionOf,
  questionsOf,
  RouteQuery,
  ServingBody,
  servingBody,
  ServingCsvQuery,
  ServingListBody,
  ServingQuery,
  ServingRequest,
} from './schema.ts';
import { CSV_PATH, signedLookupsOperation, viewerOf, type SignedParts } from './signed.ts';

const LOOKUPS = { ...SUBSCRIBED, tag: 'Lookups', limit: 'lookups' } as const;

const PRICE_TEXT =
  'Lookups by ZIP code and by point are free. Looking up addresses needs the operator’s geocoder, and costs 1 unit per ' +
  `${ADDRESSES_PER_UNIT} addresses of a call (rounded up).`;
const SCOPE_TEXT =
  'Callers with access to only some brands learn that another brand holds a ZIP code, and which one only if a group of ' +
  'both shows names.';

/** A question has an object and a text. */
const QUESTIONS: JsonBounds = { ...JSON_BODY, bytes: 4 * 2 ** 20, values: 3 * MAX_QUESTIONS + 10 };

export const servingOperations = (
  geocoder: Geocoder | undefined,
  signed: SignedParts,
): Operation[] => {
  /** Answers questions, and charges the addresses among them. @throws ServiceError as `servedByEach`; 402 without units */
  const answers = (
    caller: Parameters<typeof withMeteredAddresses>[0] & ServingViewer,
    questions: readonly Question[],
  ) =>
    withMeteredAddresses(caller, geocoder, (metered) =>
      servedByEach(caller, questions, { geocoder: metered }),
    );

  return [
    operation({
      ...LOOKUPS,
      id: 'getServing',
      method: 'get',
      path: '/agent/serving',
      summary: 'Find out who serves a place',
      description:
        'Returns the brands that hold a ZIP code live, with contact, nearest place, and since when. If there are none, ' +
        'it says why, and which brand is nearest. A point is answered by the boundary around it, not by the nearest ' +
        `center. ${PRICE_TEXT} ${SCOPE_TEXT} Changes show in the next lookup.`,
      query: ServingQuery,
      answers: { 200: { description: 'Who serves it', schema: ServingBody } },
      errors: [402],
      handle: async ({ caller, query }) => {
        const [served] = await answers(caller, [questionOf(query)]);
        return { status: 200, headers: NO_STORE, body: servingBody(served!) };
      },
    }),
    operation({
      tag: 'Lookups',
      auth: 'bearer-if-private',
      limit: 'lookups',
      id: 'getServingCsv',
      method: 'get',
      path: CSV_PATH,
      summary: 'Find out who serves places, as CSV',
      description:
        'Returns a line for each ZIP code, or for one point or address, for spreadsheets and tools that read CSV. It needs ' +
        'an API key or a signed URL (see `createSignedLookups`). ' +
        `${PRICE_TEXT} ${SCOPE_TEXT}`,
      query: ServingCsvQuery,
      answers: {
        200: {
          description: 'A line for each question',
          type: EXPORT_TYPES.csv,
          example: `${['Question', ...SERVED_COLUMNS].join()}\r\n75201,Lone Star Roofing of Dallas,lone-star-roofing,214-555-0100,,,Dallas office,,0.3,75201,ZIP code,\r\n`,
        },
      },
      errors: [402, 403],
      handle: async ({ caller, query: { headings, signer, expires, signature, ...query } }) => {
        const viewer = await viewerOf(signed, caller, { signer, expires, signature, ...query });
        const asked = query.zip === undefined ? [questionOf(query)] : zipsOf(query.zip, query);
        const served = await answers(viewer, asked);
        const given = asked.map((one) =>
          'zip' in one ? one.zip : (query.address ?? query.point ?? null),
        );
        const lines = served.map((one, i) => [given[i]!, ...servedCells(one)]);
        return {
          status: 200,
          headers: { ...NO_STORE, 'Content-Type': EXPORT_TYPES.csv },
          body: csvLines([
            ...(headings === 'true' ? [['Question', ...SERVED_COLUMNS]] : []),
            ...lines,
          ]),
        };
      },
    }),
    signedLookupsOperation(signed),
    operation({
      ...LOOKUPS,
      limit: 'bulk-lookups',
      id: 'lookUpServing',
      method: 'post',
      path: '/agent/serving',
      summary: 'Find out who serves many places',
      description:
        `Answers up to ${MAX_QUESTIONS.toLocaleString('en')} questions at once, of which ${MAX_ADDRESSES} can be addresses, as ` +
        'of one moment. One question can also be sent as a form, with the fields `zip`, `point`, or `address`, as tools ' +
        `without JSON do. ${PRICE_TEXT} ${SCOPE_TEXT}`,
      body: ServingRequest,
      bodyBounds: QUESTIONS,
      formBody: true,
      bodyExamples: {
        several: {
          summary: 'Several questions',
          value: exampleOf(ServingRequest) as typeof ServingRequest._zod.input,
        },
        one: { summary: 'One question', value: { zip: '75201' } },
      },
      answers: { 200: { description: 'The answers', schema: ServingListBody } },
      errors: [402],
      handle: async ({ caller, body }) => {
        const served = await answers(caller, questionsOf(body));
        return { status: 200, headers: NO_STORE, body: { answers: served.map(servingBody) } };
      },
    }),
    operation({
      ...LOOKUPS,
      limit: 'bulk-lookups',
      id: 'routeLeads',
      method: 'post',
      path: '/agent/serving/file',
      summary: 'Route a file of leads',
      description:
        `Reads CSV, TSV, XLSX, GeoJSON, KML, KMZ, or a zipped shapefile of up to ${MAX_MB} MB, sent as the body, and returns ` +
        'its rows as CSV with further columns: the brands that serve the place, their contacts, the nearest place with ' +
        'its distance, how the ZIP code was found, and why a row has no answer. Columns that the query doesn’t name are ' +
        'guessed. Rows are answered as they arrive, and nothing of the file is stored or logged. Read the answer while ' +
        `you send a large file. ${PRICE_TEXT} ${SCOPE_TEXT}`,
      query: RouteQuery,
      file: { bytes: MAX_BYTES, types: FILE_TYPES },
      answers: {
        200: {
          description: 'The rows with who serves them',
          type: EXPORT_TYPES.csv,
          example: `name,zip,${SERVED_COLUMNS.join()}\r\nAnn,75201,Lone Star Roofing of Dallas,lone-star-roofing,214-555-0100,,,Dallas office,,0.3,75201,ZIP code,\r\n`,
        },
      },
      errors: [402],
      handle: async ({ caller, query, file, signal }) => ({
        status: 200,
        headers: {
          ...NO_STORE,
          'Content-Type': EXPORT_TYPES.csv,
          'Content-Disposition': 'attachment; filename="routed.csv"',
        },
        body: await routeFile(caller, file, placeOptionsOf(query), { geocoder, signal }),
      }),
    }),
  ];
};

/** @throws ServiceError 400 for none, too many, or other fields besides */
function zipsOf(
  text: string,
  others: { point?: string | undefined; address?: string | undefined },
) {
  questionOf({ ...others, zip: text });
  const zips = text
    .split(',')
    .map((zip) => zip.trim())
    .filter((zip) => zip !== '');
  if (zips.length > 0 && zips.length <= MAX_ZIPS_PER_CALL) return zips.map((zip) => ({ zip }));
  throw badRequest(`zip: give 1 to ${MAX_ZIPS_PER_CALL} ZIP codes, separated by commas.`);
}
