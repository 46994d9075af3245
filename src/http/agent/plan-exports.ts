/** Exports a plan as files for spreadsheets, Google Earth, and GIS software. */
import { Readable } from 'node:stream';
import { planParams } from '../../agent/plans/schema.ts';
import { operation, type Operation } from '../../contract/operation.ts';
import { EXPORT_TYPES } from '../../contract/export-formats.ts';
import { planGeoJson } from '../../plans/boundaries.ts';
import { planCsv, planKml, planShapefile, planXlsx } from '../../plans/export.ts';
import { findPlan } from '../../plans/plans.ts';
import { readPlanMeasures } from '../../plans/uploaded-measures.ts';
import { refuseWaitingFiles } from '../../territory/export/file-worker.ts';
import { PLANS, readerOf } from './plan-callers.ts';
import { GEOJSON_EXAMPLE } from './plan-geojson-example.ts';
import { NO_STORE } from './shared.ts';

const FREE = 'It has no figures and is free.';
const OWN_ONLY = 'It has no other figures and is free.';
const READ = { ...PLANS, method: 'get', params: planParams, errors: [402, 403, 404] } as const;
const headersOf = (type: string) => ({ ...NO_STORE, 'Content-Type': type });

const CSV_EXAMPLE =
  'zip,city,state,county,number,territory,brand\r\n75201,Dallas,TX,Dallas,1,North,lone-star-roofing\r\n';
const KML_EXAMPLE =
  '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2">\n<Document>\n' +
  '<name>Dallas 2027</name>\n</Document>\n</kml>\n';

export const planExportOperations = (): Operation[] => [
  operation({
    ...READ,
    id: 'getPlanBoundaries',
    path: '/agent/plans/{plan}/boundaries.geojson',
    summary: 'Get a plan’s boundaries',
    description:
      'Returns the ZIP codes of the market with their boundaries and territories as GeoJSON (RFC 7946), ' +
      `for maps and GIS software. ${FREE}`,
    answers: {
      200: {
        description: 'A feature per ZIP code',
        type: EXPORT_TYPES.geojson,
        example: GEOJSON_EXAMPLE,
      },
    },
    handle: async ({ caller, params }) => {
      const { tenant } = await readerOf(caller);
      const plan = await findPlan(tenant, params.plan);
      const pieces = planGeoJson(tenant.common, plan);
      return {
        status: 200,
        headers: headersOf(EXPORT_TYPES.geojson),
        body: Readable.from(pieces, { objectMode: false }),
      };
    },
  }),
  operation({
    ...READ,
    id: 'getPlanCsv',
    path: '/agent/plans/{plan}/zips.csv',
    summary: 'Get a plan as CSV',
    description: `Returns a row for each ZIP code of the market: place, territory, brand, and the amounts of uploaded measures. ${OWN_ONLY}`,
    answers: {
      200: { description: 'A row per ZIP code', type: EXPORT_TYPES.csv, example: CSV_EXAMPLE },
    },
    handle: async ({ caller, params }) => {
      const { tenant } = await readerOf(caller);
      const plan = await findPlan(tenant, params.plan);
      const measures = await readPlanMeasures(tenant, plan);
      const body = await planCsv(tenant.common, plan, measures);
      return { status: 200, headers: headersOf(EXPORT_TYPES.csv), body: streamOf(body) };
    },
  }),
  operation({
    ...READ,
    id: 'getPlanWorkbook',
    path: '/agent/plans/{plan}/zips.xlsx',
    summary: 'Get a plan as an Excel workbook',
    description: `Returns the rows of \`zips.csv\` as an Excel workbook. ${FREE}`,
    answers: { 200: { description: 'The workbook', type: EXPORT_TYPES.xlsx } },
    errors: [402, 403, 404, 503],
    handle: async ({ caller, params }) => {
      const { tenant } = await readerOf(caller);
      refuseWaitingFiles();
      const plan = await findPlan(tenant, params.plan);
      const measures = await readPlanMeasures(tenant, plan);
      const body = await planXlsx(tenant.common, plan, measures, new Date());
      return { status: 200, headers: headersOf(EXPORT_TYPES.xlsx), body: streamOf(body) };
    },
  }),
  operation({
    ...READ,
    id: 'getPlanKml',
    path: '/agent/plans/{plan}/boundaries.kml',
    summary: 'Get a plan as KML',
    description:
      'Returns a folder for each territory with the boundaries of its ZIP codes, in the colors of the ' +
      `maps, for Google Earth and GIS software. ${FREE}`,
    answers: {
      200: { description: 'A folder per territory', type: EXPORT_TYPES.kml, example: KML_EXAMPLE },
    },
    handle: async ({ caller, params }) => {
      const { tenant } = await readerOf(caller);
      const plan = await findPlan(tenant, params.plan);
      const pieces = planKml(tenant.common, plan);
      return {
        status: 200,
        headers: headersOf(EXPORT_TYPES.kml),
        body: Readable.from(pieces, { objectMode: false }),
      };
    },
  }),
  operation({
    ...READ,
    id: 'getPlanShapefile',
    path: '/agent/plans/{plan}/shapefile.zip',
    summary: 'Get a plan as a shapefile',
    description:
      'Returns the columns of `zips.csv` with the boundaries of the ZIP codes, as a zipped shapefile. Its ' +
      `field names have at most ten characters; \`fields.csv\` in the archive lists them. ${OWN_ONLY}`,
    answers: { 200: { description: 'The archive', type: EXPORT_TYPES.shp } },
    errors: [402, 403, 404, 503],
    handle: async ({ caller, params }) => {
      const { tenant } = await readerOf(caller);
      refuseWaitingFiles();
      const plan = await findPlan(tenant, params.plan);
      const measures = await readPlanMeasures(tenant, plan);
      const body = await planShapefile(tenant.common, plan, measures);
      return { status: 200, headers: headersOf(EXPORT_TYPES.shp), body: streamOf(body) };
    },
  }),
];

const streamOf = (content: string | Uint8Array) =>
  Readable.from([Buffer.from(content)], { objectMode: false });
