/** The picture of a market: its ZIPs coloured by a vertical's score. */
import type { Database } from '../db/database.ts';
import { badRequest } from '../errors.ts';
import type { Renderer } from '../render/renderer.ts';
import { VERTICALS } from '../scoring/verticals.ts';
import { resolveMarket, type Market } from '../market/market.ts';
import { drawZipMap, type PictureOptions, type ZipMap } from './zip-map.ts';

export interface ScoreMapRequest extends PictureOptions {
  market: Market;
  /** Slug of a vertical */
  vertical: string;
}

/**
 * @throws ServiceError 400 for an unknown vertical, malformed ZIPs or a size that cannot be drawn,
 *   404 for a market that there is not or that has no boundaries
 */
export async function drawScoreMap(
  db: Database,
  renderer: Pick<Renderer, 'render'>,
  request: ScoreMapRequest,
  signal?: AbortSignal,
): Promise<ZipMap> {
  const vertical = VERTICALS.find((v) => v.slug === request.vertical);
  if (!vertical) {
    const slugs = VERTICALS.map((v) => v.slug).join(', ');
    throw badRequest(`There is no vertical "${request.vertical}". There are: ${slugs}.`);
  }
  const { zips, name } = await resolveMarket(db, request.market);
  const map = {
    ...request,
    zips,
    coloring: { by: 'score', vertical: vertical.slug } as const,
    heading: { title: `${vertical.label} demand by ZIP code`, subtitle: name },
  };
  return drawZipMap(db, renderer, map, signal);
}
