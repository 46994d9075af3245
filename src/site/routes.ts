/** Every route at the site's root: pages, forms, data, and files. */
import type { Roots } from '../contract/openapi/about.ts';
import type { Operation } from '../contract/operation.ts';
import type { Queryable } from '../db/database.ts';
import { activityRoutes } from './account/activity/route.ts';
import { addRoutes } from './account/brands/brand/add/route.ts';
import { historyRoutes } from './account/brands/brand/history/route.ts';
import { brandMapData } from './account/brands/brand/map-data.ts';
import { removeRoutes } from './account/brands/brand/remove/route.ts';
import { brandRoutes } from './account/brands/brand/route.ts';
import { suggestionsRoutes } from './account/brands/brand/suggestions/route.ts';
import { brandThumbnail } from './account/brands/brand/thumbnail.ts';
import { exportFiles } from './account/brands/brand/transfer/export-files.ts';
import { transferRoutes } from './account/brands/brand/transfer/route.ts';
import { brandsRoutes } from './account/brands/route.ts';
import { connectRoutes } from './account/connect/route.ts';
import { connectionsRoutes } from './account/connections/route.ts';
import { keysRoutes } from './account/keys/route.ts';
import { zipTiles } from './account/map/tiles.ts';
import { membersRoutes } from './account/members/route.ts';
import { overviewRoutes } from './account/overview/route.ts';
import { passwordRoutes } from './account/password/route.ts';
import { planRoutes } from './account/plan/route.ts';
import { confirmRoutes } from './account/reviews/confirm/route.ts';
import { decidedRoutes } from './account/reviews/decided/route.ts';
import { queueRoutes } from './account/reviews/queue/route.ts';
import { sessionsRoutes } from './account/sessions/route.ts';
import { sharesRoutes } from './account/shares/route.ts';
import { shareRoutes } from './account/shares/share/route.ts';
import { targetingRoutes } from './account/targeting/route.ts';
import { assetRoutes } from './asset-routes.ts';
import { consentRoutes } from './consent/route.ts';
import { dataStudyRoute } from './data-study/route.ts';
import { connectorDiscovery } from './discovery/connectors.ts';
import { discoveryFiles } from './discovery/files.ts';
import { mcpDiscoveryFiles } from './discovery/mcp.ts';
import { docsPages } from './docs/routes.ts';
import { docsSearchOperations } from './docs/search-route.ts';
import type { SiteParts } from './framework/visit.ts';
import { homeRoute } from './home/route.ts';
import { invitationRoutes } from './invitation/route.ts';
import { methodologyRoute } from './methodology/route.ts';
import { metroVerticalRoute } from './metro-vertical/route.ts';
import { passwordLinkRoutes } from './password-link/route.ts';
import { publicParts } from './public-study.ts';
import { signInRoutes } from './sign-in/route.ts';
import { signUpRoutes } from './sign-up/route.ts';
import { verticalRoute } from './vertical/route.ts';

const PUBLIC_PAGES = [
  homeRoute,
  methodologyRoute,
  dataStudyRoute,
  verticalRoute,
  metroVerticalRoute,
];

/** Pages, documentation, and files that are the same for everyone */
export function publicRoutes(
  db: Queryable,
  operations: readonly Operation[],
  roots: () => Roots,
): Operation[] {
  const parts = publicParts(db, roots);
  return [
    ...PUBLIC_PAGES.map((route) => route(parts)),
    ...docsPages(roots),
    ...docsSearchOperations(operations, roots),
    ...discoveryFiles(db, operations, roots),
    ...mcpDiscoveryFiles(roots),
    ...connectorDiscovery(roots),
    ...assetRoutes(),
  ];
}

const VISIT_ROUTES = [
  ...[signInRoutes, signUpRoutes, invitationRoutes, passwordLinkRoutes, consentRoutes],
  ...[overviewRoutes, activityRoutes, targetingRoutes],
  ...[brandsRoutes, brandRoutes, addRoutes, removeRoutes, historyRoutes, suggestionsRoutes],
  ...[transferRoutes, exportFiles, brandMapData],
  ...[queueRoutes, confirmRoutes, decidedRoutes],
  ...[sharesRoutes, shareRoutes],
  ...[keysRoutes, connectionsRoutes, connectRoutes],
  ...[membersRoutes, planRoutes, sessionsRoutes, passwordRoutes],
];

/** Sign-in, consent, and the account area: made for each visit */
export const visitRoutes = (parts: SiteParts): Operation[] => [
  ...VISIT_ROUTES.flatMap((routes) => routes(parts)),
  brandThumbnail(parts),
  zipTiles(parts),
];
