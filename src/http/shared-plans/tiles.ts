/** The vector tiles, TileJSON, and style of a shared plan. */
import type { Operation } from '../../contract/operation.ts';
import type { MapRenderer } from '../../cartography/map-renderer.ts';
import type { Database } from '../../db/database.ts';
import { NO_SUCH_PLAN_SHARE, type OpenPlan } from '../../plans/shares.ts';
import { planStyle, planTile, planTileset } from '../../plans/tiles.ts';
import type { AnswerCaches } from '../answers/answer-caches.ts';
import { tiledMapOperations } from '../shared/tiled-map.ts';
import { planAnswers } from './answers.ts';

/** @param apiRoot URL of the API, without a trailing slash */
export const sharedPlanTileOperations = (
  db: Database,
  renderer: MapRenderer,
  caches: AnswerCaches,
  apiRoot: () => string,
): Operation[] =>
  tiledMapOperations<OpenPlan>(db, renderer, caches, apiRoot, {
    ...{ root: '/shared-plans', id: 'SharedPlan', noun: 'shared plan' },
    ...{ notFound: NO_SUCH_PLAN_SHARE, exampleTitle: 'Dallas 2027' },
    layers:
      'the layers `zips` and `zip-labels` (`zip`, and the `number` and name of its `territory`), ' +
      '`patterns`, `outlines`, and `outline-names` (areas and names of the territories)',
    colors: 'in the colors and patterns of their territories, with outlines and names',
    answers: (options) => planAnswers(db, caches, options),
    titleOf: ({ plan }) => plan.name,
    zipsOf: ({ plan }) => plan.zips,
    tileset: planTileset,
    tile: (data, { plan }, address) => planTile(data, plan, address),
    colored: (style, { plan }) => planStyle(style, plan),
  });
