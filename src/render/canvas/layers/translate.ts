import { toRadians } from '../../../spatial/perspective.ts';
import type { View3 } from '../../../spatial/view.ts';
import type { SceneLayer } from './painter.ts';

/** Reads how far a layer's shapes, or a part of its symbols, are moved on the plane, in CSS pixels. */
export function translation(
  { read, compiled: { type } }: Pick<SceneLayer, 'read' | 'compiled'>,
  { bearing }: View3,
  part: string = type,
): [dx: number, dy: number] {
  const [x, y] = read<[number, number]>(`${part}-translate`)();
  const anchor = read<'map' | 'viewport'>(`${part}-translate-anchor`)();
  if (bearing === 0 || anchor === 'map') return [x, y];
  const angle = toRadians(bearing);
  return [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];
}
