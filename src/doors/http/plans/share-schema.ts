/** Requests and responses of the operations on links to plans. */
import { z } from 'zod';
import { actorName } from '../../../people/account/caller.ts';
import { exampleOf } from '../../../base/contract/resources.ts';
import { planPagePath, type PlanShare } from '../../../territories/plans/shares.ts';
import { SHARE_DAYS, SHARE_STATUSES } from '../../../territories/share/links.ts';
import { EXAMPLE_TOKEN } from '../../../territories/share/token.ts';
import { shareTerritoryMap } from '../../tools/share-territory-map.ts';

/** Price of a link, the same as for a link to a brand's map */
export const PLAN_SHARE_UNITS = shareTerritoryMap.units;

export const PlanShareRequest = z
  .strictObject({
    days: z
      .int()
      .min(SHARE_DAYS.min)
      .max(SHARE_DAYS.max)
      .default(SHARE_DAYS.default)
      .meta({ description: 'Days until the link expires' }),
  })
  .meta({ id: 'PlanShareRequest', examples: [{ days: 14 }] });

export const PlanShareBody = z
  .object({
    token: z.uuid(),
    code: z.string().meta({ description: 'Short code, accepted instead of the token' }),
    url: z.url().meta({ description: 'The page' }),
    pictureUrl: z.url(),
    boundariesUrl: z.url().meta({ description: 'GeoJSON' }),
    styleUrl: z.url().meta({ description: 'Style for MapLibre GL and QGIS, with vector tiles' }),
    status: z.enum(SHARE_STATUSES),
    createdBy: z.string(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
  })
  .meta({
    id: 'PlanShare',
    examples: [
      {
        token: EXAMPLE_TOKEN,
        code: '4f7k2m9x0q',
        url: 'https://territory.example.com/p/4f7k2m9x0q',
        pictureUrl: `https://territory.example.com/shared-plans/${EXAMPLE_TOKEN}/map.png`,
        boundariesUrl: `https://territory.example.com/shared-plans/${EXAMPLE_TOKEN}/boundaries.geojson`,
        styleUrl: `https://territory.example.com/shared-plans/${EXAMPLE_TOKEN}/style.json`,
        status: 'active',
        createdBy: 'Pat',
        createdAt: '2026-11-22T10:00:00.000Z',
        expiresAt: '2026-12-22T10:00:00.000Z',
      },
    ],
  });

export const PlanShareListBody = z
  .object({ shares: z.array(PlanShareBody) })
  .meta({ id: 'PlanShareList', examples: [{ shares: [exampleOf(PlanShareBody)] }] });

export const planShareBody = (
  { id, code, status, ...share }: PlanShare,
  roots: { api: string; site: string },
): z.output<typeof PlanShareBody> => ({
  token: id,
  code,
  status,
  url: `${roots.site}${planPagePath(code)}`,
  pictureUrl: `${roots.api}/shared-plans/${code}/map.png`,
  boundariesUrl: `${roots.api}/shared-plans/${code}/boundaries.geojson`,
  styleUrl: `${roots.api}/shared-plans/${code}/style.json`,
  createdBy: actorName(share.createdBy),
  createdAt: share.createdAt.toISOString(),
  expiresAt: share.expiresAt.toISOString(),
});
