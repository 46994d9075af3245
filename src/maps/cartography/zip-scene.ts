/** Builds the scene of a map: colored ZIP codes over the basemap. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Feature } from 'geojson';
import { STREETS } from '../../data/basemap/streets-style.ts';
import { boxFinder } from '../../render/canvas/lay-out.ts';
import { measureEm } from '../../render/canvas/text/measure.ts';
import { arrangeFurniture, type Arrangement } from '../../render/furniture/arrange.ts';
import { territoryBoxes } from '../../render/furniture/territory-boxes.ts';
import type { MapFurniture } from '../../render/furniture/furniture.ts';
import { cameraOf, type Scene } from '../../render/scene.ts';
import { bboxesMeet, bboxOfGeometry, type Bbox } from '../../base/spatial/bbox.ts';
import { Viewport } from '../../base/spatial/camera.ts';
import { View3 } from '../../base/spatial/view.ts';
import type { PlacedZip } from '../../data/market/zips.ts';
import { categorySources, type CategoryColoring } from './categories.ts';
import { choroplethSources, type ZipColor } from './choropleth.ts';
import { scaleBarOf } from './furniture/scale-bar.ts';
import { nameOf, type MapLayout } from './map-layout.ts';
import { UNITED_STATES } from './national-map.ts';
import { pinSources, type Pin } from './place-pins.ts';
import { streetsInView, type StreetsLook } from './streets.ts';
import type { Underlay } from './underlay.ts';
import { viewData, type BoxesAround, type DataContext, type ViewData } from './view-data.ts';
import { labelZips, numberZips, type ZipLabelContent } from './zip-labels.ts';

/** Values that all maps of one picture share. */
export interface MapContext extends Omit<DataContext, 'streets'> {
  style: StyleSpecification;
  images: Scene['images'];
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
  /** Default: none */
  pins?: readonly Pin[];
  /** Default: no streets */
  streets?: StreetsLook | undefined;
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
  furniture: Arrangement;
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

/** A view of a map, loaded once for several scenes */
export interface LoadedView {
  readonly viewport: Viewport;
  /** Whether it shows streets */
  readonly hasStreets: boolean;
  /** Names of the places in the view, the most important first */
  readonly places: readonly string[];
  /** Places labels around the furniture, and numbers only with `numbering`. */
  compose(furniture: MapFurniture | undefined, numbering?: Numbering): ZipScene;
}

/** Loads the boundaries and the basemap of a view and builds its scene. */
export async function zipScene(context: MapContext, map: MapView): Promise<ZipScene> {
  const view = await loadView(context, map);
  return view.compose(map.furniture);
}

export async function loadView(
  context: MapContext,
  { zips, inInsets = [], ...map }: MapView,
): Promise<LoadedView> {
  const { images, pixelRatio, underlay, colors, zipLabels } = context;
  const { isNational = false, textScale = 1, categories, pins = [] } = context;
  const camera = cameraOf(map);
  const viewport = new Viewport(camera, map.width, map.height);
  const view = new View3(camera, map.width, map.height);
  const streets = context.streets ? await streetsInView(context.streets.at, view) : null;
  const style = streets ? context.streets!.style : context.style;
  const [data, imagery] = await Promise.all([
    viewData({ ...context, streets }, viewport, zips),
    underlay?.tilesIn(view),
  ]);
  const { shapes, basemap } = data;
  const { 'water-labels': waterNames } = basemap;
  const territory = choroplethSources(
    Array.from(shapes, ([zip, geometry]) => ({ zip, color: colors.get(zip)!, geometry })),
    viewport,
  );
  const sources = {
    ...territory,
    ...basemap,
    ...(waterNames && { 'water-labels': waterNames.filter((name) => !isIn(inInsets, name)) }),
    ...(categories && categorySources(categories, shapes)),
    ...(pins.length > 0 && pinSources(pins, isNational)),
    ...(imagery && { underlay: imagery }),
    ...(streets && { [STREETS]: streets.tiles }),
  };
  const picture = { minX: 0, minY: 0, maxX: map.width, maxY: map.height };
  const inPicture = new Set(zipsIn(viewport, zips).map(({ zip }) => zip));
  const namedByDots = new Set(territory['zip-dots'].map(zipOf));
  const zipsToLabel = sources.zips.filter((zip) => {
    return inPicture.has(zipOf(zip)) && !namedByDots.has(zipOf(zip));
  });
  const bar = context.scaleBar && !isNational && { scaleBar: scaleBarOf(camera, map.width) };
  const plain = { ...map, pixelRatio, style, images, sources, keepLabelsWhole: true };
  const boxesAround =
    zips.length > 0 ? boxesAroundFurniture(plain, data, context.layout) : () => [];
  const compose: LoadedView['compose'] = (pieces, numbering) => {
    const furniture = { ...pieces, ...bar };
    const scene = { ...plain, furniture };
    const boxes = territoryBoxes(map.territory ?? [], viewport);
    const arranged = arrangeFurniture(furniture, map.width, map.height, measureEm, boxes);
    const obstacles = boxesAround(arranged);
    const room = { viewport, picture, obstacles, view: data, layout: context.layout, textScale };
    const { labels, unlabeled } = labelZips(zipsToLabel, zipLabels, style, room);
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
  return { viewport, hasStreets: streets !== null, places: data.places, compose };
}

/** Finds the areas that furniture and the labels above those of ZIP codes take. Views keep what was found. */
function boxesAroundFurniture(
  scene: Parameters<typeof boxFinder>[0],
  { basemap, finders, name }: ViewData,
  layout: MapLayout,
): BoxesAround {
  const above = withLabelsAboveZips(scene);
  // Maps of the view share its basemap and streets, but not other labels, such as the names of territories.
  const own = Object.entries(above.sources).filter(
    ([id, data]) => data !== basemap[id] && id !== STREETS,
  );
  const key = nameOf([name, withoutColors(above.style), scene.pixelRatio, own]);
  return (arranged) =>
    layout.once(`boxes ${key} ${nameOf(arranged.boxes)}`, () => {
      const find = finders.get(key) ?? boxFinder(above);
      finders.set(key, find);
      return find(arranged);
    });
}

/** The ZIP codes whose boxes meet a picture */
export function zipsIn(viewport: Viewport, zips: readonly PlacedZip[]): PlacedZip[] {
  const visible = viewport.bbox(0);
  return zips.filter(({ bbox }) => bboxesMeet(bbox, visible));
}

const zipOf = ({ properties }: Feature) => properties!.zip as string;

/** Keeps only the labels that take precedence over those of ZIP codes, and their data. */
function withLabelsAboveZips<S extends Pick<Scene, 'style' | 'sources'>>(scene: S): S {
  const { layers } = scene.style;
  const above = layers.slice(layers.findIndex(({ id }) => id === 'zip-names') + 1);
  const symbols = above.filter((layer) => layer.type === 'symbol');
  const used = new Set(symbols.map(({ source }) => source));
  const sources = Object.entries(scene.sources).filter(([id]) => used.has(id));
  const style = { ...scene.style, layers: symbols };
  return { ...scene, style, sources: Object.fromEntries(sources) };
}

/** Labels have the same places in all colors. */
const withoutColors = ({ layers }: StyleSpecification) =>
  layers.map(({ paint = {}, ...layer }) => [
    layer,
    Object.entries(paint).filter(([name]) => !/-(color|opacity)$/.test(name)),
  ]);

const isIn = (boxes: readonly Bbox[], { geometry }: Feature) =>
  boxes.some((box) => bboxesMeet(box, bboxOfGeometry(geometry)));
