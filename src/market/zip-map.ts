/** Pictures of ZIPs over the basemap, coloured by score, by status, or plainly. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Feature, MultiPolygon, Polygon } from 'geojson';
import { basemapInView } from '../basemap/view.ts';
import type { Database } from '../db/database.ts';
import { datasets, type Dataset, type DatasetName } from '../db/datasets.ts';
import { badRequest, notFound } from '../errors.ts';
import { zipSources, type ZipColor } from '../render/choropleth.ts';
import { frameTerritory } from '../render/frame.ts';
import type { Legend, MapFurniture } from '../render/furniture/furniture.ts';
import { AREA_LABEL_RADIUS_PX, labelFeatures, labelsInPicture } from '../render/label-features.ts';
import { scoreLegend, statusLegend } from '../render/legends.ts';
import type { ZipStatus } from '../render/palette.ts';
import type { Renderer } from '../render/renderer.ts';
import { cameraOf, sizeProblems, type PictureFormat, type Scene } from '../render/scene.ts';
import { styleVariant } from '../render/style-variant.ts';
import { loadStyle, type StyleName } from '../render/styles.ts';
import type { Bbox } from '../spatial/bbox.ts';
import { Viewport, type Camera, type Padding } from '../spatial/camera.ts';
import { detailForZoom } from '../spatial/detail.ts';
import { placedZips, scoresOfZips, zipShapes, type PlacedZip } from './zips.ts';

/** How a picture looks, whatever it shows. */
export interface PictureOptions {
  style: StyleName;
  /** CSS pixels */
  width: number;
  height: number;
  /** Device pixels per CSS pixel */
  pixelRatio: number;
  format?: PictureFormat;
  /** The territory alone, over nothing: to be laid over a page's own ground */
  transparent?: boolean;
  /** Left out: true */
  labels?: boolean;
  legend?: boolean;
  /** In place of the one that the map would have; empty: none */
  title?: string;
  /** Left out: as near as the whole territory can be shown */
  camera?: Camera;
  /** Air around the territory, CSS pixels */
  paddingPx?: number;
}

/** What the ZIPs are coloured by. */
export type ZipColoring =
  | { by: 'score'; /** Slug */ vertical: string }
  | { by: 'status'; statuses: ReadonlyMap<string, ZipStatus> }
  | { by: 'plain' };

export interface ZipMapRequest extends PictureOptions {
  /** In order and each once */
  zips: readonly string[];
  coloring: ZipColoring;
  heading: { title: string; /** Null: what the ZIPs say of themselves */ subtitle: string | null };
  /** What to show where none of the ZIPs has a boundary; left out: that is 404 */
  otherwise?: Bbox;
}

export interface ZipMap {
  picture: Buffer;
  format: PictureFormat;
  /** ZIPs drawn */
  zips: number;
  /** Of which with a score, where those are what colours them */
  scored: number;
  /** Asked for, but without a boundary */
  missing: string[];
  /** Of the numbers, or of the boundaries where no numbers are shown */
  vintage: string;
  /** What the picture shows of the world, whether ZIPs lie there or not */
  bbox: Bbox;
  /** Of a world 512 CSS pixels wide at zoom 0 */
  zoom: number;
  legend: Legend | undefined;
}

/** Air around the territory, and below it room for the line of sources, in CSS pixels. */
const PADDING_PX = 24;
const SOURCES_PX = 12;
/** Basemap beyond the picture's edge, so that the edges that clipping leaves stay out of sight */
const MARGIN_PX = 32;

/**
 * @throws ServiceError 400 for a size that cannot be drawn, 404 where no ZIP has a boundary and
 *   nothing else is to be shown
 */
export async function drawZipMap(
  db: Database,
  renderer: Pick<Renderer, 'render'>,
  request: ZipMapRequest,
  signal?: AbortSignal,
): Promise<ZipMap> {
  const { coloring, otherwise, width, height, pixelRatio } = request;
  const { format = 'png', transparent = false } = request;
  const problems = sizeProblems(request);
  if (problems.length > 0) throw badRequest(`The picture cannot be drawn: ${problems.join('; ')}.`);
  const placed = await placedZips(db, request.zips);
  if (placed.length === 0 && !otherwise) {
    throw notFound(
      'None of these ZIPs has a boundary. PO-box ZIPs have none; others come with: territory-admin import zcta FILE.',
    );
  }

  const facts = await datasets(db);
  const vintage = vintageOf(facts, coloring);
  const style = styleVariant(loadStyle(request.style), request);
  const territory = placed.length > 0 ? placed.map(({ bbox }) => bbox) : [otherwise!];
  const furniture: MapFurniture = {
    ...headingOf(request, placed),
    legend: request.legend === false ? undefined : legendOf(style, coloring),
    vintage,
    attribution: attribution(facts, vintage),
  };
  const view =
    request.camera ??
    frameTerritory({ territory, furniture, width, height, padding: paddingOf(request) });
  const camera = cameraOf({ view, width, height });
  const viewport = new Viewport(camera, width, height);
  // Twice the pixels show what one zoom further in does.
  const lod = detailForZoom(camera.zoom + Math.log2(pixelRatio));
  const zipCodes = placed.map(({ zip }) => zip);
  const [colors, shapes, basemap] = await Promise.all([
    colorsOf(db, zipCodes, coloring),
    zipShapes(db, zipCodes, lod),
    transparent ? {} : basemapSources(db, viewport, lod, placed),
  ]);
  const zips = [...shapes].map(([zip, geometry]) => ({ zip, color: colors.get(zip)!, geometry }));
  const scene: Scene = {
    width,
    height,
    pixelRatio,
    format,
    style,
    view,
    sources: { ...zipSources(zips, viewport), ...basemap },
    furniture,
    keepLabelsWhole: true,
    territory,
  };
  const drawn = new Set(zipCodes);
  return {
    picture: await renderer.render(scene, signal),
    format,
    zips: drawn.size,
    scored: [...colors.values()].filter((color) => 'score' in color && color.score !== null).length,
    missing: request.zips.filter((zip) => !drawn.has(zip)),
    vintage,
    bbox: viewport.bbox(0),
    zoom: camera.zoom,
    legend: furniture.legend,
  };
}

function paddingOf({ paddingPx = PADDING_PX }: ZipMapRequest): Padding {
  const side = paddingPx;
  return { top: side, right: side, bottom: Math.max(side, SOURCES_PX + PADDING_PX), left: side };
}

function headingOf({ heading, title = heading.title }: ZipMapRequest, placed: PlacedZip[]) {
  return title === '' ? {} : { title, subtitle: heading.subtitle ?? zipListTitle(placed) };
}

function legendOf(style: StyleSpecification, coloring: ZipColoring): Legend | undefined {
  if (coloring.by === 'plain') return undefined;
  const legend =
    coloring.by === 'score'
      ? scoreLegend(style, 'Demand score')
      : statusLegend(style, 'Territory', new Set(coloring.statuses.values()));
  return legend ?? undefined;
}

async function colorsOf(
  db: Database,
  zips: readonly string[],
  coloring: ZipColoring,
): Promise<Map<string, ZipColor>> {
  if (coloring.by === 'score') {
    const scores = await scoresOfZips(db, zips, coloring.vertical);
    return new Map(zips.map((zip) => [zip, { score: scores.get(zip) ?? null }]));
  }
  const statusOf = (zip: string) =>
    (coloring.by === 'status' ? coloring.statuses.get(zip) : undefined) ?? 'plain';
  return new Map(zips.map((zip) => [zip, { status: statusOf(zip) }]));
}

async function basemapSources(
  db: Database,
  viewport: Viewport,
  lod: number,
  placed: readonly PlacedZip[],
): Promise<Record<string, Feature[]>> {
  const { zoom } = viewport;
  const basemap = await basemapInView(db, viewport.bbox(MARGIN_PX), zoom, lod);
  // Coloured ground is labelled by its ZIPs; a county's name would only be in their way there.
  const coloured = new Set(placed.map(({ countyFips }) => countyFips));
  const plainCounties = basemap.counties.filter((c) => !coloured.has(c.properties!.fips));
  const lakes = basemap.water.filter(({ properties }) => properties!.kind === 'lake');
  return {
    ...basemap,
    'county-labels': labelsInPicture(zoom, areas(plainCounties), AREA_LABEL_RADIUS_PX),
    'state-labels': labelsInPicture(zoom, areas(basemap.states), AREA_LABEL_RADIUS_PX),
    // A lake's name may be wider than the lake.
    'water-labels': labelFeatures(areas(lakes), AREA_LABEL_RADIUS_PX),
  };
}

const areas = (features: readonly Feature[]) => features.filter(isArea);

function isArea(feature: Feature): feature is Feature<Polygon | MultiPolygon> {
  return feature.geometry.type === 'Polygon' || feature.geometry.type === 'MultiPolygon';
}

/** `75201`, `3 ZIP codes in TX`, `1,204 ZIP codes in KS, MO`. */
function zipListTitle(placed: readonly PlacedZip[]): string {
  if (placed.length === 1) return placed[0]!.zip;
  const states = [...new Set(placed.map((zip) => zip.state).filter((s) => s !== null))].sort();
  const where = states.length > 0 && states.length <= 4 ? ` in ${states.join(', ')}` : '';
  return `${placed.length.toLocaleString('en-US')} ZIP codes${where}`;
}

/** Of the numbers, or of the boundaries where the colours are no numbers. */
function vintageOf(facts: Map<DatasetName, Dataset>, { by }: ZipColoring): string {
  return by === 'score'
    ? (facts.get('scores')?.vintage ?? 'No scores yet')
    : (facts.get('boundaries')?.vintage ?? '');
}

/** Where the shapes come from: each source once, and none that the vintage names already. */
function attribution(facts: Map<DatasetName, Dataset>, vintage: string): string {
  const sources = (['boundaries', 'states', 'water', 'roads', 'places'] as const)
    .flatMap((name) => facts.get(name)?.vintage.split(', ') ?? [])
    .filter((source) => source !== vintage);
  return [...new Set(sources)].join(', ');
}
