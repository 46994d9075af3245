/**
 * What a map says about ZIP codes that are too small for a label: numbers on the map with a key beside it
 * where there is room, and otherwise how many they are.
 */
import type { MapFurniture, NumberKey } from '../render/furniture/furniture.ts';
import { formatCount } from '../words.ts';
import { loadView, type MapContext, type MapView, type ZipScene } from './zip-scene.ts';

const KEY_TITLE = 'Small ZIP codes';
/** A smaller picture has no room for a key. */
const MIN_PICTURE_PX = { width: 800, height: 500 };
/** A longer list is no help. */
const MAX_NUMBERS = 150;
/** Numbers must identify at least this share of the ZIP codes without a label. */
const MIN_IDENTIFIED = 0.5;
/** A key and a note change the room for labels. They usually settle the first time. */
const MAX_ROUNDS = 4;
/** A smaller picture shows too little to state what is missing. */
const MIN_NOTE_WIDTH_PX = 500;

/** Builds the scene of a single map with its numbers, key, or note. */
export async function indexedScene(context: MapContext, map: MapView): Promise<ZipScene> {
  const view = await loadView(context, map);
  if (context.zipLabels === 'none' || map.zips.length < 2)
    return view.compose(map.furniture, false);
  const settle = async (numbers: boolean, first: ZipScene) => {
    let built = first;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      if (numbers && !isWorthIt(built)) return null;
      const next = await view.compose(describe(context, map, built), numbers);
      if (numbers && !showsKey(next)) return null;
      if (isSame(next, built)) return next;
      built = next;
    }
    return null;
  };
  const isLarge = map.width >= MIN_PICTURE_PX.width && map.height >= MIN_PICTURE_PX.height;
  const numbered = isLarge ? await settle(true, await view.compose(map.furniture, true)) : null;
  if (numbered !== null) return numbered;
  const plain = await view.compose(map.furniture, false);
  return plain.unlabeled.length === 0 ? plain : ((await settle(false, plain)) ?? plain);
}

/** Adds the key of a scene's numbers, and a note on the ZIP codes without any. */
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

/** Whether numbers identify most of the ZIP codes without a label. */
function isWorthIt({ numbered, unlabeled }: ZipScene): boolean {
  const share = numbered.length / (numbered.length + unlabeled.length);
  return share >= MIN_IDENTIFIED && numbered.length <= MAX_NUMBERS;
}

const showsKey = ({ furniture }: ZipScene) =>
  furniture.cards.some(({ texts }) => texts[0]?.text === KEY_TITLE);

const isSame = (a: ZipScene, b: ZipScene) =>
  a.unlabeled.length === b.unlabeled.length && a.numbered.join() === b.numbered.join();
