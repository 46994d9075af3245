import { z } from 'zod';
import type { Operation } from '../../../base/contract/operation.ts';
import { publicVerticalSummary } from '../../../data/market/public/vertical.ts';
import { page } from '../framework/page.ts';
import type { PublicParts } from '../public-study.ts';
import { verticalPage } from './view.ts';

export const verticalRoute = ({ common, study, links }: PublicParts): Operation =>
  page({
    ...common,
    path: '/verticals/{vertical}',
    params: z.object({ vertical: z.string() }),
    make: async ({ vertical }, db) =>
      verticalPage(await publicVerticalSummary(db, vertical), await study(db), links()),
  });
