/** The public map of demand in a metro, which pages and articles embed. */
import type { Queryable } from '../db/database.ts';
import type { Renderer } from '../render/renderer.ts';
import { drawScoreMap } from './score-map.ts';
import type { PictureOptions } from './zip-map.ts';
import { metroBySlug } from '../market/metros.ts';
import { verticalBySlug } from '../scoring/verticals.ts';
import { scoresSource } from '../market/public/source.ts';

/**
 * @returns PNG
 * @throws ServiceError 404 for a metro or vertical that isn't launched; 503 before scores are imported
 *   or if the render queue is full
 */
export async function publicMapImage(
  db: Queryable,
  renderer: Pick<Renderer, 'render'>,
  metroSlug: string,
  verticalSlug: string,
  look: Pick<PictureOptions, 'style' | 'width' | 'height' | 'pixelRatio'>,
): Promise<Uint8Array> {
  const metro = metroBySlug(metroSlug);
  const vertical = verticalBySlug(verticalSlug);
  await scoresSource(db);
  const request = { ...look, market: { metro: metro.slug }, vertical: vertical.slug };
  return (await drawScoreMap(db, renderer, request)).picture;
}
