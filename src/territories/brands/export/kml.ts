/**
 * A territory as KML: a folder for each status, in the colors of the maps. It contains a placemark for each ZIP code,
 * with boundary and figures.
 *
 * Elements and their order follow OGC KML 2.3 (12-007r2). The namespace is that of 2.2, which 2.3
 * extends, because Google Earth and libkml read it.
 */
import type { MultiPolygon, Position } from 'geojson';
import { Color } from '../../../render/style-spec.ts';
import { geoJsonShapes } from '../../../data/market/geojson-shapes.ts';
import { paletteOf } from '../../../data/basemap/palette.ts';
import { loadStyle } from '../../../data/basemap/styles.ts';
import { pluralize, ZIP_STATUS_LABELS } from '../../../base/text/words.ts';
import { heldZipStatuses } from '../brand-zips.ts';
import { EXPORT_COLUMNS, type ColumnType, type ExportColumn, type ExportValue } from './columns.ts';
import type { ExportDetail } from './detail.ts';
import { slicesOf } from './slices.ts';
import {
  exportedZips,
  exportSources,
  type Export,
  type ExportedZip,
  type ExportSources,
} from './zips.ts';
import { escapeHtml } from '../../../base/text/escape-html.ts';

const FOLDERS = (['live', 'pending'] as const).map((status) => ({
  status,
  name: ZIP_STATUS_LABELS[status],
}));

export async function* territoryKml(
  territory: Export,
  { lod, toleranceM }: ExportDetail,
  columns: readonly ExportColumn[] = EXPORT_COLUMNS,
): AsyncGenerator<string> {
  const { tenant, brand } = territory;
  const sources = await exportSources(tenant.common);
  const statuses = [...(await heldZipStatuses(tenant, brand)).values()];
  const description =
    `Boundaries: ${sources.boundaries}, accurate to ${toleranceM} m. Scores: ${sources.scores}. ` +
    `${pluralize(statuses.length, 'ZIP code')}.`;
  yield (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<kml xmlns="http://www.opengis.net/kml/2.2">\n<Document>\n' +
      `<name>${escapeXml(brand.name)}</name>\n` +
      `<description>${escapeXml(description)}</description>\n` +
      FOLDERS.map(({ status }) => styleOf(status)).join('') +
      schemaOf(columns)
  );
  for (const { status, name } of FOLDERS) {
    if (!statuses.includes(status)) continue;
    yield `<Folder>\n<name>${name}</name>\n`;
    for await (const zips of exportedZips(territory, status)) {
      const shapes = await geoJsonShapes(
        tenant.common,
        zips.map(({ zip }) => zip),
        lod,
      );
      for (const slice of slicesOf(zips)) {
        yield slice.map((zip) => placemark(zip, shapes.get(zip.zip), sources, columns)).join('');
      }
    }
    yield '</Folder>\n';
  }
  yield '</Document>\n</kml>\n';
}

/** Types of OGC KML 2.3, section 9.9.2, which has none for times */
const KML_TYPES: Readonly<Record<ColumnType, string>> = {
  text: 'string',
  flag: 'bool',
  integer: 'int',
  number: 'double',
  time: 'string',
};

/** Types of the figures. Without it, GIS programs read every figure as text. */
const schemaOf = (columns: readonly ExportColumn[]) =>
  `<Schema name="ZIP codes" id="zip">${columns
    .map(
      ({ name, type }) =>
        `<SimpleField type="${KML_TYPES[type]}" name="${escapeXml(name)}"></SimpleField>`,
    )
    .join('')}</Schema>\n`;

const FILL_OPACITY = 0.55;

function styleOf(status: 'live' | 'pending'): string {
  const { r, g, b } = Color.parse(paletteOf(loadStyle('light'))!.statuses[status])!;
  return (
    `<Style id="${status}">` +
    `<LineStyle><color>${kmlColor([r, g, b], 1)}</color><width>1.5</width></LineStyle>` +
    `<PolyStyle><color>${kmlColor([r, g, b], FILL_OPACITY)}</color></PolyStyle></Style>\n`
  );
}

/** Returns a color as `aabbggrr`. */
export const kmlColor = (rgb: readonly number[], alpha: number) =>
  [alpha, ...rgb.toReversed()]
    .map((part) =>
      Math.round(255 * part)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('');

function placemark(
  zip: ExportedZip,
  shape: string | undefined,
  sources: ExportSources,
  columns: readonly ExportColumn[],
): string {
  const data = columns.map(({ name, value }) => {
    const cell = value(zip, sources);
    return cell === null
      ? ''
      : `<SimpleData name="${escapeXml(name)}">${escapeXml(textOf(cell))}</SimpleData>`;
  });
  const geometry = shape === undefined ? '' : polygons(JSON.parse(shape) as MultiPolygon);
  return (
    `<Placemark id="zip-${zip.zip}"><name>${zip.zip}</name><styleUrl>#${zip.status}</styleUrl>` +
    `<ExtendedData><SchemaData schemaUrl="#zip">${data.join('')}</SchemaData></ExtendedData>` +
    `${geometry}</Placemark>\n`
  );
}

/** Writes flags as 1 or 0, because GDAL reads the word `true` as 0. */
const textOf = (cell: ExportValue) => String(typeof cell === 'boolean' ? Number(cell) : cell);

export const polygons = ({ coordinates }: MultiPolygon) =>
  `<MultiGeometry>${coordinates
    .map(
      ([outer, ...inner]) =>
        `<Polygon><tessellate>1</tessellate>${ring('outer', outer!)}` +
        `${inner.map((one) => ring('inner', one)).join('')}</Polygon>`,
    )
    .join('')}</MultiGeometry>`;

const ring = (side: 'outer' | 'inner', positions: readonly Position[]) =>
  `<${side}BoundaryIs><LinearRing><coordinates>` +
  positions.map(([lng, lat]) => `${lng},${lat}`).join(' ') +
  `</coordinates></LinearRing></${side}BoundaryIs>`;

/** Escapes text for XML and removes characters that XML 1.0 (section 2.2) can't represent. */
export const escapeXml = (text: string) =>
  escapeHtml(
    text.replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, ''),
  );
