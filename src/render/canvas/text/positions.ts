/** Where a label may stand around its point, best first. Pure. */
import type { VariableAnchorOffsetCollection } from '@maplibre/maplibre-gl-style-spec';
import type { ReadProperty, StyleFeature } from '../values.ts';
import type { Anchor } from './shape.ts';

export interface Position {
  anchor: Anchor;
  offsetEm: readonly [number, number];
}

export function positionsOf(read: ReadProperty): (feature: StyleFeature) => Position[] {
  const pairs = read<VariableAnchorOffsetCollection | null>('text-variable-anchor-offset');
  const variable = read<Anchor[] | undefined>('text-variable-anchor')();
  const anchor = read<Anchor>('text-anchor');
  const offset = read<[number, number]>('text-offset');
  const radial = read<number>('text-radial-offset');
  return (feature) => {
    const paired = pairs(feature)?.values;
    if (paired !== undefined) return pairedPositions(paired);
    const distance = radial(feature);
    const anchors = variable ?? [anchor(feature)];
    return anchors.map((anchor) => {
      if (distance !== 0) return { anchor, offsetEm: radialOffset(anchor, distance) };
      const given = offset(feature);
      return { anchor, offsetEm: variable === undefined ? given : directedOffset(anchor, given) };
    });
  };
}

/** From a list of anchors, each followed by its offset. */
function pairedPositions(values: VariableAnchorOffsetCollection['values']): Position[] {
  const positions: Position[] = [];
  for (let i = 0; i < values.length; i += 2) {
    const anchor = values[i] as Anchor;
    positions.push({ anchor, offsetEm: givenOffset(anchor, values[i + 1] as [number, number]) });
  }
  return positions;
}

/** MapLibre's shift of lines, which it takes back from offsets above and below the anchor. */
const BASELINE_OFFSET_EM = 7 / 24;

/** An offset away from the anchor point by the same distance whatever the anchor. Ems. */
function radialOffset(anchor: Anchor, distanceEm: number): [number, number] {
  const distance = Math.max(0, distanceEm);
  const isCorner = anchor.includes('-');
  const reach = isCorner ? distance / Math.SQRT2 : distance;
  return directed(anchor, reach, reach);
}

/** A fixed offset, turned to point away from the anchor point. Ems. */
function directedOffset(anchor: Anchor, offsetEm: readonly [number, number]): [number, number] {
  return directed(anchor, Math.abs(offsetEm[0]), Math.abs(offsetEm[1]));
}

/** An offset as given, but for the shift of lines. */
function givenOffset(anchor: Anchor, [x, y]: readonly [number, number]): [number, number] {
  if (anchor.startsWith('top')) return [x, y - BASELINE_OFFSET_EM];
  if (anchor.startsWith('bottom')) return [x, y + BASELINE_OFFSET_EM];
  return [x, y];
}

function directed(anchor: Anchor, reachX: number, reachY: number): [number, number] {
  let x = 0;
  let y = 0;
  if (anchor.endsWith('left')) x = reachX;
  if (anchor.endsWith('right')) x = -reachX;
  if (anchor.startsWith('top')) y = reachY - BASELINE_OFFSET_EM;
  if (anchor.startsWith('bottom')) y = BASELINE_OFFSET_EM - reachY;
  return [x, y];
}
