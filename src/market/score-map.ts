/** The picture of a market: its ZIPs coloured by a vertical's score over the basemap. */
import type { Feature, MultiPolygon, Polygon } from 'geojson';
import { basemapInView } from '../basemap/view.ts';
import type { Database } from '../db/database.ts';
import { datasets, type Dataset, type DatasetName } from '../db/datasets.ts';
import { badRequest, notFound } from '../errors.ts';
import { scoreLegend, zipSources } from '../render/choropleth.ts';
import { labelFeatures, labelsFittingAt } from '../render/label-features.ts';
import { render } from '../render/render.ts';
import { cameraOf, type Scene } from '../render/scene.ts';
import { loadStyle, type StyleName } from '../render/styles.ts';
import { VERTICALS } from '../scoring/verticals.ts';
import { Viewport } from '../spatial/camera.ts';
import { detailForZoom } from '../spatial/detail.ts';
import { metroBySlug } from './metros.ts';
import { extentOfZips, scoredShapes, zipsOfMetro, type ScoredShape } from './zips.ts';

export interface ScoreMapRequest {
  /** Slug of a launched metro, or ZIPs */
  market: { metro: string } | { zips: readonly string[] };
  /** Slug of a vertical */
  vertical: string;
  style: StyleName;
  /** CSS pixels */
  width: number;
  height: number;
  pixelRatio: number;
}

export interface ScoreMap {
  png: Buffer;
  /** ZIPs drawn */
  zips: number;
  /** Of which with a score */
  scored: number;
  /** Asked for, but without a boundary */
  missing: string[];
  vintage: string;
}

/** Air at the sides and room for the line of sources below, in CSS pixels. */
const PADDING = { top: 24, right: 24, bottom: 36, left: 24 };
/** Room for the title, where the picture is tall enough to give it */
const TITLE_PX = 72;
const TITLE_FROM_HEIGHT_PX = 480;
/** Basemap beyond the picture's edge, so that the edges that clipping leaves stay out of sight */
const MARGIN_PX = 32;
/** About half of what the name of a county or state takes up */
const AREA_LABEL_RADIUS_PX = 20;

/**
 * @throws ServiceError 400 for an unknown vertical or malformed ZIPs, 404 for a market that is not
 *   launched or has no boundaries
 */
export async function drawScoreMap(db: Database, request: ScoreMapRequest): Promise<ScoreMap> {
  const vertical = VERTICALS.find((v) => v.slug === request.vertical);
  if (!vertical) {
    const slugs = VERTICALS.map((v) => v.slug).join(', ');
    throw badRequest(`There is no vertical "${request.vertical}". There are: ${slugs}.`);
  }
  const metro = 'metro' in request.market ? metroBySlug(request.market.metro) : null;
  const asked = await zipsOf(db, request.market);
  const bounds = await extentOfZips(db, asked);
  if (!bounds) {
    throw notFound(
      'None of these ZIPs has a boundary. PO-box ZIPs have none; others come with: territory-admin import zcta FILE.',
    );
  }

  const { width, height, pixelRatio } = request;
  const paddingPx = { ...PADDING };
  if (height >= TITLE_FROM_HEIGHT_PX) paddingPx.top += TITLE_PX;
  const frame = { width, height, pixelRatio, view: { bounds, paddingPx } };
  const style = loadStyle(request.style);
  const camera = cameraOf({ ...frame, style, sources: {} });
  const view = new Viewport(camera, width, height).bbox(MARGIN_PX);
  // Twice the pixels show what one zoom further in does.
  const lod = detailForZoom(camera.zoom + Math.log2(pixelRatio));
  const basemap = await basemapInView(db, view, camera.zoom, lod);
  const shapes = await scoredShapes(db, asked, vertical.slug, lod);
  // Coloured ground is labelled by its ZIPs; a county's name would only be in their way there.
  const coloured = new Set(shapes.map((shape) => shape.countyFips));
  const plainCounties = basemap.counties.filter((c) => !coloured.has(c.properties!['fips']));
  const facts = await datasets(db);
  const vintage = facts.get('scores')?.vintage ?? 'No scores yet';

  const scene: Scene = {
    ...frame,
    view: camera,
    style,
    sources: {
      ...basemap,
      ...zipSources(shapes, camera.zoom),
      'county-labels': areaLabels(plainCounties, camera.zoom),
      'state-labels': areaLabels(basemap.states, camera.zoom),
    },
    furniture: {
      title: `${vertical.label} demand by ZIP code`,
      subtitle: metro?.fullName ?? zipListTitle(shapes),
      legend: scoreLegend(style, 'Demand score') ?? undefined,
      vintage,
      attribution: attribution(facts, vintage),
    },
  };
  const drawn = new Set(shapes.map((s) => s.zip));
  return {
    png: await render(scene),
    zips: shapes.length,
    scored: shapes.filter((s) => s.score !== null).length,
    missing: asked.filter((zip) => !drawn.has(zip)),
    vintage,
  };
}

/** The ZIPs asked for, in order and each once. */
async function zipsOf(db: Database, market: ScoreMapRequest['market']): Promise<string[]> {
  if ('metro' in market) return zipsOfMetro(db, market.metro);
  const malformed = market.zips.filter((zip) => !/^\d{5}$/.test(zip));
  if (malformed.length > 0) {
    throw badRequest(
      `A ZIP has five digits, such as 75201. These do not: ${malformed.join(', ')}.`,
    );
  }
  return [...new Set(market.zips)].sort();
}

function areaLabels(areas: readonly Feature[], zoom: number): Feature[] {
  const polygons = areas as Feature<Polygon | MultiPolygon>[];
  return labelsFittingAt(zoom, labelFeatures(polygons, AREA_LABEL_RADIUS_PX));
}

/** `75201`, `3 ZIP codes in TX`, `12 ZIP codes in KS, MO`. */
function zipListTitle(shapes: readonly ScoredShape[]): string {
  if (shapes.length === 1) return shapes[0]!.zip;
  const states = [...new Set(shapes.map((s) => s.state).filter((s) => s !== null))].sort();
  const where = states.length > 0 && states.length <= 4 ? ` in ${states.join(', ')}` : '';
  return `${shapes.length} ZIP codes${where}`;
}

/** Where the shapes come from: each source once, and none that the vintage names already. */
function attribution(facts: Map<DatasetName, Dataset>, vintage: string): string {
  const sources = (['boundaries', 'states', 'water', 'roads', 'places'] as const)
    .flatMap((name) => facts.get(name)?.vintage.split(', ') ?? [])
    .filter((source) => source !== vintage);
  return [...new Set(sources)].join(', ');
}
