/** The data sets of an organization: its own amounts by ZIP code. */
import { Readable } from 'node:stream';
import {
  dataSetBody,
  DataSetBody,
  DataSetListBody,
  dataSetParams,
  DataSetUploadsBody,
  DeletedDataSetBody,
  RestoreRequest,
  uploadsBody,
} from './schema.ts';
import { fileImportBody, fileRequestOf, UploadBody, UploadQuery } from './upload-schema.ts';
import { EXPORT_TYPES } from '../../../base/contract/export-formats.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { exampleOf } from '../../../base/contract/resources.ts';
import type { Geocoder } from '../../../data/geocoding/geocoder.ts';
import { ADDRESSES_PER_UNIT } from '../../../territories/own-data/address-units.ts';
import { deleteDataSet, restoreUpload } from '../../../territories/own-data/data-sets.ts';
import { MAX_BYTES, MAX_MB } from '../../../territories/own-data/import/read-upload.ts';
import { importFile } from '../../../territories/own-data/import-file.ts';
import { dataLimitsOf, rowsUsed } from '../../../territories/own-data/limits.ts';
import {
  visibleData,
  visibleDataSets,
  visibleUploads,
} from '../../../territories/own-data/viewer-data.ts';
import { SUBSCRIBED, NO_STORE } from '../agent/shared.ts';
import type { Caller } from '../../../people/account/caller.ts';
import { recordSeenZips } from '../../../people/metering/figures.ts';
import { ratePer1000 } from '../../../territories/own-data/white-space.ts';
import { recordTaken } from '../../../territories/brands/export/record-taken.ts';
import { zipFacts } from '../../../territories/brands/zip-facts.ts';
import { csvLines } from '../../../base/text/csv.ts';

const DATA = { ...SUBSCRIBED, tag: 'Own data' } as const;

/** Media types of tables, with examples */
export const FILE_TYPES = {
  'text/csv': 'zip,revenue\n75201,1200\n75202,850\n',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': '',
  'application/geo+json': '',
  'application/octet-stream': '',
};

export const dataSetOperations = (geocoder: Geocoder | undefined): Operation[] => [
  operation({
    ...DATA,
    id: 'listDataSets',
    method: 'get',
    path: '/agent/data-sets',
    summary: 'List the data sets',
    description:
      'Returns the organization’s own data by ZIP code, such as its jobs or revenue, by name. Callers with access to ' +
      'only some brands see data sets of these in full, and the ZIP codes that these hold in others.',
    answers: { 200: { description: 'The data sets', schema: DataSetListBody } },
    errors: [402],
    handle: async ({ caller }) => {
      const { dataSets, monthlyRows } = dataLimitsOf(caller.subscription);
      const [sets, used] = await Promise.all([visibleDataSets(caller), rowsUsed(caller.tenant)]);
      const limits = { dataSets, rowsIncluded: monthlyRows, rowsUsed: used };
      return { status: 200, headers: NO_STORE, body: { dataSets: sets.map(dataSetBody), limits } };
    },
  }),
  operation({
    ...DATA,
    needs: 'writer',
    id: 'uploadDataSets',
    method: 'post',
    path: '/agent/data-sets',
    summary: 'Upload data',
    description:
      `Reads CSV, TSV, XLSX, GeoJSON, KML, KMZ, or a zipped shapefile of up to ${MAX_MB} MB and a million rows, sent as the body, and ` +
      'places each row in a ZIP code: by a column of ZIP codes, by longitude and latitude, or by an address. ' +
      'Stores only the count, sums, or means by ZIP code. Rows, names, addresses, and coordinates are ' +
      'never stored. Columns that the query doesn’t name are guessed, and the answer says how they were understood and ' +
      'which rows need attention. Several amounts or groups become several data sets. An upload with the name of an ' +
      'existing data set replaces its amounts; the last five can be restored. Looking up addresses costs 1 unit per ' +
      `${ADDRESSES_PER_UNIT} different ones (rounded up), in a preview, too.`,
    query: UploadQuery,
    file: { bytes: MAX_BYTES, types: FILE_TYPES },
    answers: {
      200: { description: 'How the file was read, and its data sets', schema: UploadBody },
    },
    errors: [402, 403, 409],
    handle: async ({ caller, query, file }) => {
      const imported = await importFile(caller, file, fileRequestOf(query), geocoder);
      return { status: 200, headers: NO_STORE, body: fileImportBody(imported, query.findings) };
    },
  }),
  operation({
    ...DATA,
    id: 'getDataSet',
    method: 'get',
    path: '/agent/data-sets/{dataSet}',
    summary: 'Get a data set and its uploads',
    description: 'Returns a data set with the uploads that can be restored, newest first.',
    params: dataSetParams,
    answers: { 200: { description: 'The data set', schema: DataSetUploadsBody } },
    errors: [402, 404],
    handle: async ({ caller, params }) => {
      const set = await visibleData(caller, params.dataSet);
      const uploads = await visibleUploads(caller, set);
      return { status: 200, headers: NO_STORE, body: uploadsBody(set, uploads) };
    },
  }),
  operation({
    ...DATA,
    id: 'getDataSetCsv',
    method: 'get',
    path: '/agent/data-sets/{dataSet}/zips.csv',
    summary: 'Get a data set as CSV',
    description:
      'Returns a row for each ZIP code with an amount: the amount, the number of rows behind it, and, for sums, the ' +
      'amount per 1,000 owner households. The ZIP codes of sums count as seen.',
    params: dataSetParams,
    answers: {
      200: {
        description: 'A row per ZIP code',
        type: EXPORT_TYPES.csv,
        example: `${DATA_SET_COLUMNS.map((one) => (one.includes(',') ? `"${one}"` : one)).join()}\r\n75201,78,78,2.1\r\n`,
      },
    },
    errors: [402, 404],
    handle: async ({ caller, params }) => {
      const text = await dataSetCsv(caller, params.dataSet);
      return {
        status: 200,
        headers: { ...NO_STORE, 'Content-Type': EXPORT_TYPES.csv },
        body: Readable.from([Buffer.from(text)], { objectMode: false }),
      };
    },
  }),
  operation({
    ...DATA,
    needs: 'writer',
    id: 'restoreDataSet',
    method: 'post',
    path: '/agent/data-sets/{dataSet}/restore',
    summary: 'Restore an upload',
    description:
      'Makes one of the last five uploads count again. Later uploads stay, so that this can be undone.',
    params: dataSetParams,
    body: RestoreRequest,
    bodyExamples: {
      first: {
        summary: 'The first upload',
        value: exampleOf(RestoreRequest) as typeof RestoreRequest._zod.input,
      },
    },
    answers: { 200: { description: 'The data set', schema: DataSetBody } },
    errors: [402, 403, 404],
    handle: async ({ caller, params, body }) => {
      const { tenant, actor, brandScope } = caller;
      const set = await tenant.transaction((tx) =>
        restoreUpload(tx, actor, params.dataSet, body.upload, brandScope),
      );
      return { status: 200, headers: NO_STORE, body: dataSetBody(set) };
    },
  }),
  operation({
    ...DATA,
    needs: 'writer',
    id: 'deleteDataSet',
    method: 'post',
    path: '/agent/data-sets/{dataSet}/delete',
    summary: 'Delete a data set',
    description:
      'Deletes a data set with all of its uploads. Refused with 409 while territories of a plan share it evenly.',
    params: dataSetParams,
    answers: { 200: { description: 'The data set is deleted', schema: DeletedDataSetBody } },
    errors: [402, 403, 404, 409],
    handle: async ({ caller, params }) => {
      const { tenant, actor, brandScope } = caller;
      const { name } = await tenant.transaction((tx) =>
        deleteDataSet(tx, actor, params.dataSet, brandScope),
      );
      return { status: 200, headers: NO_STORE, body: { deleted: name } };
    },
  }),
];

/** A data set as CSV: one row per ZIP code. */
const DATA_SET_COLUMNS = ['zip', 'amount', 'rows', 'per 1,000 owner households'] as const;

/** Excel recognizes UTF-8 by it. */
const BYTE_ORDER_MARK = '\u{FEFF}';

/**
 * Exports the amounts that the caller sees. Sums have rates, too, so their ZIP codes count as seen.
 * @throws ServiceError 404 as `visibleData`; 402 as `recordSeenZips`
 */
async function dataSetCsv(caller: Caller, ref: string): Promise<string> {
  const { name, amounts, rows, addsUp } = await visibleData(caller, ref);
  if (addsUp === 'sum') await recordSeenZips(caller, [...amounts.keys()]);
  const facts = await zipFacts(caller.tenant.common, amounts.keys(), null);
  const lines = facts.map(({ zip, ownerOccupiedHouseholds: owners }) => {
    const amount = amounts.get(zip)!;
    const rate = addsUp === 'sum' ? ratePer1000(amount, owners) : null;
    return [zip, amount, rows.get(zip)!, rate && Math.round(1000 * rate) / 1000];
  });
  const zips = [...amounts.keys()].toSorted();
  await recordTaken(caller, 'data_exported', `Exported the data set ${name}`, zips, null);
  return BYTE_ORDER_MARK + csvLines([[...DATA_SET_COLUMNS], ...lines]);
}
