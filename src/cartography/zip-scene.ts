/** Builds the scene of a map: colored ZIP codes over the basemap. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Feature, MultiPolygon, Point, Polygon } from 'geojson';
import { basemapInView } from '../basemap/view.ts';
import type { Queryable } from '../db/database.ts';
import { categorySources, type CategoryColoring } from './categories.ts';
import { choroplethSources, type ZipColor } from './choropleth.ts';
import { labelZips, numberZips, type KnownFits, type ZipLabelContent } from './zip-labels.ts';
import { AREA_LABEL_RADIUS_PX, labelFeatures, labelsInPicture } from '../basemap/label-features.ts';
import { boxFinder } from '../render/canvas/lay-out.ts';
import { measureEm } from '../render/canvas/text/measure.ts';
import { arrangeFurniture, type FurniturePlan } from '../render/furniture/arrange.ts';
import { territoryBoxes } from '../render/furniture/territory-boxes.ts';
import type { MapFurniture } from '../render/furniture/furniture.ts';
import { cameraOf, type Scene } from '../render/scene.ts';
import { bboxesMeet, bboxOfGeometry, type Bbox } from '../spatial/bbox.ts';
import { Viewport } from '../spatial/camera.ts';
import { detailForZoom } from '../spatial/detail.ts';
import { View3 } from '../spatial/view.ts';
import { albersRegionOf, projectGeometry } from '../spatial/albers-usa.ts';
import { nationalBasemap, UNITED_STATES } from './national-map.ts';
import { nearbySources, nearbyZips } from './nearby-zips.ts';
import { scaleBarOf } from './furniture/scale-bar.ts';
import { stateNamesOffFill } from './state-names.ts';
import type { Underlay } from './underlay.ts';
import { letOthersRun } from '../contract/let-others-run.ts';
import { zipShapes, type PlacedZip } from '../market/zips.ts';

/** Margin around the picture for which the basemap is loaded, so that clipped edges stay out of view */
const MARGIN_PX = 32;

/** Values that all maps of one picture share. */
export interface MapContext {
  db: Queryable;
  style: StyleSpecification;
  images: Scene['images'];
  pixelRatio: number;
  transparent: boolean;
  underlay: Underlay | undefined;
  colors: ReadonlyMap<string, ZipColor>;
  zipLabels: ZipLabelContent;
  /** Largest size of the labels of ZIP codes, relative to the style's. Default: 1 */
  textScale?: number;
  /** Whether each map has a scale bar */
  scaleBar: boolean;
  /** Whether insets may enlarge dense parts of a map. Default: false */
  hasInsets?: boolean;
  /** Categories to draw with outlines and names */
  categories?: CategoryColoring;
  /** Whether the map shows the country in Albers' projection. Its view is then in the projected plane */
  isNational?: boolean;
}

export type MapView = Pick<Scene, 'view' | 'width' | 'height'> &
  Partial<Pick<Scene, 'format' | 'furniture' | 'territory'>> & {
    zips: readonly PlacedZip[];
    /** Parts that insets show. The map leaves the names of their lakes to the insets. Default: none */
    inInsets?: readonly Bbox[];
  };

export interface ZipScene {
  scene: Scene;
  /** The scene's furniture as drawn */
  furniture: FurniturePlan;
  /** ZIP codes that have a number instead of a label, in the order of the numbers */
  numbered: string[];
  /** ZIP codes in the picture without room for a label */
  unlabeled: string[];
  /** The visible part of the world */
  bbox: Bbox;
  zoom: number;
}

/** Numbers for ZIP codes without a label */
export interface Numbering {
  first: number;
  /** The highest number to use */
  last: number;
  /** ZIP codes that another map labels */
  except: ReadonlySet<string>;
}

/** The boundaries and the basemap of a view, loaded once for several scenes */
export interface LoadedView {
  readonly viewport: Viewport;
  /** ZIP codes whose boxes meet the picture. Notes on missing labels count only these */
  readonly inPicture: ReadonlySet<string>;
  /** Names of the places in the view, the most important first */
  readonly places: readonly string[];
  /** Places labels around the furniture, and numbers only with `numbering`. */
  compose(furniture: MapFurniture | undefined, numbering?: Numbering): Promise<ZipScene>;
}

/** Loads the boundaries and the basemap of a view and builds its scene. */
export async function zipScene(context: MapContext, map: MapView): Promise<ZipScene> {
  return (await loadView(context, map)).compose(map.furniture);
}

export async function loadView(
  context: MapContext,
  { zips, inInsets = [], ...map }: MapView,
): Promise<LoadedView> {
  const { db, style, images, pixelRatio, transparent, underlay, colors, zipLabels } = context;
  const { isNational = false, textScale = 1 } = context;
  const camera = cameraOf(map);
  const viewport = new Viewport(camera, map.width, map.height);
  // Twice the pixel ratio shows the detail of one more zoom level.
  const lod = detailForZoom(camera.zoom + Math.log2(pixelRatio));
  const codes = zips.map(({ zip }) => zip);
  const [shapes, basemap, imagery] = await Promise.all([
    zipShapes(db, codes, lod),
    transparent
      ? {}
      : isNational
        ? nationalBasemap(db, camera.zoom, lod)
        : basemapFeatures(db, viewport, lod, zips),
    underlay?.tilesIn(new View3(camera, map.width, map.height)),
  ]);
  const stateOf = new Map(zips.map(({ zip, state }) => [zip, state]));
  const colored = [...shapes].map(([zip, geometry]) => ({
    zip,
    color: colors.get(zip)!,
    geometry: isNational
      ? projectGeometry(albersRegionOf(stateOf.get(zip) ?? null), geometry)
      : geometry,
  }));
  await letOthersRun();
  const territory = choroplethSources(colored, viewport);
  await letOthersRun();
  const {
    states,
    places = [],
    'state-labels': stateNames,
    'water-labels': waterNames,
  }: Record<string, Feature[]> = basemap;
  const names = stateNames && {
    'state-labels': stateNamesOffFill(
      stateNames as Feature<Point>[],
      areas(states!),
      territory.zips as Feature<Polygon | MultiPolygon>[],
      viewport,
    ),
  };
  const sources = {
    ...territory,
    ...basemap,
    ...names,
    ...(waterNames && { 'water-labels': waterNames.filter((name) => !isIn(inInsets, name)) }),
    ...(context.categories && categorySources(context.categories, shapes)),
    ...(imagery && { underlay: imagery }),
  };
  const picture = { minX: 0, minY: 0, maxX: map.width, maxY: map.height };
  const known: KnownFits = new Map();
  const inPicture = new Set(zipsIn(viewport, zips).map(({ zip }) => zip));
  const namedByDots = new Set(territory['zip-dots'].map(zipOf));
  const zipsToLabel = sources.zips.filter((zip) => {
    return inPicture.has(zipOf(zip)) && !namedByDots.has(zipOf(zip));
  });
  const hasScaleBar = context.scaleBar && !isNational;
  const bar = hasScaleBar && { scaleBar: scaleBarOf(camera, map.width) };
  const plain = { ...map, pixelRatio, style, images, sources, keepLabelsWhole: true };
  const boxesAround = zips.length > 0 ? boxFinder(withLabelsAboveZips(plain)) : () => [];
  const compose: LoadedView['compose'] = async (pieces, numbering) => {
    await letOthersRun();
    const furniture = { ...pieces, ...bar };
    const scene = { ...plain, furniture };
    const boxes = territoryBoxes(map.territory ?? [], viewport);
    const arranged = arrangeFurniture(furniture, map.width, map.height, measureEm, boxes);
    const obstacles = boxesAround(arranged);
    const room = { viewport, picture, obstacles, known, textScale };
    await letOthersRun();
    const { labels, unlabeled } = labelZips(zipsToLabel, zipLabels, style, room);
    await letOthersRun();
    const rest =
      numbering === undefined
        ? { labels: [], numbered: [], unlabeled }
        : numberZips(
            unlabeled.filter((zip) => !numbering.except.has(zipOf(zip))),
            numbering,
            style,
            room,
          );
    const zipLabelSource = [...labels, ...rest.labels];
    return {
      scene: { ...scene, arranged, sources: { ...sources, 'zip-labels': zipLabelSource } },
      furniture: arranged,
      numbered: rest.numbered.map(zipOf),
      unlabeled: rest.unlabeled.map(zipOf),
      bbox: isNational ? UNITED_STATES : viewport.bbox(0),
      zoom: camera.zoom,
    };
  };
  return { viewport, inPicture, places: placesIn(viewport, places), compose };
}

/** The ZIP codes whose boxes meet a picture */
export function zipsIn(viewport: Viewport, zips: readonly PlacedZip[]): PlacedZip[] {
  const visible = viewport.bbox(0);
  return zips.filter(({ bbox }) => bboxesMeet(bbox, visible));
}

const zipOf = ({ properties }: Feature) => properties!.zip as string;

/** Keeps only the labels that take precedence over those of ZIP codes. */
function withLabelsAboveZips<S extends Pick<Scene, 'style'>>(scene: S): S {
  const { layers } = scene.style;
  const above = layers.slice(layers.findIndex(({ id }) => id === 'zip-names') + 1);
  const symbols = above.filter(({ type }) => type === 'symbol');
  return { ...scene, style: { ...scene.style, layers: symbols } };
}

async function basemapFeatures(
  db: Queryable,
  viewport: Viewport,
  lod: number,
  placed: readonly PlacedZip[],
): Promise<Record<string, Feature[]>> {
  const { zoom } = viewport;
  const [basemap, nearby] = await Promise.all([
    // A raster tile of the whole world has zoom -1, but features start at 0.
    basemapInView(db, viewport.bbox(MARGIN_PX), Math.max(0, zoom), lod),
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
  return {
    ...basemap,
    ...zips,
    places: [...basemap.places, ...places],
    'county-labels': labelsInPicture(zoom, areas(plainCounties), AREA_LABEL_RADIUS_PX),
    'state-labels': labelsInPicture(zoom, areas(basemap.states), AREA_LABEL_RADIUS_PX),
    'landuse-labels': labelsInPicture(zoom, areas(basemap.landuse), AREA_LABEL_RADIUS_PX),
    // Lake names may be wider than the lake.
    'water-labels': labelFeatures(areas(lakes), AREA_LABEL_RADIUS_PX),
  };
}

/** Names of the places in the picture. */
const placesIn = (viewport: Viewport, places: readonly Feature[]): string[] =>
  places.flatMap(({ geometry, properties }) => {
    const [lng, lat] = (geometry as Point).coordinates as [number, number];
    const [x, y] = [viewport.x(lng), viewport.y(lat)];
    const isInside = x >= 0 && x <= viewport.widthPx && y >= 0 && y <= viewport.heightPx;
    return isInside && properties!.name !== null ? [properties!.name as string] : [];
  });

const isIn = (boxes: readonly Bbox[], { geometry }: Feature) =>
  boxes.some((box) => bboxesMeet(box, bboxOfGeometry(geometry)));

const areas = (features: readonly Feature[]) => features.filter(isArea);

function isArea(feature: Feature): feature is Feature<Polygon | MultiPolygon> {
  return feature.geometry.type === 'Polygon' || feature.geometry.type === 'MultiPolygon';
}
