/**
 * Identifies ZIP codes that are too small for a label. Insets enlarge the densest parts of the map, and numbers
 * refer to a key next to it.
 */
import type { Feature } from 'geojson';
import { measureEm } from '../../render/canvas/text/measure.ts';
import { arrangeFurniture } from '../../render/furniture/arrange.ts';
import type { Card } from '../../render/furniture/card-layout.ts';
import { territoryBoxes } from '../../render/furniture/territory-boxes.ts';
import type { FittedView, PanelScene } from '../../render/scene.ts';
import type { MapFurniture, NumberKey } from '../../render/furniture/furniture.ts';
import { Viewport, type PaddingBySide } from '../../base/spatial/camera.ts';
import { growRect, rectContains, type RectPx } from '../../base/spatial/flat.ts';
import { commonCity } from './area-names.ts';
import { GAP_PX, type InsetLayout } from './insets/request.ts';
import { chooseInsets } from './insets/insets.ts';
import { nameOf } from './map-layout.ts';
import { minLabelZoom } from './zip-labels.ts';
import {
  loadView,
  zipsIn,
  type LoadedView,
  type MapContext,
  type MapView,
  type Numbering,
  type ZipScene,
} from './zip-scene.ts';

/** A map with the insets on top of it */
interface IndexedMap extends ZipScene {
  insets: PanelScene[];
}

const KEY_TITLE = 'Small ZIP codes';
/** A smaller map has no room for a key or an inset. */
const MIN_INDEXED_PX = { width: 800, height: 500 };
/** A longer list wouldn't help. */
const MAX_NUMBERS = 300;
/** Shares of the numbers to try until their key fits */
const KEY_SHARES = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3];
/** About the area of a key's entry, in square CSS pixels */
const KEY_ENTRY_PX = 900;
/** Share of the width that the key takes from a map that has no room for it: two columns */
const KEY_STRIP = 0.14;
/** A key changes the room for labels. The layout usually settles in the first round. */
const MAX_ROUNDS = 4;
/** Share of the width that insets leave to a heading. The headings of most verticals are narrower. */
const HEADING_SHARE = 1 / 3;
/** The outline of a smaller part would be a speck. */
const MIN_OUTLINE_PX = 8;

interface IndexedView extends MapView {
  /** The view's padding without the room for furniture */
  edgesPx: PaddingBySide;
}

/** Builds the scenes of a single map with its insets, numbers, and key. */
export async function indexedMap(
  context: MapContext,
  { edgesPx, ...map }: IndexedView,
): Promise<IndexedMap> {
  const main = await loadView(context, map);
  const plain = { ...main.compose(map.furniture), insets: [] };
  const hasLabels =
    context.zipLabels !== 'none' && context.isNational !== true && map.zips.length > 1;
  if (!hasLabels || plain.unlabeled.length === 0) return plain;
  const isLarge = map.width >= MIN_INDEXED_PX.width && map.height >= MIN_INDEXED_PX.height;
  // Labels only in insets would stress an arbitrary part of the map.
  const isTooFar = main.viewport.zoom < minLabelZoom(context.style);
  if (isTooFar || !isLarge) return plain;
  const views = await viewsWithInsets(context, map, main, edgesPx);
  if (views !== null) return composeWithKey(views);
  const alone: Views = { context, map, main, insets: [] };
  const numbered = compose(alone, MAX_NUMBERS);
  if (isComplete(numbered)) return numbered;
  const beside = composeWithKey(await addKeyStrip(alone));
  return beside.numbered.length > 0 ? beside : plain;
}

/** The views of a picture, loaded once for several rounds */
interface Views {
  context: MapContext;
  map: MapView;
  main: LoadedView;
  insets: readonly { view: LoadedView; frame: RectPx; caption: string | null }[];
}

/** Returns null for a map that its caller framed, or that insets would not improve. */
async function viewsWithInsets(
  context: MapContext,
  map: MapView,
  plain: LoadedView,
  edges: PaddingBySide,
): Promise<Views | null> {
  const layout = layOutInsets(context, map, plain, edges);
  if (layout === null) return null;
  const shown = layout.insets.map(({ frame, camera }) => {
    const size = sizeOf(frame);
    const viewport = new Viewport(camera, size.width, size.height);
    return { size, camera, bbox: viewport.bbox(0), zips: zipsIn(viewport, map.zips) };
  });
  // Insets look like the map that they enlarge.
  const beside = plain.hasStreets ? context : { ...context, streets: undefined };
  const [main, ...views] = await Promise.all([
    loadView(beside, {
      ...withPadding(map, layout.padding),
      inInsets: shown.map(({ bbox }) => bbox),
    }),
    ...shown.map(({ size, camera, zips }) => loadView(beside, { ...size, view: camera, zips })),
  ]);
  const insets = views.map((view, i) => ({
    view,
    frame: layout.insets[i]!.frame,
    caption: commonCity(shown[i]!.zips, view.places),
  }));
  return { context, map, main, insets };
}

function layOutInsets(
  { layout, hasInsets, transparent, style }: MapContext,
  { view, width, height, zips, territory, furniture = {} }: MapView,
  { viewport }: LoadedView,
  edges: PaddingBySide,
): InsetLayout | null {
  if (!hasInsets || transparent || !hasPadding(view)) return null;
  // Insets may take the place of the locator, which then moves.
  const { locator: _, ...fixed } = furniture;
  const boxes = zips.map(({ bbox }) => bbox);
  const keepFree = territory ?? boxes;
  const around = territoryBoxes(keepFree, viewport);
  const { cards } = arrangeFurniture(fixed, width, height, measureEm, around);
  const sources = cards.find(({ box, flush }) => flush && box.maxY === height);
  const legend = cards.find(({ texts }) => texts[0]?.role === 'legend-title');
  const bottom = sources?.box.minY ?? height;
  const request = {
    bounds: view.bounds,
    padding: view.paddingPx,
    edges,
    minZoom: minLabelZoom(style),
    width,
    height,
    room: { minX: GAP_PX, minY: GAP_PX, maxX: width - GAP_PX, maxY: bottom - GAP_PX },
    taken: cards
      .filter((card) => card !== legend)
      .map((card) => growRect(reservedFor(card, width), GAP_PX - 1)),
    legend: legend === undefined ? null : { ...sizeOf(legend.box), gapPx: gapOf(legend, width) },
    keyEntryPx: KEY_ENTRY_PX,
  };
  const codes = zips.map(({ zip }) => zip).join();
  return layout.once(`insets ${nameOf([codes, territory, request])}`, () =>
    chooseInsets({ ...request, zips: boxes, keepFree }),
  );
}

/** The box that insets leave to a card. Headings get the same width, so that maps of other verticals look alike. */
function reservedFor({ box, flush, texts }: Card, width: number): RectPx {
  const isHeading = !flush && texts[0]?.role === 'title';
  return isHeading ? { ...box, maxX: Math.max(box.maxX, HEADING_SHARE * width) } : box;
}

/** The space between a card and the picture's nearer side */
const gapOf = ({ box }: Card, width: number) => Math.min(box.minX, width - box.maxX);

const sizeOf = ({ minX, minY, maxX, maxY }: RectPx) => ({
  width: maxX - minX,
  height: maxY - minY,
});

interface PaddedView extends FittedView {
  paddingPx: PaddingBySide;
}

const hasPadding = (view: MapView['view']): view is PaddedView =>
  'bounds' in view && typeof view.paddingPx === 'object';

const withPadding = (map: MapView, paddingPx: PaddingBySide): MapView => ({
  ...map,
  view: { bounds: (map.view as PaddedView).bounds, paddingPx },
});

/**
 * Returns the views with a strip beside the map for the key, unless the caller framed the map or it would lose
 * its labels.
 */
async function addKeyStrip(views: Views): Promise<Views> {
  const { context, map } = views;
  if (!hasPadding(map.view)) return views;
  const { paddingPx } = map.view;
  const right = paddingPx.right + KEY_STRIP * map.width;
  const narrow = withPadding(map, { ...paddingPx, right });
  const main = await loadView(context, narrow);
  return main.viewport.zoom < minLabelZoom(context.style) ? views : { ...views, map: narrow, main };
}

/** Returns the scenes with as many numbers as the key has room for. */
function composeWithKey(views: Views): IndexedMap {
  const all = compose(views, MAX_NUMBERS);
  if (isComplete(all)) return all;
  for (const share of KEY_SHARES.slice(1)) {
    const some = compose(views, Math.floor(share * all.numbered.length));
    if (isComplete(some)) return some;
  }
  return compose(views, 0);
}

/** Whether the key to all numbers is on the map */
const isComplete = ({ numbered, furniture }: ZipScene) =>
  numbered.length === 0 || furniture.cards.some(({ texts }) => texts[0]?.text === KEY_TITLE);

/** @param last the highest number to use. The scene may lack the key */
function compose(views: Views, last: number): IndexedMap {
  const { context, map, main, insets } = views;
  const around: MapFurniture = {
    ...map.furniture,
    insets: insets.map(({ frame }) => frame),
    enlarged: outlinesOfInsets(main, insets),
  };
  // The first numbers are for ZIP codes in insets that the map doesn't label, the next for the rest of the map.
  const labeled = insets.length === 0 ? [] : labeledZips(main.compose(around));
  const inInsets = new Set<string>();
  const scenes: PanelScene[] = [];
  const numbered: string[] = [];
  const numbering = (except: ReadonlySet<string>): Numbering => {
    return { first: numbered.length + 1, last, except };
  };
  for (const { view, caption, frame } of insets) {
    const pieces = {
      ...(caption !== null && { caption }),
      enlarged: outlinesOfInsets(view, insets),
    };
    const inset = view.compose(pieces, numbering(new Set([...labeled, ...inInsets])));
    for (const zip of labeledZips(inset)) inInsets.add(zip);
    numbered.push(...inset.numbered);
    scenes.push({ frame, scene: inset.scene });
  }
  const composeMain = (furniture: MapFurniture): IndexedMap => {
    const built = main.compose(furniture, numbering(inInsets));
    return {
      ...built,
      numbered: [...numbered, ...built.numbered],
      unlabeled: built.unlabeled.filter((zip) => !inInsets.has(zip)),
      insets: scenes,
    };
  };
  let built = composeMain(around);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = composeMain({ ...around, ...keyTo(context, built) });
    if (isSame(next, built)) return next;
    built = next;
  }
  // The key on this map lists the numbers of the round before.
  return last === 0 ? built : compose(views, 0);
}

const labeledZips = ({ scene }: ZipScene): string[] =>
  (scene.sources['zip-labels'] as readonly Feature[]).map(
    ({ properties }) => properties!.zip as string,
  );

/** Returns the outlines of the parts of a map that insets show enlarged. */
function outlinesOfInsets({ viewport }: LoadedView, insets: Views['insets']): RectPx[] {
  const picture = { minX: 0, minY: 0, maxX: viewport.widthPx, maxY: viewport.heightPx };
  return insets
    .filter(({ view }) => view.viewport.zoom > viewport.zoom)
    .map(({ view }) => {
      const box = viewport.rect(view.viewport.bbox(0));
      const missing = MIN_OUTLINE_PX - Math.min(box.maxX - box.minX, box.maxY - box.minY);
      return growRect(box, Math.max(0, missing / 2));
    })
    .filter((box) => rectContains(picture, box));
}

/** The key to the numbers */
function keyTo(
  { colors, zipLabels }: MapContext,
  { numbered }: Pick<ZipScene, 'numbered'>,
): Pick<MapFurniture, 'key'> {
  const entries = numbered.map((zip, i) => {
    const color = colors.get(zip)!;
    const score = zipLabels !== 'zip' && 'score' in color ? color.score : null;
    return { number: i + 1, text: score === null ? zip : `${zip} (${Math.round(score)})` };
  });
  if (entries.length === 0) return {};
  const key: NumberKey = { title: KEY_TITLE, entries };
  return { key };
}

const isSame = (a: ZipScene, b: ZipScene) =>
  a.unlabeled.length === b.unlabeled.length && a.numbered.join() === b.numbered.join();
