/**
 * Which labels show, and where. Pure: layers and their tiles in, placed labels out. As in MapLibre
 * the upper layers choose first, within a layer the lower sort keys, else the western tiles.
 */
import { rectContains, type RectPx } from '../../../spatial/flat.ts';
import { propertiesAt, tileZoomOf, type ReadProperty } from '../values.ts';
import {
  boundsOf,
  CollisionGrid,
  type Obstacle,
  type Overlap,
  type OverlapRules,
} from './collision.ts';
import { drawingOrder, type LabelGroup } from './draw-order.ts';
import type { FaceOf } from './label.ts';
import { wishesOf, type SymbolLayer, type Wish } from './layout.ts';
import { sitesOf, type Site } from './site.ts';
import { spanAlongLine } from './span.ts';

/** How far beyond the picture's edge labels still take room from one another. */
const MARGIN_PX = 100;

export interface PlacementOptions {
  /** The picture's rectangle */
  picture: RectPx;
  /** Boxes that no label may meet */
  reserved: readonly RectPx[];
  faceOf: FaceOf;
  /** Whether to leave out labels that the picture's edge would cut */
  keepWhole: boolean;
}

/** The labels of each layer as they are to be drawn, in the order of the layers. */
export function placeLabels(
  layers: readonly SymbolLayer[],
  options: PlacementOptions,
): LabelGroup[][] {
  const taken = new CollisionGrid();
  for (const box of options.reserved) taken.add(box, 'never');
  return layers
    .toReversed()
    .map((layer) => placeLayer(layer, taken, options))
    .toReversed();
}

function placeLayer(
  layer: SymbolLayer,
  taken: CollisionGrid,
  options: PlacementOptions,
): LabelGroup[] {
  const read = propertiesAt(layer.compiled, tileZoomOf(layer.zoom));
  const rules = overlapRules(read);
  const translate = propertiesAt(layer.compiled, layer.zoom)<[number, number]>('text-translate')();
  const keepUpright = read<boolean>('text-keep-upright')();
  const followsLine = read<string>('text-rotation-alignment')() !== 'viewport-glyph';
  const placed = inChoosingOrder(read, wishesOf(layer, options.faceOf)).flatMap((wish) => {
    const sites =
      wish.along === null
        ? sitesOf(wish, translate, rules)
        : spanAlongLine(wish, wish.along, translate, {
            ...rules,
            keepUpright,
            followsLine,
            bounds: grow(options.picture),
          });
    const site = firstFree(sites, rules, taken, options);
    const runs = site?.runs() ?? [];
    if (site === null || runs.length === 0) return [];
    return [{ wish, label: { ...wish.text.label, runs, box: enclosing(site.obstacles) } }];
  });
  return drawingOrder(layer, placed, rules);
}

function overlapRules(read: ReadProperty): OverlapRules {
  const overlap = read<Overlap | undefined>('text-overlap')();
  return {
    paddingPx: read<number>('text-padding')(),
    overlap: overlap ?? (read<boolean>('text-allow-overlap')() ? 'always' : 'never'),
    takesRoom: !read<boolean>('text-ignore-placement')(),
  };
}

/** Wishes come tile by tile and in the order of their features or sort keys. */
function inChoosingOrder(read: ReadProperty, wishes: readonly Wish[]): readonly Wish[] {
  if (read<string>('symbol-z-order')() === 'viewport-y') {
    // Of those in one tile the nearer to the viewer first.
    return wishes.toSorted(
      (a, b) =>
        a.frame.x - b.frame.x ||
        a.frame.y - b.frame.y ||
        b.anchor.y - a.anchor.y ||
        a.ordinal - b.ordinal,
    );
  }
  return wishes.toSorted((a, b) => a.sortKey - b.sortKey);
}

/** Takes the first site that is free, or that may overlap where none is. */
function firstFree(
  sites: readonly Site[],
  { overlap, takesRoom }: OverlapRules,
  taken: CollisionGrid,
  { picture, keepWhole }: PlacementOptions,
): Site | null {
  const inReach = sites.filter(({ obstacles, inked }) =>
    keepWhole
      ? inked.every((box) => rectContains(picture, boundsOf(box)))
      : obstacles.some((obstacle) => isWithinMargin(obstacle, picture)),
  );
  // A label with a choice avoids the others first even where it might overlap them.
  const rules: Overlap[] = sites.length > 1 && overlap !== 'never' ? ['never', overlap] : [overlap];
  for (const rule of rules) {
    for (const site of inReach) {
      if (!site.obstacles.every((obstacle) => taken.isFree(obstacle, rule))) continue;
      if (takesRoom) for (const obstacle of site.obstacles) taken.add(obstacle, overlap);
      return site;
    }
  }
  return null;
}

function isWithinMargin(obstacle: Obstacle, picture: RectPx): boolean {
  const box = boundsOf(obstacle);
  const reach = grow(picture);
  return (
    box.maxX >= reach.minX &&
    box.minX < reach.maxX &&
    box.maxY >= reach.minY &&
    box.minY < reach.maxY
  );
}

function grow({ minX, minY, maxX, maxY }: RectPx): RectPx {
  return {
    minX: minX - MARGIN_PX,
    minY: minY - MARGIN_PX,
    maxX: maxX + MARGIN_PX,
    maxY: maxY + MARGIN_PX,
  };
}

function enclosing(obstacles: readonly Obstacle[]): RectPx {
  const boxes = obstacles.map(boundsOf);
  return {
    minX: Math.min(...boxes.map(({ minX }) => minX)),
    minY: Math.min(...boxes.map(({ minY }) => minY)),
    maxX: Math.max(...boxes.map(({ maxX }) => maxX)),
    maxY: Math.max(...boxes.map(({ maxY }) => maxY)),
  };
}
