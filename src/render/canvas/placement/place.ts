/**
 * Decides which symbols are shown, and where. Pure. As in MapLibre, upper layers are placed first;
 * within a layer, lower sort keys first, then western tiles.
 */
import { growRect, rectContains, type RectPx, type Point } from '../../../base/spatial/flat.ts';
import type { View3 } from '../../../base/spatial/view.ts';
import { iconBoxes, iconPosition } from './icon-position.ts';
import { boundsOf, CollisionGrid, type Obstacle, type Overlap } from './collision.ts';
import { compareDown, groupInDrawOrder, type LabelGroup, type PlacedSymbol } from './draw-order.ts';
import { inWritingModes, type FeatureText } from '../text/feature-text.ts';
import type { SymbolsOf, UnplacedSymbol } from './layout.ts';
import { lineCandidates } from './line-candidates.ts';
import { pointCandidates, type Candidate } from './point-candidates.ts';
import { SymbolPositions } from '../symbol/stance.ts';
import { symbolRules, type SymbolRules } from './symbol-rules.ts';
import type { SymbolLayer } from '../symbol/label-tiles.ts';

/** Symbols up to this far outside the picture still block each other. */
const MARGIN_PX = 100;

interface PlacementOptions {
  view: View3;
  symbolsOf: SymbolsOf;
  /** Bounds of the picture */
  picture: RectPx;
  /** Boxes that no symbol may overlap */
  reserved: readonly RectPx[];
  /** Whether to omit symbols that the picture's edge would cut */
  keepWhole: boolean;
}

/**
 * Returns the placed symbols of each layer in drawing order. Layers that differ only in paint properties
 * are placed once, with the lowest of them, and each is drawn in its own colors.
 *
 * @param grid receives the occupied areas
 */
export function placeLabels(
  layers: readonly SymbolLayer[],
  options: PlacementOptions,
  grid = new CollisionGrid(),
): LabelGroup[][] {
  for (const box of options.reserved) grid.add(box, 'never');
  const lowestOf = ({ compiled: { layoutKey } }: SymbolLayer) =>
    layers.find(({ compiled }) => compiled.layoutKey === layoutKey)!;
  const placed = new Map<SymbolLayer, PlacedSymbol[]>();
  for (const layer of layers.toReversed()) {
    if (lowestOf(layer) === layer) placed.set(layer, new Placement(layer, grid, options).place());
  }
  return layers.map((layer) => {
    const lowest = lowestOf(layer);
    return groupInDrawOrder(layer, placed.get(lowest)!, lowest, options.view);
  });
}

/** The placement of a layer's symbols. */
class Placement {
  private readonly layer: SymbolLayer;
  private readonly grid: CollisionGrid;
  private readonly options: PlacementOptions;
  private readonly reach: RectPx;
  private readonly rules: SymbolRules;
  private readonly places: SymbolPositions;

  constructor(layer: SymbolLayer, grid: CollisionGrid, options: PlacementOptions) {
    this.layer = layer;
    this.grid = grid;
    this.options = options;
    this.reach = growRect(options.picture, MARGIN_PX);
    this.rules = symbolRules(layer, options.view);
    this.places = new SymbolPositions(options.view);
  }

  place(): PlacedSymbol[] {
    const { rules, options } = this;
    const symbols = options.symbolsOf(this.layer);
    const placed: PlacedSymbol[] = [];
    for (const symbol of byPriority(rules, options.view, symbols)) {
      const position = this.placeSymbol(symbol);
      if (position !== null) placed.push(position);
    }
    return placed;
  }

  /** Places text and icon together, or one of them if the other is optional. */
  private placeSymbol(unplaced: UnplacedSymbol): PlacedSymbol | null {
    const { grid, rules, places } = this;
    const { symbol, candidate } = this.chooseMode(unplaced);
    const { text, icon } = symbol;
    let chosen = candidate;
    const shift = icon?.isFitted ? (chosen?.shift ?? null) : null;
    const boxes =
      icon === null ? null : iconBoxes(icon, symbol, rules.icon, shift?.box ?? null, places);
    let hasIcon =
      boxes !== null &&
      this.isReachable([boxes.box], [boxes.unpadded]) &&
      grid.isFree(boxes.box, rules.icon.overlap);

    const needsText = text !== null && !rules.text.isOptional;
    const needsIcon = icon !== null && !rules.icon.isOptional;
    if (needsIcon && !hasIcon) chosen = null;
    if (needsText && chosen === null) hasIcon = false;
    if (chosen !== null && rules.text.blocksOthers) {
      for (const obstacle of chosen.obstacles) grid.add(obstacle, rules.text.overlap);
    }
    if (boxes !== null && hasIcon && rules.icon.blocksOthers) {
      grid.add(boxes.box, rules.icon.overlap);
    }

    const runs = chosen?.runs() ?? [];
    const isMoved = icon?.isFitted === true && text !== null && text.positions !== null;
    const position =
      icon === null || !hasIcon || (isMoved && shift === null)
        ? null
        : iconPosition(icon, symbol, rules.icon, shift?.drawn ?? null, places);
    if (runs.length === 0 && position === null) return null;
    return {
      symbol,
      label:
        runs.length === 0
          ? null
          : { runs, box: boundsOfAll(chosen!.obstacles), scale: chosen!.scale },
      icon: position,
    };
  }

  /** Tries the writing modes of the text in order. A fitted icon follows the text. */
  private chooseMode(unplaced: UnplacedSymbol): {
    symbol: UnplacedSymbol;
    candidate: Candidate | null;
  } {
    const { text, icon } = unplaced;
    for (const mode of text === null ? [] : inWritingModes(text)) {
      const vertical = mode === text ? null : (icon?.vertical ?? null);
      const symbol = vertical === null ? unplaced : { ...unplaced, icon: vertical };
      const candidate = this.chooseCandidate(symbol, this.candidatesOf(mode, symbol));
      if (candidate !== null) return { symbol, candidate };
    }
    return { symbol: unplaced, candidate: null };
  }

  private candidatesOf(text: FeatureText, symbol: UnplacedSymbol): Candidate[] {
    const { line } = symbol;
    const { rules, places, reach } = this;
    if (line === null || !text.isAlong) return pointCandidates(text, symbol, rules.text, places);
    return lineCandidates(text, symbol, line, { ...rules.text, bounds: reach }, places);
  }

  /** Chooses the first free candidate, or else the first that may overlap. */
  private chooseCandidate(
    symbol: UnplacedSymbol,
    candidates: readonly Candidate[],
  ): Candidate | null {
    const { overlap } = this.rules.text;
    // A label with several candidates first tries to avoid other labels, even if it may overlap them.
    if (candidates.length > 1 && overlap !== 'never') {
      const free = this.firstFree(symbol, candidates, 'never');
      if (free !== null) return free;
    }
    return this.firstFree(symbol, candidates, overlap);
  }

  private firstFree(
    symbol: UnplacedSymbol,
    candidates: readonly Candidate[],
    rule: Overlap,
  ): Candidate | null {
    for (const candidate of candidates) {
      const { obstacles, unpadded, shift } = candidate;
      if (!this.isReachable(obstacles, unpadded)) continue;
      if (!this.areFree(obstacles, rule)) continue;
      if (shift === null || this.isIconFree(symbol, shift.box, rule)) return candidate;
    }
    return null;
  }

  private areFree(obstacles: readonly Obstacle[], rule: Overlap): boolean {
    for (const obstacle of obstacles) if (!this.grid.isFree(obstacle, rule)) return false;
    return true;
  }

  /** Whether a fitted icon that moves with its text avoids others. */
  private isIconFree(symbol: UnplacedSymbol, shift: Point, rule: Overlap): boolean {
    const { icon } = symbol;
    const { rules, places, reach, grid } = this;
    if (!icon?.isFitted || rules.icon.overlap !== 'never') return true;
    const boxes = iconBoxes(icon, symbol, rules.icon, shift, places);
    return boxes !== null && isWithin(boxes.box, reach) && grid.isFree(boxes.box, rule);
  }

  /** Whether a symbol is close enough to the picture, or inside it if it must be whole. */
  private isReachable(obstacles: readonly Obstacle[], unpadded: readonly Obstacle[]): boolean {
    const { picture, keepWhole } = this.options;
    if (keepWhole) {
      for (const box of unpadded) if (!rectContains(picture, boundsOf(box))) return false;
      return true;
    }
    for (const obstacle of obstacles) if (isWithin(boundsOf(obstacle), this.reach)) return true;
    return false;
  }
}

/** Sorts symbols by placement priority; equal ones keep the order of their tiles and features. */
function byPriority(
  { zOrder }: SymbolRules,
  view: View3,
  symbols: readonly UnplacedSymbol[],
): readonly UnplacedSymbol[] {
  if (zOrder === 'viewport-y') {
    // Within a tile, symbols closer to the viewer come first.
    return symbols.toSorted(
      (a, b) => a.frame.x - b.frame.x || a.frame.y - b.frame.y || -compareDown(a, b, view),
    );
  }
  return symbols.toSorted((a, b) => a.sortKey - b.sortKey);
}

function isWithin(box: RectPx, reach: RectPx): boolean {
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
