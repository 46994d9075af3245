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
import type { RectPx } from '../../../base/spatial/flat.ts';
import { MAX_INSETS, framesAtSides, framesInFreeSpace } from './frames.ts';
import { NUMBER_VALUE } from './labels.ts';
import { Maps, type PlacedMap } from './maps.ts';
import type { Inset, InsetLayout, InsetRequest } from './request.ts';
import type { Labels } from './windows.ts';

/** Number of layouts to which more insets are added */
const MAX_FILLED = 4;
/** Labels that an inset must add: a fixed count, and a share of the ZIP codes */
const MIN_ADDED = { count: 5, share: 0.02 };
/** Labels that are worth one zoom level of the map, as a share of the ZIP codes */
const LEVEL_VALUE = 0.2;
/** Space around the entries of the key, CSS pixels. The title is above them */
const KEY_MARGIN_PX = { x: 28, y: 56 };

/** A map with insets */
interface Layout {
  map: PlacedMap;
  frames: readonly RectPx[];
  insets: readonly Inset[];
  /** Labels on the map or in an inset */
  labels: Labels;
  score: number;
}

/** Returns null for a map that insets would not improve. */
export function chooseInsets(request: InsetRequest): InsetLayout | null {
  const count = request.zips.length;
  const minAdded = Math.max(MIN_ADDED.count, MIN_ADDED.share * count);
  const maps = new Maps(request);
  const map = maps.place(request.padding);
  // Most maps have room for nearly all labels.
  if (count - map.labels.total < minAdded) return null;
  const plain = emptyLayout(map);
  plain.score = plain.labels.total - lostNumbers(plain, request);

  /** The labels that a layout must have to be worth its insets and a smaller map */
  const priceOf = ({ camera }: PlacedMap, insets: number) =>
    LEVEL_VALUE * count * (map.camera.zoom - camera.zoom) + minAdded * insets;
  /** Returns the layout with more insets, or null if its score is at most `least`. */
  const withInsets = (layout: Layout, frames: readonly RectPx[], least: number): Layout | null => {
    const all = [...layout.frames, ...frames];
    const price = priceOf(layout.map, all.length);
    if (count - price <= least) return null;
    let { labels } = layout;
    const insets = [...layout.insets];
    for (const frame of frames) {
      const size = { width: frame.maxX - frame.minX, height: frame.maxY - frame.minY };
      const found = labels.densestInset(size);
      if (found === null) return null;
      labels = found.labels;
      insets.push({ frame, camera: found.camera });
    }
    if (labels.total - price <= least || !layout.map.hasRoom(all)) return null;
    const next = { map: layout.map, frames: all, insets, labels, score: 0 };
    const score = labels.total - price - lostNumbers(next, request);
    return score <= least ? null : { ...next, score };
  };
  const fill = (layout: Layout): Layout => {
    if (layout.frames.length >= MAX_INSETS) return layout;
    let best = layout;
    for (const frame of framesInFreeSpace(layout.map, layout.frames, request)) {
      best = withInsets(layout, [frame], best.score) ?? best;
    }
    return best === layout ? layout : fill(best);
  };

  // The best layouts, best first
  const layouts = [plain];
  for (const { frames, maps: placed } of framesAtSides(maps)) {
    const least = layouts.length < MAX_FILLED ? plain.score : layouts.at(-1)!.score;
    const isWorthIt = (each: PlacedMap) => count - priceOf(each, frames.length) > least;
    const moved = placed.filter(isWorthIt).find((each) => each.hasRoom(frames));
    const layout = moved && withInsets(emptyLayout(moved), frames, least);
    if (!layout) continue;
    layouts.push(layout);
    layouts.sort((a, b) => b.score - a.score).splice(MAX_FILLED);
  }
  const best = layouts.map(fill).reduce((a, b) => (b.score > a.score ? b : a));
  return best.insets.length === 0 ? null : { padding: best.map.padding, insets: best.insets };
}

const emptyLayout = (map: PlacedMap): Layout => ({
  map,
  labels: map.labels,
  frames: [],
  insets: [],
  score: 0,
});

/** The value of the numbers for which the key has no room. */
function lostNumbers({ map, frames, labels }: Layout, { keyEntryPx }: InsetRequest): number {
  if (labels.numbers === 0) return 0;
  const entries = map.freeSpace(frames).map(({ minX, minY, maxX, maxY }) => {
    const [width, height] = [maxX - minX - KEY_MARGIN_PX.x, maxY - minY - KEY_MARGIN_PX.y];
    return (width * height) / keyEntryPx;
  });
  return NUMBER_VALUE * Math.max(0, labels.numbers - Math.max(0, ...entries));
}
