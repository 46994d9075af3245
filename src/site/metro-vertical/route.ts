import { z } from 'zod';
import type { Operation } from '../../contract/operation.ts';
import { publicMetroVertical } from '../../market/public/metro-vertical.ts';
import { page } from '../framework/page.ts';
import type { PublicParts } from '../public-study.ts';
import { metroVerticalPage } from './view.ts';

export const metroVerticalRoute = ({ common, study, links }: PublicParts): Operation =>
  page({
    ...common,
    path: '/metros/{metroSlug}/{vertical}',
    params: z.object({ metroSlug: z.string(), vertical: z.string() }),
    async make({ metroSlug, vertical }, db) {
      const figures = await publicMetroVertical(db, metroSlug, vertical);
      return metroVerticalPage(figures, await study(db), links());
    },
  });
