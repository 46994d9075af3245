/** Draws ZIP codes over the basemap, colored by score, by amount, by status, or in one color. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { loadSprite } from '../../data/basemap/sprite.ts';
import { withStreets } from '../../data/basemap/streets-style.ts';
import { loadStyle, styleWithBreaks, type StyleName } from '../../data/basemap/styles.ts';
import { readDatasets } from '../../base/db/datasets.ts';
import { badRequest, notFound } from '../../errors.ts';
import {
  groupByReason,
  formatMissing,
  missingBoundaries,
} from '../../data/market/missing-boundaries.ts';
import { placedZips, type PlacedZip, zipShapes } from '../../data/market/zips.ts';
import type { MapFurniture } from '../../render/furniture/furniture.ts';
import type { Renderer } from '../../render/renderer.ts';
import { sizeProblems } from '../../render/scene.ts';
import { loadOnce } from './load-once.ts';
import type { MapData } from './map-data.ts';
import { layoutOf } from './map-layout.ts';
import { attributionOf } from './furniture/attribution.ts';
import { brandFurniture } from './brand-look.ts';
import { categoryStyle } from './categories.ts';
import { classify, NATIONAL_CLASSES, styleBreaks, type ScoreClasses } from './classes.ts';
import { COMPOSITIONS, compositionByShape } from './compositions.ts';
import { composeOneMap, composePanels } from './compose-views.ts';
import { frameTerritory } from './frame.ts';
import { headingOf } from './furniture/heading.ts';
import { nationalStyle, projectPlaced, PUERTO_RICO } from './national-map.ts';
import { overlayBoxes, withOverlay } from './overlay.ts';
import { paddingOf, type PictureOptions } from './picture-options.ts';
import { withPins } from './place-pins.ts';
import type { SheetFurniture } from './panels/sheet.ts';
import { layOutSingleMap, sheetFor } from './panels/single-map.ts';
import { splitIntoPanels } from './panels/split-into-panels.ts';
import { expectsStreets, showsStreets, type StreetsLook } from './streets.ts';
import { styleVariant } from './style-variant.ts';
import { scaleTexts } from './furniture/text-scale.ts';
import { colorsOf, hasScore, legendOf, vintageOf } from './zip-coloring.ts';
import type { ZipMap, ZipMapRequest } from './zip-map.ts';
import { area } from '@turf/area';
import { bbox } from '@turf/bbox';
import type { MultiPolygon } from 'geojson';
import type { Queryable } from '../../base/db/database.ts';
import type { Bbox } from '../../base/spatial/bbox.ts';
import { DETAIL_LEVELS } from '../../base/spatial/detail.ts';

/** Memory of a ZIP code with its box and names */
const PLACED_BYTES = 300;

/**
 * @throws ServiceError 400 for an unsupported size; 404 if no ZIP code has a boundary and there is no
 *   `fallbackBbox`
 */
export async function drawZipMap(
  db: MapData,
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
  if (request.zips.length === 0 && !fallbackBbox) throw notFound('There are no ZIP codes to draw.');
  const placed = await loadOnce(
    db,
    ['placed', isNational, request.zips.join()],
    async () => {
      const located = await placedZips(db, request.zips);
      return isNational ? projectPlaced(located) : keepLargerSide(db, located);
    },
    (placed) => PLACED_BYTES * placed.length,
  );
  if (placed.length === 0 && !fallbackBbox) {
    const missing = groupByReason(await missingBoundaries(db, request.zips));
    throw notFound(
      `None of these ZIP codes has a boundary to draw: ${formatMissing(missing)}. An operator can import ` +
        'missing boundaries with: territory-admin import zcta FILE.',
    );
  }

  const codes = (zips: readonly PlacedZip[]) => zips.map(({ zip }) => zip);
  const facts = await readDatasets(db);
  const vintage = vintageOf(facts, coloring);
  const sources = attributionOf(facts, vintage);
  const { underlay, overlay = [], pins = [] } = request;
  const colors = await colorsOf(db, codes(placed), coloring);
  const isScored = coloring.by === 'score';
  const scores = [...colors.values()].flatMap((color) =>
    isScored && 'score' in color ? [color.score] : [],
  );
  const classes = classesOf(request, scores);
  const variant = { ...request, imagery: underlay !== undefined };
  const scoreStyle = loadStyleWith(request.style, classes);
  const composition = COMPOSITIONS[request.composition ?? compositionByShape(width, height)];
  const { textScale } = composition;
  const styleOn = (base: StyleSpecification) => {
    const drawn = coloring.by === 'category' ? categoryStyle(base, coloring) : base;
    const marked = withOverlay(scaleTexts(styleVariant(drawn, variant), textScale), overlay);
    return pins.length === 0 ? marked : withPins(marked, request.labels);
  };
  const style = styleOn(isNational ? nationalStyle(scoreStyle) : scoreStyle);
  const isPlain =
    request.basemap === 'plain' || isNational || transparent || underlay !== undefined;
  const streets =
    isPlain || !db.streets
      ? undefined
      : { at: db.streets, style: styleOn(withStreets(scoreStyle, request.style)) };
  const hasLand = !transparent && underlay === undefined;
  const brand = request.brand && (await brandFurniture(request.brand, style));
  const furnitureOf = (zips: readonly string[], credits: readonly Credit[]): MapFurniture => ({
    ...brand,
    ...headingOf({ ...request.heading, title: request.title ?? request.heading.title }, placed),
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
    attribution: joinCredits(
      composition.shortAttribution ? sources.shortAttribution[0] : sources.attribution,
      ...credits,
    ),
    // Credits are drawn even if no publisher of the data is known.
    shortAttribution: (sources.shortAttribution.length > 0 ? sources.shortAttribution : ['']).map(
      (text) => joinCredits(text, ...credits),
    ),
  });
  const marks = overlayBoxes(overlay);
  const territory = [
    ...(placed.length > 0 ? placed.map(({ bbox }) => bbox) : [fallbackBbox!]),
    ...marks,
    ...(isNational ? [PUERTO_RICO] : []),
  ];
  const padding = paddingOf(request);
  const sheetOf = (around: SheetFurniture) => sheetFor(composition, around, width, height);
  const { images } = await loadSprite(request.style, pixelRatio);
  const zipLabels = request.labels === false ? 'none' : (request.zipLabels ?? 'zip');
  const scaleBar = request.scaleBar ?? composition.scaleBar;
  const { layout, keep } = await layoutOf(db, facts, {
    zips: request.zips,
    isNational,
    width,
    height,
  });
  const context = {
    db,
    layout,
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
    pins,
    isNational,
    ...(coloring.by === 'category' && { categories: coloring }),
  };
  const layOut = (credited: boolean) => {
    const credits = [underlay?.attribution, credited ? streets!.at.attribution : undefined];
    const around = (zips: readonly string[]) => furnitureOf(zips, credits);
    const furniture = around(request.zips);
    const single = { zips: placed, territory, furniture, width, height, padding };
    const panels =
      (request.camera || isNational
        ? null
        : splitIntoPanels({
            zips: placed,
            marks,
            furnitureOf: around,
            sheetOf,
            width,
            height,
            padding,
          })) ?? layOutSingleMap({ ...single, camera: request.camera }, composition);
    if (panels !== null) return { panels, furniture };
    const view = request.camera ?? frameTerritory(single);
    return { panels, furniture, single: { ...single, view } };
  };
  const compose = async (layout: ReturnType<typeof layOut>, shown: StreetsLook | undefined) => {
    const withShown = { ...context, streets: shown };
    const views = layout.panels
      ? await composePanels(withShown, layout.panels, request)
      : await composeOneMap(withShown, layout.single, request);
    return { ...layout, views };
  };
  const plain = layOut(false);
  const expected = streets !== undefined && expectsStreets(streets.at, plain, request);
  const first = await compose(expected ? layOut(true) : plain, streets);
  // Credits may be missing, or be for what no map shows, such as where the archive ends.
  const isRight = showsStreets(first.views.scene) === expected;
  const { panels, furniture, views } = isRight
    ? first
    : await (expected ? compose(plain, undefined) : compose(layOut(true), streets));
  const { scene, ...result } = views;
  keep();
  const picture = request.onlyLayout ? Buffer.alloc(0) : await renderer.render(scene, signal);
  const elsewhere = codes(panels?.elsewhere ?? []);
  const shown = codes(panels?.panels.flatMap(({ zips }) => zips) ?? placed);
  const known = new Set([...shown, ...elsewhere]);
  return {
    ...result,
    picture,
    format,
    zips: shown.length,
    scored: isScored ? shown.filter((zip) => hasScore(colors.get(zip)!)).length : 0,
    missing: request.zips.filter((zip) => !known.has(zip)),
    elsewhere,
    vintage,
    legend: (panels?.furniture ?? furniture).legend,
  };
}

type Credit = string | null | undefined;

const joinCredits = (...credits: Credit[]) => credits.filter(Boolean).join(', ');

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

/**
 * Replaces the box of each ZIP code that spans the antimeridian with the box of its larger side. A map
 * of the original box, from -180 to 180, would show the whole world.
 */
export async function keepLargerSide(
  db: Queryable,
  zips: readonly PlacedZip[],
): Promise<PlacedZip[]> {
  const isWide = (placed: PlacedZip) => placed.bbox[2] - placed.bbox[0] > 180;
  const wide = zips.filter(isWide).map(({ zip }) => zip);
  if (wide.length === 0) return [...zips];
  const shapes = await zipShapes(db, wide, DETAIL_LEVELS.length - 1);
  return zips.map((placed) => {
    const shape = isWide(placed) ? shapes.get(placed.zip) : undefined;
    if (shape === undefined) return placed;
    const side = (isOnSide: (minLng: number) => boolean): MultiPolygon => ({
      type: 'MultiPolygon',
      coordinates: shape.coordinates.filter((coordinates) =>
        isOnSide(bbox({ type: 'Polygon', coordinates })[0]),
      ),
    });
    const [east, west] = [side((minLng) => minLng >= 0), side((minLng) => minLng < 0)];
    return { ...placed, bbox: bbox(area(west) >= area(east) ? west : east) as Bbox };
  });
}
