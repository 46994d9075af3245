/** The data sets of an organization: its own amounts by ZIP code. */
import { Readable } from 'node:stream';
import { requireWrite } from '../../account/access.ts';
import type { Caller } from '../../account/caller.ts';
import {
  dataSetBody,
  DataSetBody,
  DataSetListBody,
  dataSetParams,
  DataSetUploadsBody,
  DeletedDataSetBody,
  RestoreRequest,
  uploadsBody,
} from '../../agent/own-data/schema.ts';
import { DATA_SET_COLUMNS, dataSetCsv } from '../../agent/own-data/data-csv.ts';
import {
  fileImportBody,
  fileRequestOf,
  UploadBody,
  UploadQuery,
} from '../../agent/own-data/upload-schema.ts';
import { EXPORT_TYPES } from '../../contract/export-formats.ts';
import { operation, type Operation } from '../../contract/operation.ts';
import { exampleOf } from '../../contract/resources.ts';
import type { Geocoder } from '../../outside/geocoding/geocoder.ts';
import { ADDRESSES_PER_UNIT } from '../../own-data/address-units.ts';
import { deleteDataSet, restoreUpload } from '../../own-data/data-sets.ts';
import { MAX_BYTES, MAX_MB } from '../../own-data/import/read-upload.ts';
import { importFile } from '../../own-data/import-file.ts';
import { dataLimitsOf, rowsUsed } from '../../own-data/limits.ts';
import {
  requireAllData,
  visibleData,
  visibleDataSets,
  visibleUploads,
} from '../../own-data/viewer-data.ts';
import { AGENTS, NO_STORE, readerOf } from './shared.ts';

const DATA = { ...AGENTS, tag: 'Own data' } as const;

/** @throws ServiceError 402 with the meter, 403 without write access or with access to only some brands */
async function writerOf(caller: unknown): Promise<Caller> {
  const writer = await readerOf(caller);
  requireWrite(writer);
  requireAllData(writer);
  return writer;
}

const FILE_TYPES = {
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
      'only some brands see only the ZIP codes that these hold.',
    answers: { 200: { description: 'The data sets', schema: DataSetListBody } },
    errors: [402],
    handle: async ({ caller }) => {
      const reader = await readerOf(caller);
      const { dataSets, monthlyRows } = dataLimitsOf(reader.plan);
      const [sets, used] = await Promise.all([visibleDataSets(reader), rowsUsed(reader.tenant)]);
      const limits = { dataSets, rowsIncluded: monthlyRows, rowsUsed: used };
      return {
        status: 200,
        headers: NO_STORE,
        body: { dataSets: sets.map(dataSetBody), limits },
      };
    },
  }),
  operation({
    ...DATA,
    id: 'uploadDataSets',
    method: 'post',
    path: '/agent/data-sets',
    summary: 'Upload data',
    description:
      `Reads a CSV, TSV, XLSX, or GeoJSON file of up to ${MAX_MB} MB and a million rows, sent as the body, and ` +
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
      const writer = await writerOf(caller);
      const imported = await importFile(writer, file, fileRequestOf(query), geocoder);
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
      const reader = await readerOf(caller);
      const set = await visibleData(reader, params.dataSet);
      const uploads = await visibleUploads(reader, set);
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
      const reader = await readerOf(caller);
      const text = await dataSetCsv(reader, params.dataSet);
      return {
        status: 200,
        headers: { ...NO_STORE, 'Content-Type': EXPORT_TYPES.csv },
        body: Readable.from([Buffer.from(text)], { objectMode: false }),
      };
    },
  }),
  operation({
    ...DATA,
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
      const { tenant } = await writerOf(caller);
      const set = await tenant.transaction((tx) => restoreUpload(tx, params.dataSet, body.upload));
      return { status: 200, headers: NO_STORE, body: dataSetBody(set) };
    },
  }),
  operation({
    ...DATA,
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
      const { tenant } = await writerOf(caller);
      const { name } = await tenant.transaction((tx) => deleteDataSet(tx, params.dataSet));
      return { status: 200, headers: NO_STORE, body: { deleted: name } };
    },
  }),
];
