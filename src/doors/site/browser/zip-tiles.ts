/**
 * The tiles of all ZIP codes as the source `zips` of a map, and expressions for the states of ZIP codes.
 */
import type { ExpressionSpecification, VectorSourceSpecification } from 'maplibre-gl';
import { data } from './dom.ts';
import { escapeHtml } from './map-view.ts';

export const ON_ZIPS = { source: 'zips', 'source-layer': 'zips' } as const;

export const stateOf = (name: string): ExpressionSpecification => ['feature-state', name];

export const isState = (name: string): ExpressionSpecification => ['boolean', stateOf(name), false];

/** @param frame with `data-tiles`, `data-tile-zooms`, and the vintage of the boundaries in `data-vintage` */
export function zipSource(frame: HTMLElement): VectorSourceSpecification {
  const [minzoom = 0, maxzoom = 0] = data(frame, 'tileZooms').split(' ').map(Number);
  return {
    type: 'vector',
    tiles: [`${location.origin}${data(frame, 'tiles')}`],
    minzoom,
    maxzoom,
    promoteId: 'zip',
    attribution: escapeHtml(data(frame, 'vintage')),
  };
}
