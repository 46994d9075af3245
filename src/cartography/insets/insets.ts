/**
 * Chooses insets: enlarged maps of the densest parts of a territory, in a picture's free space or in space
 * taken from the map.
 *
 * 1. Try one or two boxes of several sizes at each side of the picture, which the map leaves free or moves
 *    aside for. Each box shows the part of the map where it adds the most labels and numbers.
 * 2. Add insets to the best of these in the space that is left, while that helps.
 *
 * Boxes of ZIP codes are enough to estimate which labels fit at a scale. The best layout lets the most ZIP codes
 * have a label or a number in the key. A map that gets smaller loses points.
 */
import { letOthersRun } from '../../contract/let-others-run.ts';
import type { RectPx } from '../../spatial/flat.ts';
import { MAX_INSETS, framesAtSides, framesInFreeSpace } from './frames.ts';
import { NUMBER_VALUE, sum, worldBox } from './labels.ts';
import { freeSpace, hasRoom, placeMap, type PlacedMap } from './maps.ts';
import type { Inset, InsetLayout, InsetRequest } from './request.ts';
import { densestInset, type FoundInset } from './windows.ts';

/** Number of layouts to which more insets are added */
const MAX_FILLED = 4;
/** Labels that an inset must add: a fixed count, and a share of the ZIP codes */
const MIN_ADDED = { count: 5, share: 0.02 };
/** Labels that are worth one zoom level of the map, as a share of the ZIP codes */
const LEVEL_VALUE = 0.2;
/** Space around the entries of the key, CSS pixels. The title is above them */
const KEY_MARGIN_PX = { x: 28, y: 56 };
/** Thousands of ZIP codes have thousands of possible frames. Other requests run between slices of this length. */
const SLICE_MS = 8;
/** A narrower or lower rectangle has no room for a key. */
const KEY_MIN_PX = 70;

/** A map with insets */
interface Layout {
  map: PlacedMap;
  frames: readonly RectPx[];
  insets: readonly Inset[];
  /** Values of the labels of its ZIP codes, on the map or in an inset */
  values: readonly number[];
  score: number;
}

/** Returns null for a map that insets would not improve. Other tasks run in between. */
export async function chooseInsets(request: InsetRequest): Promise<InsetLayout | null> {
  let sliceEnd = performance.now() + SLICE_MS;
  const pause = async () => {
    if (performance.now() < sliceEnd) return;
    await letOthersRun();
    sliceEnd = performance.now() + SLICE_MS;
  };
  const boxes = request.zips.map(worldBox);
  const keepFree = request.keepFree.map(worldBox);
  const minAdded = Math.max(MIN_ADDED.count, MIN_ADDED.share * boxes.length);
  const map = placeMap(boxes, keepFree, request.padding, request);
  // Most maps have room for nearly all labels.
  if (boxes.length - sum(map.values) < minAdded) return null;
  const plain = emptyLayout(map);
  plain.score = sum(map.values) - lostNumbers(plain, request);

  /**
   * Returns the layout with more insets, or null if its score is at most `least`.
   *
   * @param known the first inset of the layout for each size of its frame
   */
  const withInsets = (
    layout: Layout,
    frames: readonly RectPx[],
    least: number,
    known = new Map<string, FoundInset | null>(),
  ): Layout | null => {
    const { camera } = layout.map;
    const all = [...layout.frames, ...frames];
    const lost = LEVEL_VALUE * boxes.length * (map.camera.zoom - camera.zoom);
    const price = lost + minAdded * all.length;
    if (boxes.length - price <= least) return null;
    let { values } = layout;
    const insets = [...layout.insets];
    for (const [i, frame] of frames.entries()) {
      const size = { width: frame.maxX - frame.minX, height: frame.maxY - frame.minY };
      const key = `${size.width} ${size.height}`;
      let found = i === 0 ? known.get(key) : undefined;
      if (found === undefined) {
        found = densestInset(size, boxes, values, camera.zoom);
        if (i === 0) known.set(key, found);
      }
      if (found === null) return null;
      values = found.values;
      insets.push({ frame, camera: found.camera });
    }
    if (sum(values) - price <= least) return null;
    const next = { map: layout.map, frames: all, insets, values, score: 0 };
    const score = sum(values) - price - lostNumbers(next, request);
    return score <= least ? null : { ...next, score };
  };
  const fill = async (layout: Layout): Promise<Layout> => {
    if (layout.frames.length >= MAX_INSETS) return layout;
    let best = layout;
    // Most frames have the size of another.
    const known = new Map<string, FoundInset | null>();
    for (const frame of framesInFreeSpace(layout.map, layout.frames, request)) {
      await pause();
      best = withInsets(layout, [frame], best.score, known) ?? best;
    }
    return best === layout ? layout : fill(best);
  };

  // The best layouts, best first
  const layouts = [plain];
  for (const { frames, maps } of framesAtSides(boxes, keepFree, request)) {
    await pause();
    const moved = maps.find((each) => hasRoom(each, frames));
    const least = layouts.length < MAX_FILLED ? plain.score : layouts.at(-1)!.score;
    const layout = moved && withInsets(emptyLayout(moved), frames, least);
    if (!layout) continue;
    layouts.push(layout);
    layouts.sort((a, b) => b.score - a.score).splice(MAX_FILLED);
  }
  const filled: Layout[] = [];
  for (const layout of layouts) filled.push(await fill(layout));
  const best = filled.reduce((a, b) => (b.score > a.score ? b : a));
  return best.insets.length === 0 ? null : { padding: best.map.padding, insets: best.insets };
}

const emptyLayout = (map: PlacedMap): Layout => ({
  ...{ map, values: map.values, frames: [], insets: [], score: 0 },
});

/** The value of the numbers for which the key has no room. */
function lostNumbers({ map, frames, values }: Layout, request: InsetRequest): number {
  const numbers = values.filter((value) => value === NUMBER_VALUE).length;
  if (numbers === 0) return 0;
  const entries = freeSpace(map, frames, request, KEY_MIN_PX).map(({ minX, minY, maxX, maxY }) => {
    const [width, height] = [maxX - minX - KEY_MARGIN_PX.x, maxY - minY - KEY_MARGIN_PX.y];
    return (width * height) / request.keyEntryPx;
  });
  return NUMBER_VALUE * Math.max(0, numbers - Math.max(0, ...entries));
}
