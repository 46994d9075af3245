/** Draws ZIP codes over the basemap, colored by score, by status, or in one color. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Queryable } from '../db/database.ts';
import { BASEMAP_LAYERS } from '../basemap/features.ts';
import { readDatasets, type DatasetName } from '../db/datasets.ts';
import { badRequest, notFound } from '../errors.ts';
import { attributionOf } from './attribution.ts';
import { brandFurniture, type BrandLook } from './brand-look.ts';
import { categoryStyle } from './categories.ts';
import {
  classify,
  NATIONAL_CLASSES,
  styleBreaks,
  type ClassMethod,
  type ScoreClasses,
} from './classes.ts';
import { frameTerritory } from './frame.ts';
import type { Legend, MapFurniture } from '../render/furniture/furniture.ts';
import type { Renderer } from '../render/renderer.ts';
import { cameraOf, sizeProblems, type PictureFormat } from '../render/scene.ts';
import { loadSprite } from '../basemap/sprite.ts';
import { styleVariant } from './style-variant.ts';
import { scaleTexts } from './text-scale.ts';
import { loadStyle, styleWithBreaks, type StyleName } from '../basemap/styles.ts';
import { overlayBoxes, withOverlay, type Overlay } from './overlay.ts';
import { bboxAround, type Bbox } from '../spatial/bbox.ts';
import { Viewport, type Camera, type PaddingBySide } from '../spatial/camera.ts';
import { pluralize } from '../words.ts';
import { nameAreas } from './area-names.ts';
import { COMPOSITIONS, compositionByShape, type CompositionName } from './compositions.ts';
import type { SheetFurniture } from './sheet.ts';
import { layOutSingleMap, sheetFor } from './single-map.ts';
import { nationalStyle, projectPlaced, PUERTO_RICO } from './national-map.ts';
import { keepLargerSide } from './antimeridian.ts';
import { locate } from './locator.ts';
import { sheetScene } from './panel-sheet.ts';
import { splitIntoPanels, type PanelSplit } from './split-into-panels.ts';
import type { Underlay } from './underlay.ts';
import { colorsOf, hasScore, legendOf, vintageOf, type ZipColoring } from './zip-coloring.ts';
import type { ZipLabelContent } from './zip-labels.ts';
import { indexedMap, type IndexedView } from './indexed-map.ts';
import { type MapContext, type MapView } from './zip-scene.ts';
import { groupByReason, listGroups, missingBoundaries } from '../market/missing-boundaries.ts';
import { placedZips, type PlacedZip } from '../market/zips.ts';

/** Imported data that maps show */
export const MAP_DATASETS: readonly DatasetName[] = ['boundaries', 'scores', ...BASEMAP_LAYERS];

/** The look of a picture. */
export interface PictureOptions {
  style: StyleName;
  /** CSS pixels */
  width: number;
  height: number;
  /** Device pixels per CSS pixel */
  pixelRatio: number;
  format?: PictureFormat;
  /** Whether to draw only the territory, on a transparent background. Default: false */
  transparent?: boolean;
  /** Default: true */
  labels?: boolean;
  /** Content of the labels of ZIP codes, if there are labels. Default: the ZIP code */
  zipLabels?: ZipLabelContent;
  /** Whether to enlarge parts of the map that are too dense for labels. Default: true */
  insets?: boolean | undefined;
  /** Default: true */
  legend?: boolean;
  /** Default: the map's title. Empty: no title */
  title?: string;
  /** Default: the closest view of the whole territory */
  camera?: Camera;
  /** Space around the territory, CSS pixels. Default: 24, and more below */
  paddingPx?: number | PaddingBySide;
  /** Determines which furniture is shown, and where. Default: by the picture's shape */
  composition?: CompositionName | undefined;
  /** Whether to draw a scale bar. Default: depends on the composition */
  scaleBar?: boolean | undefined;
  /** Shapes and markers drawn on top. The view includes all of them */
  overlay?: Overlay;
  /** How scores are divided into classes. Default: `national` */
  classes?: ClassMethod | undefined;
  /** Drawn in place of land and water */
  underlay?: Underlay;
}

export interface ZipMapRequest extends PictureOptions {
  /** Sorted, without duplicates */
  zips: readonly string[];
  coloring: ZipColoring;
  /** Whether the map shows the country's ZIP codes, to be drawn in Albers' projection */
  isNational?: boolean;
  /** Default: no logo and no accent color */
  brand?: BrandLook | undefined;
  heading: { title: string; /** Null: derived from the ZIP codes */ subtitle: string | null };
  /** Extent of the map if no ZIP code has a boundary. Default: throws a 404 error */
  fallbackBbox?: Bbox;
}

export interface ZipMap {
  picture: Buffer;
  format: PictureFormat;
  /** Number of ZIP codes drawn */
  zips: number;
  /** Number of drawn ZIP codes with a score; 0 unless colored by score */
  scored: number;
  /** Requested ZIP codes without a boundary */
  missing: string[];
  /** Vintage of the scores, or of the boundaries on other maps */
  vintage: string;
  /** ZIP codes with a number that a key lists: by panel, in the order of its numbers, which begin at 1 */
  numbered: string[];
  /** ZIP codes in the picture without room for a label or a number */
  unlabeled: string[];
  /** ZIP codes outside all panels. The picture states how many */
  elsewhere: string[];
  /** The visible part of the world, across all panels */
  bbox: Bbox;
  /** MapLibre zoom (512-pixel tiles) of the map, or of its first panel */
  zoom: number;
  /** The maps in the picture: one, or one per area of a scattered territory */
  panels: MapPanel[];
  legend: Legend | undefined;
}

export interface MapPanel {
  /** Null for a single map */
  caption: string | null;
  bbox: Bbox;
  zoom: number;
  /** Number of ZIP codes */
  zips: number;
}

/** Space around the territory, CSS pixels. */
const PADDING_PX = 24;
/** Additional space below the territory, for the attribution. */
const ATTRIBUTION_PX = 12;

/**
 * @throws ServiceError 400 for an unsupported size; 404 if no ZIP code has a boundary and there is no
 *   `fallbackBbox`
 */
export async function drawZipMap(
  db: Queryable,
  renderer: Pick<Renderer, 'render'>,
  request: ZipMapRequest,
  signal?: AbortSignal,
): Promise<ZipMap> {
  const { coloring, fallbackBbox, width, height, pixelRatio } = request;
  const { format = 'png', transparent = false } = request;
  const problems = sizeProblems(request);
  if (problems.length > 0) throw badRequest(`The picture cannot be drawn: ${problems.join('; ')}.`);
  // The projected plane has no longitudes for a camera, an overlay, or imagery.
  const isNational =
    request.isNational === true &&
    coloring.by !== 'category' &&
    !request.camera &&
    !request.overlay?.length &&
    !request.underlay;
  const located = await placedZips(db, request.zips);
  const placed = isNational ? projectPlaced(located) : await keepLargerSide(db, located);
  if (placed.length === 0 && !fallbackBbox) {
    const missing = groupByReason(await missingBoundaries(db, request.zips));
    throw notFound(
      `None of these ZIP codes has a boundary to draw: ${listGroups(missing)}. An operator can import ` +
        'missing boundaries with: territory-admin import zcta FILE.',
    );
  }

  const codes = (zips: readonly PlacedZip[]) => zips.map(({ zip }) => zip);
  const facts = await readDatasets(db);
  const vintage = vintageOf(facts, coloring);
  const sources = attributionOf(facts, vintage);
  const { underlay, overlay = [] } = request;
  const colors = await colorsOf(db, codes(placed), coloring);
  const scores = [...colors.values()].flatMap((color) => ('score' in color ? [color.score] : []));
  const classes = classesOf(request, scores);
  const variant = { ...request, imagery: underlay !== undefined };
  const scoreStyle = loadStyleWith(request.style, classes);
  const base = coloring.by === 'category' ? categoryStyle(scoreStyle, coloring) : scoreStyle;
  const composition = COMPOSITIONS[request.composition ?? compositionByShape(width, height)];
  const { textScale } = composition;
  const drawn = styleVariant(isNational ? nationalStyle(base) : base, variant);
  const style = withOverlay(scaleTexts(drawn, textScale), overlay);
  const hasLand = !transparent && underlay === undefined;
  const brand = request.brand && (await brandFurniture(request.brand, style));
  const furnitureOf = (zips: readonly string[]): MapFurniture => ({
    ...brand,
    ...headingOf(request, placed, request.zips.length - placed.length),
    ...(!composition.subtitle && { subtitle: undefined }),
    textScale,
    legend:
      request.legend === false
        ? undefined
        : legendOf(style, coloring, zips, {
            classes,
            scores,
            hasLand,
            histogram: composition.histogram,
          }),
    vintage,
    ...sources,
    attribution: [
      composition.shortAttribution ? sources.shortAttribution[0] : sources.attribution,
      underlay?.attribution,
    ]
      .filter(Boolean)
      .join(', '),
  });
  const furniture = furnitureOf(request.zips);
  const marks = overlayBoxes(overlay);
  const territory = [
    ...(placed.length > 0 ? placed.map(({ bbox }) => bbox) : [fallbackBbox!]),
    ...marks,
    ...(isNational ? [PUERTO_RICO] : []),
  ];
  const padding = paddingOf(request);
  const sheetOf = (around: SheetFurniture) => sheetFor(composition, around, width, height);
  const panels =
    (request.camera || isNational
      ? null
      : splitIntoPanels({ zips: placed, marks, furnitureOf, sheetOf, width, height, padding })) ??
    layOutSingleMap(
      {
        ...{ zips: placed, territory, camera: request.camera },
        ...{ furniture, width, height, padding },
      },
      composition,
    );
  const elsewhere = codes(panels?.elsewhere ?? []);
  const shown = codes(panels?.panels.flatMap(({ zips }) => zips) ?? placed);
  const { images } = await loadSprite(request.style, pixelRatio);
  const zipLabels = request.labels === false ? 'none' : (request.zipLabels ?? 'zip');
  const scaleBar = request.scaleBar ?? composition.scaleBar;
  const context = {
    db,
    style,
    images,
    pixelRatio,
    transparent,
    underlay,
    colors,
    zipLabels,
    textScale,
    scaleBar,
    hasInsets: request.insets ?? true,
    isNational,
    ...(coloring.by === 'category' && { categories: coloring }),
  };
  const result = panels
    ? await drawInPanels(context, renderer, panels, request, signal)
    : await drawOnOneMap(
        context,
        renderer,
        {
          zips: placed,
          format,
          territory,
          edgesPx: padding,
          isPanel: false,
          ...(await frameMap(db, request, placed, furniture, territory)),
        },
        signal,
      );
  const known = new Set([...shown, ...elsewhere]);
  return {
    ...result,
    format,
    zips: shown.length,
    scored: shown.filter((zip) => hasScore(colors.get(zip)!)).length,
    missing: request.zips.filter((zip) => !known.has(zip)),
    elsewhere,
    vintage,
    legend: (panels?.furniture ?? furniture).legend,
  };
}

/** Returns the view of a single map and its furniture, with a locator if it helps. */
async function frameMap(
  db: Queryable,
  request: ZipMapRequest,
  placed: readonly PlacedZip[],
  furniture: MapFurniture,
  territory: readonly Bbox[],
): Promise<Pick<MapView, 'view' | 'width' | 'height' | 'furniture'>> {
  const { width, height, labels, camera } = request;
  const padding = paddingOf(request);
  const view = camera ?? frameTerritory({ territory, furniture, width, height, padding });
  const bbox = new Viewport(cameraOf({ view, width, height }), width, height).bbox(0);
  const locator = labels === false ? null : await locate(db, placed, bbox, { width, height });
  return { view, width, height, furniture: { ...furniture, ...(locator && { locator }) } };
}

async function drawOnOneMap(
  context: MapContext,
  renderer: Pick<Renderer, 'render'>,
  map: IndexedView,
  signal?: AbortSignal,
) {
  const { scene, insets, numbered, unlabeled, bbox, zoom } = await indexedMap(context, map);
  const picture = await renderer.render({ ...scene, panels: insets }, signal);
  const panels = [{ caption: null, bbox, zoom, zips: map.zips.length }];
  return { picture, numbered, unlabeled, bbox, zoom, panels };
}

async function drawInPanels(
  context: MapContext,
  renderer: Pick<Renderer, 'render'>,
  { sheet, panels }: PanelSplit,
  request: ZipMapRequest,
  signal?: AbortSignal,
) {
  const { width, height, format = 'png' } = request;
  const [names, maps] = await Promise.all([
    panels.length === 1
      ? [null]
      : nameAreas(
          context.db,
          panels.map(({ zips }) => zips.map(({ zip }) => zip)),
        ),
    Promise.all(
      panels.map(({ zips, territory, frame, camera, view = camera }) =>
        indexedMap(context, {
          zips,
          view,
          territory,
          edgesPx: paddingOf(request),
          isPanel: true,
          width: frame.maxX - frame.minX,
          height: frame.maxY - frame.minY,
        }),
      ),
    ),
  ]);
  const captioned = panels.map(({ zips, frame }, i) => {
    const name = names[i] ?? null;
    return {
      frame,
      caption: name === null ? null : { name, note: pluralize(zips.length, 'ZIP code') },
    };
  });
  const { style, pixelRatio, transparent } = context;
  const drawn = sheetScene({
    width,
    height,
    pixelRatio,
    format,
    style,
    transparent,
    furniture: sheet.plan(captioned),
    panels: panels.map(({ frame }, i) => {
      const { scene, insets } = maps[i]!;
      return { frame, scene: { ...scene, panels: insets } };
    }),
  });
  const picture = await renderer.render(drawn, signal);
  return {
    picture,
    numbered: maps.flatMap(({ numbered }) => numbered),
    unlabeled: maps.flatMap(({ unlabeled }) => unlabeled),
    bbox: bboxAround(maps.map(({ bbox }) => bbox)),
    zoom: maps[0]!.zoom,
    panels: panels.map(({ zips }, i) => {
      const { bbox, zoom } = maps[i]!;
      return { caption: names[i] ?? null, bbox, zoom, zips: zips.length };
    }),
  };
}

function paddingOf({ paddingPx: side = PADDING_PX }: ZipMapRequest): PaddingBySide {
  if (typeof side !== 'number') return side;
  const bottom = Math.max(side, ATTRIBUTION_PX + PADDING_PX);
  return { top: side, right: side, bottom, left: side };
}

function headingOf(
  { heading, title = heading.title }: ZipMapRequest,
  placed: PlacedZip[],
  withoutBoundary: number,
) {
  if (title === '') return {};
  const subtitle = heading.subtitle ?? describeZips(placed);
  // Short, because a banner would truncate a longer note.
  const undrawn =
    withoutBoundary > 0 &&
    `${pluralize(withoutBoundary, 'ZIP code')} ${withoutBoundary === 1 ? 'has' : 'have'} no boundary`;
  return { title, subtitle: [subtitle, undrawn].filter(Boolean).join(' · ') };
}

function classesOf(
  { classes = 'national' }: PictureOptions,
  scores: readonly (number | null)[],
): ScoreClasses {
  return classify(
    classes,
    scores.filter((score) => score !== null),
  );
}

function loadStyleWith(name: StyleName, classes: ScoreClasses): StyleSpecification {
  return classes === NATIONAL_CLASSES
    ? loadStyle(name)
    : styleWithBreaks(name, styleBreaks(classes));
}

/** `75201 in Dallas, TX`, `3 ZIP codes in TX`, `1,204 ZIP codes in KS, MO`. */
function describeZips(placed: readonly PlacedZip[]): string {
  if (placed.length === 1) {
    const { zip, city, state } = placed[0]!;
    const place = [city, state].filter((part) => part !== null).join(', ');
    return place === '' ? zip : `${zip} in ${place}`;
  }
  const states = [...new Set(placed.map((zip) => zip.state).filter((s) => s !== null))].sort();
  const where = states.length > 0 && states.length <= 4 ? ` in ${states.join(', ')}` : '';
  return `${placed.length.toLocaleString('en-US')} ZIP codes${where}`;
}
