/**
 * Decides which labels are shown, and where. Pure. As in MapLibre, upper layers are placed first;
 * within a layer, lower sort keys first, then western tiles.
 */
import { growRect, rectContains, type RectPx } from '../../../spatial/flat.ts';
import type { ReadProperty } from '../property-values.ts';
import {
  boundsOf,
  CollisionGrid,
  type Obstacle,
  type Overlap,
  type OverlapRules,
} from './collision.ts';
import { groupInDrawOrder, type LabelGroup } from './draw-order.ts';
import type { FaceOf } from './label.ts';
import { layOutLabels } from './layout.ts';
import { pointCandidates, type Candidate } from './point-candidates.ts';
import { lineCandidates } from './line-candidates.ts';
import type { SymbolLayer, UnplacedSymbol } from './symbol.ts';

/** Labels up to this far outside the picture still block each other. */
const MARGIN_PX = 100;

export interface PlacementOptions {
  /** Bounds of the picture */
  picture: RectPx;
  /** Boxes that no label may overlap */
  reserved: readonly RectPx[];
  faceOf: FaceOf;
  /** Whether to omit labels that the picture's edge would cut */
  keepWhole: boolean;
}

/** Returns the placed labels of each layer in drawing order. */
export function placeLabels(
  layers: readonly SymbolLayer[],
  options: PlacementOptions,
): LabelGroup[][] {
  const grid = new CollisionGrid();
  for (const box of options.reserved) grid.add(box, 'never');
  return layers
    .toReversed()
    .map((layer) => placeLayer(layer, grid, options))
    .toReversed();
}

function placeLayer(
  layer: SymbolLayer,
  grid: CollisionGrid,
  options: PlacementOptions,
): LabelGroup[] {
  const read = layer.readLayout;
  const rules = overlapRules(read);
  const translate = layer.read<[number, number]>('text-translate')();
  const keepUpright = read<boolean>('text-keep-upright')();
  const followsLine = read<string>('text-rotation-alignment')() !== 'viewport-glyph';
  const placed = byPriority(read, layOutLabels(layer, options.faceOf)).flatMap((unplaced) => {
    const candidates =
      unplaced.line === null
        ? pointCandidates(unplaced, translate, rules)
        : lineCandidates(unplaced, unplaced.line, translate, {
            ...rules,
            keepUpright,
            followsLine,
            bounds: growRect(options.picture, MARGIN_PX),
          });
    const chosen = chooseCandidate(candidates, rules, grid, options);
    const runs = chosen?.runs() ?? [];
    if (chosen === null || runs.length === 0) return [];
    return [
      { unplaced, label: { ...unplaced.text.label, runs, box: boundsOfAll(chosen.obstacles) } },
    ];
  });
  return groupInDrawOrder(layer, placed, rules);
}

function overlapRules(read: ReadProperty): OverlapRules {
  const overlap = read<Overlap | undefined>('text-overlap')();
  return {
    paddingPx: read<number>('text-padding')(),
    overlap: overlap ?? (read<boolean>('text-allow-overlap')() ? 'always' : 'never'),
    blocksOthers: !read<boolean>('text-ignore-placement')(),
  };
}

/** Sorts labels by placement priority; equal ones keep the order of their tiles and features. */
function byPriority(
  read: ReadProperty,
  labels: readonly UnplacedSymbol[],
): readonly UnplacedSymbol[] {
  if (read<string>('symbol-z-order')() === 'viewport-y') {
    // Within a tile, labels closer to the viewer come first.
    return labels.toSorted(
      (a, b) =>
        a.frame.x - b.frame.x ||
        a.frame.y - b.frame.y ||
        b.anchor.y - a.anchor.y ||
        a.ordinal - b.ordinal,
    );
  }
  return labels.toSorted((a, b) => a.sortKey - b.sortKey);
}

/** Chooses the first free candidate, or else the first that may overlap, and marks its area as taken. */
function chooseCandidate(
  candidates: readonly Candidate[],
  { overlap, blocksOthers }: OverlapRules,
  grid: CollisionGrid,
  { picture, keepWhole }: PlacementOptions,
): Candidate | null {
  const reachable = candidates.filter(({ obstacles, unpadded }) =>
    keepWhole
      ? unpadded.every((box) => rectContains(picture, boundsOf(box)))
      : obstacles.some((obstacle) => isWithinMargin(obstacle, picture)),
  );
  // A label with several candidates first tries to avoid others even if it may overlap them.
  const rules: Overlap[] =
    candidates.length > 1 && overlap !== 'never' ? ['never', overlap] : [overlap];
  for (const rule of rules) {
    for (const candidate of reachable) {
      if (!candidate.obstacles.every((obstacle) => grid.isFree(obstacle, rule))) continue;
      if (blocksOthers) for (const obstacle of candidate.obstacles) grid.add(obstacle, overlap);
      return candidate;
    }
  }
  return null;
}

function isWithinMargin(obstacle: Obstacle, picture: RectPx): boolean {
  const box = boundsOf(obstacle);
  const reach = growRect(picture, MARGIN_PX);
  return (
    box.maxX >= reach.minX &&
    box.minX < reach.maxX &&
    box.maxY >= reach.minY &&
    box.minY < reach.maxY
  );
}

function boundsOfAll(obstacles: readonly Obstacle[]): RectPx {
  const boxes = obstacles.map(boundsOf);
  return {
    minX: Math.min(...boxes.map(({ minX }) => minX)),
    minY: Math.min(...boxes.map(({ minY }) => minY)),
    maxX: Math.max(...boxes.map(({ maxX }) => maxX)),
    maxY: Math.max(...boxes.map(({ maxY }) => maxY)),
  };
}
