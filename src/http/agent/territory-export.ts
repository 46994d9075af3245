/** A brand's territory as a file. */
import type { Caller } from '../../account/caller.ts';
import { territoryExport, TerritoryExportRequest } from '../../agent/territory-export.ts';
import { operation, type Operation } from '../../contract/operation.ts';
import { exampleOf } from '../../contract/resources.ts';
import { EXPORT_PRICE_TEXT } from '../../metering/exports.ts';
import { EXPORT_TYPES } from '../../contract/export-formats.ts';
import { AGENTS, NO_STORE } from './shared.ts';
import { EXPORT_EXAMPLES } from './export-examples.ts';

const { xlsx, ...others } = EXPORT_TYPES;
const { csv, geojson } = EXPORT_EXAMPLES;

export function territoryExportOperation(): Operation {
  return operation({
    ...AGENTS,
    id: 'exportTerritory',
    method: 'post',
    path: '/agent/territory-export',
    summary: 'Export a territory',
    description:
      'Returns the ZIP codes that a brand holds, with place, status, and flags, as an Excel workbook, ' +
      'CSV, GeoJSON, KML, or a zipped shapefile. Live ZIP codes also have census figures and scores. An export costs ' +
      `${EXPORT_PRICE_TEXT}; exporting the same ZIP codes again this month is free, in every format.`,
    body: TerritoryExportRequest,
    bodyExamples: {
      workbook: {
        summary: 'As an Excel workbook',
        value: exampleOf(TerritoryExportRequest) as typeof TerritoryExportRequest._zod.input,
      },
      boundaries: {
        summary: 'With boundaries, for at most 2 units',
        value: { brand: 'lone-star-roofing', format: 'geojson', detail: 'street', maxUnits: 2 },
      },
    },
    answers: {
      200: {
        description: 'The file',
        type: xlsx,
        otherTypes: Object.values(others),
        otherExamples: { [others.csv]: csv, [others.geojson]: geojson },
      },
    },
    errors: [402, 404, 409],
    handle: async ({ body, caller }) => {
      const { fileName, content } = await territoryExport(caller as Caller, body);
      return {
        status: 200,
        headers: {
          ...NO_STORE,
          'Content-Type': EXPORT_TYPES[body.format],
          'Content-Disposition': `attachment; filename="${fileName}"`,
        },
        body: content,
      };
    },
  });
}
