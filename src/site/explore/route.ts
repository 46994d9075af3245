/**
 * The public map of demand, with a page per vertical. The part of the address after `#` is the view of the
 * map.
 */
import { z } from 'zod';
import type { Operation } from '../../contract/operation.ts';
import { metroExtents } from '../../market/metro-extents.ts';
import { verticalBySlug, VERTICALS } from '../../scoring/verticals.ts';
import { page } from '../framework/page.ts';
import { explorePath } from '../links.ts';
import type { PublicParts } from '../public-study.ts';
import { explorePage } from './view.ts';

const EXPLORE_PATH = '/explore';

export const exploreRoute = ({ common, study, links }: PublicParts): Operation =>
  page({
    ...common,
    path: EXPLORE_PATH,
    make: async (_, db) => {
      const [figures, extents] = await Promise.all([study(db), metroExtents(db)]);
      return explorePage(
        { vertical: VERTICALS[0]!, path: EXPLORE_PATH, extents },
        figures,
        links(),
      );
    },
  });

export const exploreVerticalRoute = ({ common, study, links }: PublicParts): Operation =>
  page({
    ...common,
    path: `${EXPLORE_PATH}/{vertical}`,
    params: z.object({ vertical: z.string() }),
    async make({ vertical: slug }, db) {
      const vertical = verticalBySlug(slug);
      const [figures, extents] = await Promise.all([study(db), metroExtents(db)]);
      const path = explorePath(slug);
      return explorePage({ vertical, path, extents }, figures, links());
    },
  });
