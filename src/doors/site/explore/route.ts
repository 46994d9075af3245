/**
 * The public map of demand, with a page per vertical. The part of the address after `#` is the view of the
 * map.
 */
import { z } from 'zod';
import type { Operation } from '../../../base/contract/operation.ts';
import { JSON_TYPE } from '../../../base/contract/prepared.ts';
import { metroExtents } from '../../../data/market/metro-extents.ts';
import { publicPlace } from '../../../data/market/public/place.ts';
import { verticalBySlug, VERTICALS } from '../../../data/scoring/verticals.ts';
import { data } from '../framework/data.ts';
import { page } from '../framework/page.ts';
import { explorePath } from '../links.ts';
import type { PublicParts } from '../public-study.ts';
import { explorePage } from './view.ts';

const EXPLORE_PATH = '/explore';

/** The figures and the outline of a city or county, for the script of the map */
export const explorePlaceRoute = ({ common }: PublicParts): Operation =>
  data({
    ...common,
    path: `${EXPLORE_PATH}/{vertical}/{kind}/{label}`,
    type: JSON_TYPE,
    params: z.object({
      vertical: z.string(),
      kind: z.enum(['city', 'county']),
      label: z.string().max(100),
    }),
    make: async ({ vertical, kind, label }, db) =>
      JSON.stringify(await publicPlace(db, kind, label, vertical)),
  });

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
