/** The shapes and the basemap of a view, which are the same for all colors of a map. */
import type { Feature, MultiPolygon, Point, Polygon } from 'geojson';
import { LRUCache } from 'lru-cache';
import {
  AREA_LABEL_RADIUS_PX,
  labelFeatures,
  labelsInPicture,
} from '../../data/basemap/label-features.ts';
import type { MapLayer } from '../../data/basemap/features.ts';
import { basemapInView } from '../../data/basemap/view.ts';
import type { Queryable } from '../../base/db/queryable.ts';
import { zipShapes, type PlacedZip } from '../../data/market/zips.ts';
import type { Arrangement } from '../../render/furniture/arrange.ts';
import { albersRegionOf, projectGeometry } from '../../base/spatial/albers-usa.ts';
import type { Viewport } from '../../base/spatial/camera.ts';
import { bboxesMeet, bboxOfGeometry } from '../../base/spatial/bbox.ts';
import { detailForZoom } from '../../base/spatial/detail.ts';
import { FlatGeometry } from '../../base/spatial/flat-geometry.ts';
import type { FlatPoints, RectPx } from '../../base/spatial/flat.ts';
import { loadOnce } from './load-once.ts';
import { nameOf, type MapLayout } from './map-layout.ts';
import { nationalBasemap } from './national-map.ts';
import { nearbySources, nearbyZips } from './nearby-zips.ts';
import type { StreetsView } from './streets.ts';
import { stateNamesOffFill } from './state-names.ts';

/** Margin around the picture for which the basemap is loaded, so that clipped edges stay out of view */
const MARGIN_PX = 32;

export interface ViewData {
  /** By ZIP code, sorted */
  shapes: ReadonlyMap<string, MultiPolygon>;
  /** By source id; empty for a transparent picture */
  basemap: Readonly<Record<string, readonly Feature[]>>;
  /** Names of the places in the picture, the most important first */
  places: readonly string[];
  /** Names the view in the findings of its layout */
  name: string;
  /** The largest part of each ZIP code that was labeled, in the picture */
  rings: Map<string, readonly FlatPoints[]>;
  /** For the last maps. The key is everything that the labels above those of ZIP codes depend on */
  finders: LRUCache<string, BoxesAround>;
}

/** Finds the areas that furniture, and the labels that take precedence over those of ZIP codes, take in a picture. */
export type BoxesAround = (arranged: Arrangement) => RectPx[];

/** Another style or overlay of the same view needs one of its own. */
const MAX_FINDERS = 4;

/** What `viewData` depends on besides the view */
export interface DataContext {
  db: Queryable;
  layout: MapLayout;
  pixelRatio: number;
  transparent: boolean;
  /** Whether the view is in the plane of Albers' projection of the country */
  isNational?: boolean;
  /** They take the place of land, water, and roads in a part of the view, or everywhere. Default: none */
  streets?: Pick<StreetsView, 'part'> | null;
}

/** Census borders and names of counties; names of places, which insets and titles use */
const BESIDE_STREETS: readonly MapLayer[] = ['states', 'counties', 'borders', 'places'];

/** Loads a view, unless this thread still has it. @param zips to draw */
export function viewData(
  { db, layout, pixelRatio, transparent, isNational = false, streets = null }: DataContext,
  viewport: Viewport,
  zips: readonly PlacedZip[],
): Promise<ViewData> {
  // Twice the pixel ratio shows the detail of one more zoom level.
  const lod = detailForZoom(viewport.zoom + Math.log2(pixelRatio));
  const codes = zips.map(({ zip }) => zip).join();
  const { widthPx, heightPx, zoom } = viewport;
  const view = [
    viewport.bbox(0),
    widthPx,
    heightPx,
    zoom,
    lod,
    transparent,
    isNational,
    streets && [streets.part],
  ];
  const read = async (): Promise<ViewData> => {
    const [shapes, { sources, states, places }] = await Promise.all([
      loadShapesOnce(db, zips, lod, isNational),
      transparent
        ? NO_BASEMAP
        : isNational
          ? nationalFeatures(db, zoom, lod)
          : basemapFeatures(db, viewport, lod, zips, streets),
    ]);
    const name = nameOf([view, codes]);
    const names = sources['state-labels'];
    const findStateNames = () =>
      stateNamesOffFill(
        names as Feature<Point>[],
        areas(states),
        Array.from(shapes, ([zip, geometry]) => ({
          type: 'Feature',
          properties: { zip },
          geometry,
        })),
        viewport,
      );
    const stateNames = names && { 'state-labels': layout.once(`states ${name}`, findStateNames) };
    return {
      shapes,
      basemap: { ...sources, ...stateNames },
      places: placesIn(viewport, places),
      name,
      rings: new Map(),
      finders: new LRUCache<string, BoxesAround>({ max: MAX_FINDERS }),
    };
  };
  // Metatiles are cached as answers, so their views don't come again.
  if (zips.length === 0) return read();
  return loadOnce(db, ['view', view, codes], read, ({ basemap, shapes }) =>
    // The shapes are counted twice, because what labels need later takes about as much memory.
    bytesOfFeatures([...Object.values(basemap).flat(), ...shapesAsFeatures(shapes)]),
  );
}

/** Boundaries by ZIP code, which views at the same level of detail share. */
function loadShapesOnce(
  db: Queryable,
  zips: readonly PlacedZip[],
  lod: number,
  isNational: boolean,
): Promise<Map<string, MultiPolygon>> {
  const codes = zips.map(({ zip }) => zip);
  const read = async () => {
    const shapes = await zipShapes(db, codes, lod);
    if (!isNational) return shapes;
    const stateOf = new Map(zips.map(({ zip, state }) => [zip, state]));
    const project = (zip: string, shape: MultiPolygon) =>
      projectGeometry(albersRegionOf(stateOf.get(zip) ?? null), shape);
    return new Map([...shapes].map(([zip, shape]) => [zip, project(zip, shape)]));
  };
  return loadOnce(db, ['shapes', lod, isNational, codes.join()], read, (shapes) =>
    bytesOfFeatures(shapesAsFeatures(shapes)),
  );
}

const shapesAsFeatures = (shapes: ReadonlyMap<string, MultiPolygon>) =>
  Array.from(shapes.values(), (geometry) => ({ geometry }));

/** Memory of a feature besides its positions */
const FEATURE_BYTES = 500;
/** Memory of a position in an array of its own, and of a number in a list of all positions */
const POSITION_BYTES = 64;
const NUMBER_BYTES = 8;

function bytesOfFeatures(features: readonly Pick<Feature, 'geometry'>[]): number {
  let bytes = 0;
  for (const { geometry } of features) {
    bytes +=
      FEATURE_BYTES +
      (geometry instanceof FlatGeometry
        ? NUMBER_BYTES * (geometry.numbers.end - geometry.numbers.start)
        : POSITION_BYTES * countPositions(geometry));
  }
  return bytes;
}

function countPositions(geometry: Feature['geometry']): number {
  if (geometry.type === 'GeometryCollection') return 0;
  const count = (list: readonly unknown[]): number =>
    typeof list[0] === 'number'
      ? 1
      : list.reduce<number>((sum, part) => sum + count(part as []), 0);
  return count(geometry.coordinates);
}

const NO_BASEMAP: Basemap = { sources: {}, states: [], places: [] };

async function nationalFeatures(db: Queryable, zoom: number, lod: number): Promise<Basemap> {
  const sources = await nationalBasemap(db, zoom, lod);
  return { sources, states: sources.states, places: sources.places };
}

interface Basemap {
  sources: Record<string, Feature[]>;
  /** Also what streets replace */
  states: Feature[];
  places: Feature[];
}

async function basemapFeatures(
  db: Queryable,
  viewport: Viewport,
  lod: number,
  placed: readonly PlacedZip[],
  streets: Pick<StreetsView, 'part'> | null,
): Promise<Basemap> {
  const { zoom } = viewport;
  const isCovered = streets !== null && streets.part === null;
  const [basemap, nearby] = await Promise.all([
    // A raster tile of the whole world has zoom -1, but features start at 0.
    basemapInView(db, viewport.bbox(MARGIN_PX), Math.max(0, zoom), lod, {
      ...(isCovered && { layers: BESIDE_STREETS }),
      cutOut: streets?.part ?? null,
    }),
    nearbyZips(
      db,
      viewport,
      lod,
      placed.map(({ zip }) => zip),
    ),
  ]);
  // Names of counties would compete with the labels of colored ZIP codes.
  const coloredCounties = new Set(placed.map(({ countyFips }) => countyFips));
  const plainCounties = basemap.counties.filter((c) => !coloredCounties.has(c.properties!.fips));
  const lakes = basemap.water.filter(({ properties }) => properties!.kind !== 'ocean');
  const { places, ...zips } = nearbySources(nearby, viewport, placesIn(viewport, basemap.places));
  const isPlain = ({ geometry }: Feature) =>
    streets === null ||
    (streets.part !== null && !bboxesMeet(streets.part, bboxOfGeometry(geometry)));
  const sources = {
    ...basemap,
    ...zips,
    // Streets have their own land.
    states: isCovered ? [] : basemap.states,
    places: [...basemap.places, ...places].filter(isPlain),
    'county-labels': labelsInPicture(zoom, areas(plainCounties), AREA_LABEL_RADIUS_PX),
    'state-labels': labelsInPicture(zoom, areas(basemap.states), AREA_LABEL_RADIUS_PX),
    'landuse-labels': labelsInPicture(zoom, areas(basemap.landuse), AREA_LABEL_RADIUS_PX).filter(
      isPlain,
    ),
    // Lake names may be wider than the lake.
    'water-labels': labelFeatures(areas(lakes), AREA_LABEL_RADIUS_PX).filter(isPlain),
  };
  return { sources, states: basemap.states, places: basemap.places };
}

/** Names of the places in the picture. */
const placesIn = (viewport: Viewport, places: readonly Feature[]): string[] =>
  places.flatMap(({ geometry, properties }) => {
    const [lng, lat] = (geometry as Point).coordinates as [number, number];
    const [x, y] = [viewport.x(lng), viewport.y(lat)];
    const isInside = x >= 0 && x <= viewport.widthPx && y >= 0 && y <= viewport.heightPx;
    return isInside && properties!.name !== null ? [properties!.name as string] : [];
  });

const areas = (features: readonly Feature[]) => features.filter(isArea);

function isArea(feature: Feature): feature is Feature<Polygon | MultiPolygon> {
  return feature.geometry.type === 'Polygon' || feature.geometry.type === 'MultiPolygon';
}
