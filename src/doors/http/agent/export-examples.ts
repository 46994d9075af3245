/** An example of a ZIP code in exports, made by the code of exports. */
import { exampleOf, ZipDemographics, type Complete } from '../../../base/contract/resources.ts';
import { csvHeader, csvRows } from '../../../territories/brands/export/csv.ts';
import {
  DEFAULT_EXPORT_DETAIL,
  parseExportDetail,
} from '../../../territories/brands/export/detail.ts';
import { collectionOf, featureOf } from '../../../territories/brands/export/geojson.ts';
import type { ExportedZip, ExportSources } from '../../../territories/brands/export/zips.ts';

const { zipCode, city, state, sourceVintage, ...figures } = exampleOf(ZipDemographics) as Complete<
  typeof ZipDemographics
>;

const VINTAGE = sourceVintage ?? '';
const NOT_EXPORTED = { homesByDecadeBuilt: null, flags: {}, tableYears: {} };

const ZIP: ExportedZip = {
  zip: zipCode,
  city,
  state,
  county: 'Dallas',
  countyFips: '48113',
  status: 'live',
  shared: false,
  sharedWith: [],
  isolated: false,
  hasBoundary: true,
  changedAt: new Date('2026-08-22T15:04:05Z'),
  hasFigures: true,
  demographics: { zip: zipCode, ...figures, sourceVintage: VINTAGE, ...NOT_EXPORTED },
  scores: { roofing: 41, hvac: 44 },
  changes: new Map([
    [
      'householdsTotal',
      {
        figure: 'householdsTotal',
        unit: 'percent',
        fromYear: 2018,
        toYear: 2023,
        from: 9_640,
        to: 10_912,
        change: 13.2,
        margin: 5.1,
        isClear: true,
        why: null,
      },
    ],
  ]),
};

const SOURCES: ExportSources = {
  boundaries: 'Census Bureau cartographic boundary files 2020',
  scores: VINTAGE,
};

const SHAPE = {
  type: 'MultiPolygon',
  coordinates: [
    [
      [
        [-96.806, 32.782],
        [-96.791, 32.779],
        [-96.795, 32.793],
        [-96.806, 32.782],
      ],
    ],
  ],
};

export const EXPORT_EXAMPLES = {
  csv: csvHeader() + csvRows([ZIP], SOURCES),
  geojson: {
    ...collectionOf(
      { name: 'Lone Star Roofing' },
      parseExportDetail(DEFAULT_EXPORT_DETAIL),
      SOURCES,
    ),
    features: [JSON.parse(featureOf(ZIP, JSON.stringify(SHAPE), SOURCES)) as object],
  },
} as const;
