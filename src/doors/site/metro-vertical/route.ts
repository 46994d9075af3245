import { z } from 'zod';
import type { Operation } from '../../../base/contract/operation.ts';
import { metroExtents } from '../../../data/market/metro-extents.ts';
import { publicMetroVertical } from '../../../data/market/public/metro-vertical.ts';
import { COUNTRY } from '../../../base/spatial/bbox.ts';
import { page } from '../framework/page.ts';
import type { PublicParts } from '../public-study.ts';
import { metroVerticalPage } from './view.ts';

export const metroVerticalRoute = ({ common, study, links }: PublicParts): Operation =>
  page({
    ...common,
    path: '/metros/{metroSlug}/{vertical}',
    params: z.object({ metroSlug: z.string(), vertical: z.string() }),
    async make({ metroSlug, vertical }, db) {
      const [figures, extents, studied] = await Promise.all([
        publicMetroVertical(db, metroSlug, vertical),
        metroExtents(db),
        study(db),
      ]);
      const bbox = extents.get(metroSlug) ?? COUNTRY;
      return metroVerticalPage(figures, bbox, studied, links());
    },
  });
