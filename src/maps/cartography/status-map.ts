/** Draws a territory with its ZIP codes colored by status, or a market in one color. */
import type { Queryable } from '../../base/db/database.ts';
import { badRequest } from '../../errors.ts';
import type { ZipStatus } from '../../data/basemap/palette.ts';
import type { MapRenderer } from './map-renderer.ts';
import { resolveMarket, type Market } from '../../data/market/market.ts';
import type { PictureOptions } from './picture-options.ts';
import type { ZipMap } from './zip-map.ts';
import { zipsToDraw } from './zips-to-draw.ts';

/** ZIP codes by status, or a market in one color. */
export type StatusMapRequest = PictureOptions &
  (
    | { market: Market }
    | {
        live?: readonly string[];
        pending?: readonly string[];
        removed?: readonly string[];
        /** The listed ZIP codes that have this flag */
        shared?: readonly string[];
        isolated?: readonly string[];
      }
  );

/**
 * @throws ServiceError 400 for malformed ZIP codes, a ZIP code with two statuses, or an unsupported
 *   size; 404 for an unknown market or one without boundaries
 */
export async function drawStatusMap(
  db: Queryable,
  renderer: MapRenderer,
  request: StatusMapRequest,
): Promise<ZipMap> {
  if ('market' in request) {
    const { zips, name } = await zipsToDraw(db, request.market);
    const heading = { title: name ?? 'Territory', subtitle: null };
    return renderer.drawMap(db, {
      ...request,
      zips,
      coloring: { by: 'plain' },
      heading,
      isNational: 'nation' in request.market,
    });
  }
  const statuses = statusByZip(request);
  const { zips } = await resolveMarket(db, { zips: [...statuses.keys()] });
  const heading = { title: 'Territory by ZIP code', subtitle: null };
  const { shared, isolated } = request;
  const flags = { shared: new Set(shared), isolated: new Set(isolated) };
  const coloring = { by: 'status', statuses, ...flags } as const;
  return renderer.drawMap(db, { ...request, zips, coloring, heading });
}

function statusByZip(
  lists: Partial<Record<'live' | 'pending' | 'removed', readonly string[]>>,
): Map<string, ZipStatus> {
  const statuses = new Map<string, ZipStatus>();
  for (const status of ['live', 'pending', 'removed'] as const) {
    for (const zip of lists[status] ?? []) {
      const other = statuses.get(zip);
      if (other !== undefined && other !== status) {
        throw badRequest(`${zip} is listed as ${other} and as ${status}. List each ZIP code once.`);
      }
      statuses.set(zip, status);
    }
  }
  return statuses;
}
