/**
 * Identifies ZIP codes that are too small for a label. They get numbers and a key next to the map if there
 * is room. Otherwise, the map states how many have no label.
 */
import type { MapFurniture, NumberKey } from '../render/furniture/furniture.ts';
import { formatCount } from '../words.ts';
import {
  loadView,
  type LoadedView,
  type MapContext,
  type MapView,
  type ZipScene,
} from './zip-scene.ts';

const KEY_TITLE = 'Small ZIP codes';
/** A smaller picture has no room for a key. */
const MIN_PICTURE_PX = { width: 800, height: 500 };
/** A longer list wouldn't help. */
const MAX_NUMBERS = 150;
/** Share of the width that the key takes from a map without a free corner: two columns */
const KEY_STRIP = 0.14;
/** A key and a note change the room for labels. The layout usually settles in the first round. */
const MAX_ROUNDS = 4;
/** A smaller picture shows too little to mention missing labels. */
const MIN_NOTE_WIDTH_PX = 500;

/** Builds the scene of a single map with its numbers, key, or note. */
export async function indexedScene(context: MapContext, map: MapView): Promise<ZipScene> {
  const view = await loadView(context, map);
  if (context.zipLabels === 'none' || map.zips.length < 2)
    return view.compose(map.furniture, false);
  const isLarge = map.width >= MIN_PICTURE_PX.width && map.height >= MIN_PICTURE_PX.height;
  const numbered = isLarge ? await numberedScene(context, map, view) : null;
  if (numbered !== null) return numbered;
  const plain = await view.compose(map.furniture, false);
  if (plain.unlabeled.length === 0) return plain;
  return (await settle(context, map, view, plain, false)) ?? plain;
}

/**
 * Returns the scene with a key in a free corner, or in a strip taken from the map. Returns null without
 * room
 */
async function numberedScene(context: MapContext, map: MapView, view: LoadedView) {
  const first = await view.compose(map.furniture, true);
  if (first.numbered.length === 0) return null;
  const built = await settle(context, map, view, first, true);
  const narrow = built === null ? withStrip(map) : null;
  if (narrow === null) return built;
  const narrowView = await loadView(context, narrow);
  const again = await narrowView.compose(map.furniture, true);
  return settle(context, narrow, narrowView, again, true);
}

async function settle(
  context: MapContext,
  map: MapView,
  view: LoadedView,
  first: ZipScene,
  numbers: boolean,
): Promise<ZipScene | null> {
  let built = first;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (numbers && built.numbered.length > MAX_NUMBERS) return null;
    const next = await view.compose(describe(context, map, built), numbers);
    if (numbers && !showsKey(next)) return null;
    if (isSame(next, built)) return next;
    built = next;
  }
  return null;
}

/** Returns null if the caller chose the camera */
function withStrip(map: MapView): MapView | null {
  if (!('bounds' in map.view) || typeof map.view.paddingPx !== 'object') return null;
  const { paddingPx } = map.view;
  const right = paddingPx.right + KEY_STRIP * map.width;
  return { ...map, view: { ...map.view, paddingPx: { ...paddingPx, right } } };
}

/** Adds the key to a scene's numbers, and a note on the ZIP codes without a number. */
function describe({ colors, zipLabels }: MapContext, map: MapView, built: ZipScene): MapFurniture {
  const { numbered, unlabeled } = built;
  const entries = numbered.map((zip, i) => {
    const color = colors.get(zip)!;
    const score = zipLabels !== 'zip' && 'score' in color ? color.score : null;
    return { number: i + 1, text: score === null ? zip : `${zip} (${Math.round(score)})` };
  });
  const key: NumberKey | null = entries.length === 0 ? null : { title: KEY_TITLE, entries };
  const note =
    unlabeled.length === 0 || map.width < MIN_NOTE_WIDTH_PX
      ? null
      : `${formatCount(unlabeled.length)} of ${formatCount(map.zips.length)} ZIP codes have no label`;
  return { ...map.furniture, ...(key && { key }), ...(note && { note }) };
}

const showsKey = ({ furniture }: ZipScene) =>
  furniture.cards.some(({ texts }) => texts[0]?.text === KEY_TITLE);

const isSame = (a: ZipScene, b: ZipScene) =>
  a.unlabeled.length === b.unlabeled.length && a.numbered.join() === b.numbered.join();
