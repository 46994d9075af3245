/** Draws a market with its ZIP codes colored by a vertical's score. */
import type { Queryable } from '../../base/db/database.ts';
import type { MapRenderer } from './map-renderer.ts';
import { verticalBySlug } from '../../data/scoring/verticals.ts';
import type { Market } from '../../data/market/market.ts';
import { zipsToDraw } from './zips-to-draw.ts';
import type { PictureOptions } from './picture-options.ts';
import type { ZipMap } from './zip-map.ts';

export interface ScoreMapRequest extends PictureOptions {
  market: Market;
  /** Slug of a vertical */
  vertical: string;
}

/**
 * @throws ServiceError 400 for malformed ZIP codes or an unsupported size; 404 for an unknown vertical
 *   or market, or a market without boundaries
 */
export async function drawScoreMap(
  db: Queryable,
  renderer: MapRenderer,
  request: ScoreMapRequest,
): Promise<ZipMap> {
  const vertical = verticalBySlug(request.vertical);
  const { zips, name } = await zipsToDraw(db, request.market);
  const map = {
    ...request,
    zips,
    isNational: 'nation' in request.market,
    coloring: {
      by: 'score',
      vertical: vertical.slug,
      outside: 'nation' in request.market ? 'No ZIP code' : undefined,
    } as const,
    heading: { title: `${vertical.label} demand by ZIP code`, subtitle: name },
  };
  return renderer.drawMap(db, map);
}
