/** Label positions around a point, as offsets in 1/24 em. Pure. */
import type { VariableAnchorOffsetCollection } from '@maplibre/maplibre-gl-style-spec';
import type { ReadProperty } from '../style/property-values.ts';
import type { StyleFeature } from '../style/style-feature.ts';
import { UNITS_PER_EM } from './units.ts';
import type { Anchor } from './shape.ts';

export type Offset = readonly [x: number, y: number];

export interface Position {
  anchor: Anchor;
  offset: Offset;
}

/** Reads the position of a label that has only one. */
export function fixedPosition(read: ReadProperty): (feature: StyleFeature) => Position {
  const anchors = read<Anchor>('text-anchor');
  const offset = read<[number, number]>('text-offset');
  const radial = read<number>('text-radial-offset');
  return (feature) => {
    const anchor = anchors(feature);
    const distance = radial(feature);
    if (distance !== 0) return { anchor, offset: radialOffset(anchor, distance) };
    return { anchor, offset: toUnits(offset(feature)) };
  };
}

/**
 * Reads the possible positions of a label, best first; null for a label with a fixed position.
 *
 * @param isRadial whether the style sets a radial offset, even 0. It replaces the other offset.
 */
export function variablePositions(
  read: ReadProperty,
  isRadial: boolean,
): (feature: StyleFeature) => Position[] | null {
  const pairs = read<VariableAnchorOffsetCollection | null>('text-variable-anchor-offset');
  const anchors = read<Anchor[] | undefined>('text-variable-anchor')();
  const offset = read<[number, number]>('text-offset');
  const radial = read<number>('text-radial-offset');
  return (feature) => {
    const paired = pairs(feature)?.values;
    if (paired !== undefined) return pairedPositions(paired);
    if (anchors === undefined) return null;
    const distance = radial(feature);
    const fixedOffset = toUnits(offset(feature));
    return anchors.map((anchor) => ({
      anchor,
      offset: isRadial ? radialOffset(anchor, distance) : directedOffset(anchor, fixedOffset),
    }));
  };
}

/** Reads positions from a list that alternates anchors and offsets. */
function pairedPositions(values: VariableAnchorOffsetCollection['values']): Position[] {
  const positions: Position[] = [];
  for (let i = 0; i < values.length; i += 2) {
    const anchor = values[i] as Anchor;
    const [x, y] = toUnits(values[i + 1] as [number, number]);
    positions.push({ anchor, offset: [x, y + baselineShift(anchor)] });
  }
  return positions;
}

function toUnits([x, y]: readonly [number, number]): Offset {
  return [x * UNITS_PER_EM, y * UNITS_PER_EM];
}

/** MapLibre shifts the baseline, and undoes the shift in offsets above and below the anchor. */
function baselineShift(anchor: Anchor): number {
  if (anchor.startsWith('top')) return -7;
  return anchor.startsWith('bottom') ? 7 : 0;
}

/** Offset by a distance, in ems, away from the anchor point. */
function radialOffset(anchor: Anchor, distanceEm: number): Offset {
  const distance = Math.max(0, distanceEm) * UNITS_PER_EM;
  const reach = anchor.includes('-') ? distance / Math.SQRT2 : distance;
  return directedOffset(anchor, [reach, reach]);
}

/** Turns a fixed offset so that it points away from the anchor point. */
function directedOffset(anchor: Anchor, [offsetX, offsetY]: Offset): Offset {
  let x = 0;
  let y = baselineShift(anchor);
  if (anchor.endsWith('left')) x = Math.abs(offsetX);
  if (anchor.endsWith('right')) x = -Math.abs(offsetX);
  if (anchor.startsWith('top')) y += Math.abs(offsetY);
  if (anchor.startsWith('bottom')) y -= Math.abs(offsetY);
  return [x, y];
}
