/** Checks a style document against the MapLibre specification. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { InvalidSceneError } from './errors.ts';
import { validateStyleMin } from './style-spec.ts';

/** @throws InvalidSceneError with every problem that the specification's validator finds */
export function refuseInvalid(style: StyleSpecification): void {
  const errors = validateStyleMin(style).filter((problem) => problem.severity !== 'warning');
  if (errors.length > 0) throw new InvalidSceneError(errors.map((error) => error.message));
}
