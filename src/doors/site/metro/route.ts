import { z } from 'zod';
import type { Operation } from '../../../base/contract/operation.ts';
import { metroExtents } from '../../../data/market/metro-extents.ts';
import { metroBySlug } from '../../../data/market/metros.ts';
import { metroDirectory } from '../../../data/market/public/metro.ts';
import { COUNTRY } from '../../../base/spatial/bbox.ts';
import { page } from '../framework/page.ts';
import type { PublicParts } from '../public-study.ts';
import { metroPage } from './view.ts';

export const metroRoute = ({ common, study, links }: PublicParts): Operation =>
  page({
    ...common,
    path: '/metros/{metroSlug}',
    params: z.object({ metroSlug: z.string() }),
    async make({ metroSlug }, db) {
      const { slug } = metroBySlug(metroSlug);
      const [figures, cities, extents] = await Promise.all([
        study(db),
        metroDirectory(db, slug),
        metroExtents(db),
      ]);
      return metroPage(figures, slug, cities, extents.get(slug) ?? COUNTRY, links());
    },
  });
