/**
 * Exports a plan for spreadsheets, Google Earth, and GIS software. The only figures are data sets that the
 * organization uploaded itself, so exports don't count against the limit of ZIP codes with figures.
 */
import type { MultiPolygon } from 'geojson';
import { Color } from '../../render/style-spec.ts';
import { paletteOf } from '../../data/basemap/palette.ts';
import { loadStyle } from '../../data/basemap/styles.ts';
import { lookColor, territoryLook } from '../../maps/cartography/territory-look.ts';
import { csvLines } from '../../base/text/csv.ts';
import type { Queryable } from '../../base/db/database.ts';
import { readDatasets } from '../../base/db/datasets.ts';
import { letOthersRun } from '../../base/workers/let-others-run.ts';
import { geoJsonShapes } from '../../data/market/geojson-shapes.ts';
import { ownNames } from '../brands/export/columns.ts';
import { escapeXml, kmlColor, polygons } from '../brands/export/kml.ts';
import { writeShapefile } from '../brands/export/shapefile.ts';
import type { FullDataSet } from '../own-data/data-sets.ts';
import { slicesOf } from '../brands/export/slices.ts';
import { writeWorkbook } from '../brands/export/xlsx.ts';
import { countyNames } from '../brands/export/zips.ts';
import { exportDetail } from './export-detail.ts';
import type { PlanTerritory, SavedPlan } from './plans.ts';

/** Columns of every exported plan. The plan's data sets follow. */
const PLAN_COLUMNS = ['zip', 'city', 'state', 'county', 'number', 'territory', 'brand'] as const;

type Cell = string | number | null;
type Measures = readonly Pick<FullDataSet, 'name' | 'amounts'>[];

/** Number of ZIP codes whose boundaries are read at a time. Other requests run in between. */
const READ_ZIPS = 1_000;

/** Excel recognizes UTF-8 by it. */
const BYTE_ORDER_MARK = '\u{FEFF}';

/** Returns a row per ZIP code of the market. The territory of an unassigned ZIP code is empty. */
export async function planCsv(db: Queryable, plan: SavedPlan, measures: Measures): Promise<string> {
  const rows = await rowsOf(db, plan, measures);
  const headings = [...PLAN_COLUMNS, ...ownNames(measures, PLAN_COLUMNS)];
  return BYTE_ORDER_MARK + csvLines([headings, ...rows]);
}

/** Returns the same rows as an Excel workbook. @throws ServiceError 503 while too many exports wait */
export const planXlsx = (
  db: Queryable,
  plan: SavedPlan,
  measures: Measures,
  now: Date,
): Promise<Uint8Array> =>
  writeWorkbook(async () => {
    const rows = await rowsOf(db, plan, measures);
    return {
      columns: [
        ...PLAN_COLUMNS.map((name) => ({
          name,
          type: name === 'number' ? ('integer' as const) : ('text' as const),
        })),
        ...ownNames(measures, PLAN_COLUMNS).map((name) => ({ name, type: 'number' as const })),
      ],
      rows,
      sources: [
        ['Plan', plan.name],
        ['Market', plan.market],
        ['Version', plan.version],
        ['Exported', `${now.toISOString().slice(0, 16).replace('T', ' ')} UTC`],
        ['ZIP codes', rows.length],
        ['Territories', plan.territories.length],
      ],
    };
  });

/** Returns the same rows with boundaries, as a zipped shapefile. @throws ServiceError as `planXlsx` */
export const planShapefile = (
  db: Queryable,
  plan: SavedPlan,
  measures: Measures,
): Promise<Uint8Array> =>
  writeShapefile(async () => {
    const { lod } = await exportDetail(db, plan.zips);
    const shapes: (string | undefined)[] = [];
    for (let from = 0; from < plan.zips.length; from += READ_ZIPS) {
      const zips = plan.zips.slice(from, from + READ_ZIPS);
      const shapeOf = await geoJsonShapes(db, zips, lod);
      shapes.push(...zips.map((zip) => shapeOf.get(zip)));
    }
    return {
      name: 'plan',
      columns: [...PLAN_COLUMNS, ...ownNames(measures, PLAN_COLUMNS)],
      rows: await rowsOf(db, plan, measures),
      shapes,
    };
  });

/** Returns rows of cells in the order of `PLAN_COLUMNS` and the data sets. */
async function rowsOf(
  db: Queryable,
  { zips, territories }: SavedPlan,
  measures: Measures,
): Promise<Cell[][]> {
  const places = await db.query<{
    zip: string;
    city: string | null;
    state: string | null;
    fips: string | null;
  }>('select zip, city, state, county_fips as fips from zips where zip = any($1)', [zips]);
  const counties = await countyNames(db);
  await letOthersRun();
  const placeOf = new Map(places.map((place) => [place.zip, place]));
  const territoryOf = new Map(
    territories.flatMap((territory) => territory.zips.map((zip) => [zip, territory] as const)),
  );
  return zips.map((zip) => {
    const { city = null, state = null, fips = null } = placeOf.get(zip) ?? {};
    const county = fips === null ? null : (counties.get(fips) ?? null);
    const { number = null, name = null, brand } = territoryOf.get(zip) ?? {};
    return [
      zip,
      city,
      state,
      county,
      number,
      name,
      brand?.slug ?? null,
      ...measures.map(({ amounts }) => amounts.get(zip) ?? null),
    ];
  });
}

const FILL_OPACITY = 0.55;

/**
 * Yields KML: a folder for each territory, in the colors of the maps, with a placemark for each ZIP code. The
 * elements are the same as in `territories/brands/export/kml.ts`.
 */
export async function* planKml(
  db: Queryable,
  { name, market, zips, territories }: SavedPlan,
): AsyncGenerator<string> {
  const boundaries = (await readDatasets(db)).get('boundaries')?.vintage ?? '';
  const assigned = new Set(territories.flatMap((territory) => territory.zips));
  const rest = zips.filter((zip) => !assigned.has(zip));
  yield (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<kml xmlns="http://www.opengis.net/kml/2.2">\n<Document>\n' +
      `<name>${escapeXml(name)}</name>\n` +
      `<description>${escapeXml(`${market}. Boundaries: ${boundaries}.`)}</description>\n` +
      territories.map(styleOf).join('')
  );
  const folders = [
    ...territories.map((one) => ({ name: one.name, zips: one.zips, style: `t${one.number}` })),
    ...(rest.length > 0 ? [{ name: 'Unassigned', zips: rest, style: null }] : []),
  ];
  const { lod } = await exportDetail(db, zips);
  for (const folder of folders) {
    yield `<Folder>\n<name>${escapeXml(folder.name)}</name>\n`;
    const shapes = await geoJsonShapes(db, folder.zips, lod);
    for (const slice of slicesOf(folder.zips)) {
      await letOthersRun();
      yield slice.map((zip) => placemark(zip, folder.style, shapes.get(zip))).join('');
    }
    yield '</Folder>\n';
  }
  yield '</Document>\n</kml>\n';
}

function styleOf({ number }: PlanTerritory): string {
  const css = lookColor(paletteOf(loadStyle('light'))!.territories, territoryLook(number).color);
  const { r, g, b } = Color.parse(css)!;
  return (
    `<Style id="t${number}">` +
    `<LineStyle><color>${kmlColor([r, g, b], 1)}</color><width>1.5</width></LineStyle>` +
    `<PolyStyle><color>${kmlColor([r, g, b], FILL_OPACITY)}</color></PolyStyle></Style>\n`
  );
}

const placemark = (zip: string, style: string | null, shape: string | undefined) =>
  `<Placemark id="zip-${zip}"><name>${zip}</name>` +
  (style === null ? '' : `<styleUrl>#${style}</styleUrl>`) +
  `${shape === undefined ? '' : polygons(JSON.parse(shape) as MultiPolygon)}</Placemark>\n`;
