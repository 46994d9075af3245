/** Exports a plan as files for spreadsheets, Google Earth, and GIS software. */
import { Readable } from 'node:stream';
import type { Tenant } from '../../../people/account/tenant.ts';
import { planParams } from './schema.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { EXPORT_TYPES, type ExportFormat } from '../../../base/contract/export-formats.ts';
import type { Queryable } from '../../../base/db/queryable.ts';
import { planGeoJson } from '../../../territories/plans/boundaries.ts';
import { planCsv, planKml, planShapefile, planXlsx } from '../../../territories/plans/export.ts';
import { findPlan, type SavedPlan } from '../../../territories/plans/plans.ts';
import { readPlanData } from '../../../territories/own-data/data-sets.ts';
import { recordTaken } from '../../../territories/brands/export/record-taken.ts';
import { shapefiles } from '../../../territories/brands/export/shapefile.ts';
import { workbooks } from '../../../territories/brands/export/xlsx.ts';
import { GEOJSON_EXAMPLE } from './plan-geojson-example.ts';
import { NO_STORE, PLANS } from '../agent/shared.ts';

const FREE = 'It has no figures and is free.';
const OWN_ONLY = 'It has no other figures and is free.';
const CSV_EXAMPLE =
  'zip,city,state,county,number,territory,brand\r\n75201,Dallas,TX,Dallas,1,North,lone-star-roofing\r\n';
const KML_EXAMPLE =
  '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2">\n<Document>\n' +
  '<name>Dallas 2027</name>\n</Document>\n</kml>\n';

interface PlanFile {
  id: string;
  /** Below the address of the plan */
  name: string;
  summary: string;
  description: string;
  format: ExportFormat;
  answer: string;
  example?: string;
  /** Kind of files that a thread writes. The operation answers 503 while too many wait */
  writtenAs?: Pick<typeof workbooks, 'refuseIfFull'>;
  content(db: Queryable, plan: SavedPlan, tenant: Tenant): Content | Promise<Content>;
}

type Content = string | Uint8Array | AsyncGenerator<string>;

/** Declares an operation that returns a plan as a file. */
function planFile({
  name,
  format,
  answer,
  example,
  writtenAs,
  content,
  ...words
}: PlanFile): Operation {
  const type = EXPORT_TYPES[format];
  return operation({
    ...PLANS,
    ...words,
    method: 'get',
    path: `/agent/plans/{plan}/${name}`,
    params: planParams,
    answers: { 200: { description: answer, type, example } },
    errors: [402, 403, 404, ...(writtenAs ? ([503] as const) : [])],
    handle: async ({ caller, params }) => {
      const { tenant } = caller;
      writtenAs?.refuseIfFull();
      const plan = await findPlan(tenant, params.plan);
      const made = await content(tenant.common, plan, tenant);
      await recordTaken(caller, 'plan_exported', `Exported the plan ${plan.name}`, plan.zips, null);
      const pieces =
        typeof made === 'string' || made instanceof Uint8Array ? [Buffer.from(made)] : made;
      return {
        status: 200,
        headers: { ...NO_STORE, 'Content-Type': type },
        body: Readable.from(pieces, { objectMode: false }),
      };
    },
  });
}

export const planExportOperations = (): Operation[] => [
  planFile({
    id: 'getPlanBoundaries',
    name: 'boundaries.geojson',
    summary: 'Get a plan’s boundaries',
    description:
      'Returns the ZIP codes of the market with their boundaries and territories as GeoJSON (RFC 7946), ' +
      `for maps and GIS software. ${FREE}`,
    format: 'geojson',
    answer: 'A feature per ZIP code',
    example: GEOJSON_EXAMPLE,
    content: planGeoJson,
  }),
  planFile({
    id: 'getPlanCsv',
    name: 'zips.csv',
    summary: 'Get a plan as CSV',
    description: `Returns a row for each ZIP code of the market: place, territory, brand, and the amounts of the plan’s data sets. ${OWN_ONLY}`,
    format: 'csv',
    answer: 'A row per ZIP code',
    example: CSV_EXAMPLE,
    content: async (db, plan, tenant) => planCsv(db, plan, await readPlanData(tenant, plan)),
  }),
  planFile({
    id: 'getPlanWorkbook',
    name: 'zips.xlsx',
    summary: 'Get a plan as an Excel workbook',
    description: `Returns the rows of \`zips.csv\` as an Excel workbook. ${FREE}`,
    format: 'xlsx',
    answer: 'The workbook',
    writtenAs: workbooks,
    content: async (db, plan, tenant) =>
      planXlsx(db, plan, await readPlanData(tenant, plan), new Date()),
  }),
  planFile({
    id: 'getPlanKml',
    name: 'boundaries.kml',
    summary: 'Get a plan as KML',
    description:
      'Returns a folder for each territory with the boundaries of its ZIP codes, in the colors of the ' +
      `maps, for Google Earth and GIS software. ${FREE}`,
    format: 'kml',
    answer: 'A folder per territory',
    example: KML_EXAMPLE,
    content: planKml,
  }),
  planFile({
    id: 'getPlanShapefile',
    name: 'shapefile.zip',
    summary: 'Get a plan as a shapefile',
    description:
      'Returns the columns of `zips.csv` with the boundaries of the ZIP codes, as a zipped shapefile. Its ' +
      `field names have at most ten characters; \`fields.csv\` in the archive lists them. ${OWN_ONLY}`,
    format: 'shp',
    answer: 'The archive',
    writtenAs: shapefiles,
    content: async (db, plan, tenant) => planShapefile(db, plan, await readPlanData(tenant, plan)),
  }),
];
