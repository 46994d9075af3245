import { z } from 'zod';
import type { Operation } from '../../../base/contract/operation.ts';
import { zipDetails } from '../../../data/market/public/zip-details.ts';
import { page } from '../framework/page.ts';
import type { PublicParts } from '../public-study.ts';
import { zipPage } from './view.ts';

export const zipRoute = ({ common, study, national, links }: PublicParts): Operation =>
  page({
    ...common,
    path: '/zip/{zip}',
    // The API's limit, so that pages aren't a faster way to collect all ZIP codes.
    limit: 'public',
    params: z.object({ zip: z.string() }),
    async make({ zip }, db) {
      const details = await zipDetails(db, await national(), zip);
      return zipPage(details, await study(db), links());
    },
  });
