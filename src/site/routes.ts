/** All routes at the site's root: pages, forms, data, and files. */
import type { Roots } from '../contract/openapi/about.ts';
import type { Operation } from '../contract/operation.ts';
import type { Geocoder } from '../outside/geocoding/geocoder.ts';
import type { Database } from '../db/database.ts';
import { activityCsvRoute, activityRoute } from './account/activity/route.ts';
import { historyRoute } from './account/brands/brand/history/route.ts';
import { lookRoute } from './account/brands/brand/look/route.ts';
import { formerBrandPages } from './account/brands/brand/moved.ts';
import { brandPictures } from './account/brands/brand/pictures.ts';
import { removeRoute } from './account/brands/brand/remove/route.ts';
import { brandRoute } from './account/brands/brand/route.ts';
import { exportFiles } from './account/brands/brand/transfer/export-files.ts';
import {
  importReportCsv,
  importReportRoute,
} from './account/brands/brand/transfer/report-route.ts';
import { transferRoute } from './account/brands/brand/transfer/route.ts';
import { brandsRoute } from './account/brands/route.ts';
import { companySignInRoute } from './account/company-sign-in/route.ts';
import { connectRoute } from './account/connect/route.ts';
import { connectionsRoute } from './account/connections/route.ts';
import { keysRoute } from './account/keys/route.ts';
import { zipTiles } from './account/map/tiles.ts';
import { removeMemberRoute } from './account/members/remove/route.ts';
import { membersRoute } from './account/members/route.ts';
import { notificationsRoute } from './account/notifications/route.ts';
import { overviewRoute } from './account/overview/route.ts';
import { passwordRoute } from './account/password/route.ts';
import { planRoute } from './account/plan/route.ts';
import { confirmRoute } from './account/reviews/confirm/route.ts';
import { decidedRoute } from './account/reviews/decided/route.ts';
import { queueMapData } from './account/reviews/queue/map-data.ts';
import { queueRoute } from './account/reviews/queue/route.ts';
import { factorsRoute } from './account/second-factor/route.ts';
import { appRoute } from './account/second-factor/app/route.ts';
import { passkeyRoute } from './account/second-factor/passkey/route.ts';
import { sessionsRoute } from './account/sessions/route.ts';
import { groupRoute } from './account/groups/group/route.ts';
import { groupPicture } from './account/groups/group/picture.ts';
import { groupsRoute } from './account/groups/route.ts';
import { dataRoute } from './account/data/route.ts';
import { dataSetRoute } from './account/data/set/route.ts';
import { sharesRoute } from './account/shares/route.ts';
import { shareRoute } from './account/shares/share/route.ts';
import { signedUrlsRoute } from './account/signed-urls/route.ts';
import { webhooksRoute } from './account/webhooks/route.ts';
import { webhookRoute } from './account/webhooks/webhook/route.ts';
import {
  firstTargetingRoute,
  targetingPreviewRoute,
  targetingRoute,
} from './account/targeting/route.ts';
import { workspaceData, workspaceRoute } from './account/workspace/route.ts';
import { assetRoutes } from './asset-routes.ts';
import { confirmSignUpRoute } from './confirm-sign-up/route.ts';
import { consentRoute } from './consent/route.ts';
import { dataStudyPage } from './data-study/view.ts';
import { connectorDiscovery } from './discovery/connectors.ts';
import { discoveryFiles } from './discovery/files.ts';
import { mcpDiscoveryFiles } from './discovery/mcp.ts';
import { docsPages } from './docs/routes.ts';
import { docsSearchOperations } from './docs/search-route.ts';
import { exploreRoute, exploreVerticalRoute } from './explore/route.ts';
import { forgotPasswordRoute } from './forgot-password/route.ts';
import { data } from './framework/data.ts';
import { form } from './framework/form.ts';
import { page, type Page } from './framework/page.ts';
import type { SiteParts } from './framework/visit.ts';
import { homePage } from './home/view.ts';
import { invitationRoute } from './invitation/route.ts';
import { methodologyPage } from './methodology/view.ts';
import { metroVerticalRoute } from './metro-vertical/route.ts';
import { passwordLinkRoute } from './password-link/route.ts';
import { pictureBuilderRoute } from './picture-builder/route.ts';
import { publicParts, studyPage } from './public-study.ts';
import { searchRoutes } from './search/route.ts';
import { companyRoutes } from './sign-in/company/routes.ts';
import { passkeySignInRoute } from './sign-in/passkey/route.ts';
import { signInRoute } from './sign-in/route.ts';
import { secondStepRoute } from './sign-in/second-factor/route.ts';
import { signUpRoute } from './sign-up/route.ts';
import { unsubscribeRoute } from './unsubscribe/route.ts';
import { verticalRoute } from './vertical/route.ts';
import { METROS_PATH, VERTICALS_PATH } from './links.ts';
import { metroRoute } from './metro/route.ts';
import { metrosPage } from './metros/view.ts';
import { verticalsPage } from './verticals/view.ts';
import { zipRoute } from './zip/route.ts';

const PUBLIC_PAGES = [
  studyPage('/', homePage),
  studyPage('/methodology', methodologyPage),
  studyPage('/data-study', dataStudyPage),
  ...[exploreRoute, exploreVerticalRoute],
  studyPage(VERTICALS_PATH, verticalsPage),
  studyPage(METROS_PATH, metrosPage),
  ...[verticalRoute, metroRoute, metroVerticalRoute, zipRoute],
];

/** Routes of pages, documentation, and files that are the same for everyone */
export function publicRoutes(
  db: Database,
  operations: readonly Operation[],
  roots: () => Roots,
  geocoder?: Geocoder,
): Operation[] {
  const parts = publicParts(db, roots);
  return [
    ...PUBLIC_PAGES.map((route) => route(parts)),
    ...docsPages(roots),
    ...docsSearchOperations(operations, roots),
    ...searchRoutes(db, roots, geocoder),
    ...discoveryFiles(db, operations, roots),
    ...mcpDiscoveryFiles(roots),
    ...connectorDiscovery(roots),
    ...assetRoutes(db),
  ];
}

const PAGES: readonly Page[] = [
  ...[signInRoute, secondStepRoute, passkeySignInRoute],
  ...[signUpRoute, confirmSignUpRoute, invitationRoute, consentRoute, pictureBuilderRoute],
  // The more specific path comes first.
  ...[forgotPasswordRoute, passwordLinkRoute, unsubscribeRoute],
  ...[overviewRoute, workspaceRoute, activityRoute, firstTargetingRoute, targetingRoute],
  ...[brandsRoute, removeRoute, historyRoute],
  ...[transferRoute, importReportRoute, lookRoute],
  ...[queueRoute, confirmRoute, decidedRoute],
  ...[sharesRoute, shareRoute],
  ...[dataRoute, dataSetRoute],
  ...[groupsRoute, groupRoute],
  ...[webhooksRoute, webhookRoute],
  ...[keysRoute, connectionsRoute, connectRoute, signedUrlsRoute],
  ...[membersRoute, removeMemberRoute, companySignInRoute],
  ...[planRoute, notificationsRoute, sessionsRoute, passwordRoute],
  ...[factorsRoute, appRoute, passkeyRoute],
];

const DATA = [
  ...[activityCsvRoute, targetingPreviewRoute, queueMapData],
  ...[...exportFiles, importReportCsv],
];

/** Routes that are made for each visit: sign-in, consent, and the account area */
export const visitRoutes = (parts: SiteParts): Operation[] => [
  ...[...PAGES, brandRoute(parts)].flatMap((shown) => [
    page(shown, parts),
    ...(shown.forms ?? []).map((each) => form(shown, each, parts)),
  ]),
  ...formerBrandPages(parts),
  ...companyRoutes(parts),
  ...[
    ...DATA,
    ...brandPictures(parts),
    groupPicture(parts),
    zipTiles(parts),
    ...workspaceData(parts),
  ].map((sent) => data(sent, parts)),
];
