/** All routes at the site's root: pages, forms, data, and files. */
import type { Roots } from '../../base/contract/openapi/about.ts';
import type { Operation } from '../../base/contract/operation.ts';
import type { Geocoder } from '../../data/geocoding/geocoder.ts';
import type { Database } from '../../base/db/database.ts';
import { activityCsvRoute, activityRoute } from './account/activity/route.ts';
import { analysisRoute } from './account/brands/brand/analysis/route.ts';
import { historyRoute } from './account/brands/brand/history/route.ts';
import { lookRoute } from './account/brands/brand/look/route.ts';
import { formerBrandPages } from './account/brands/brand/moved.ts';
import { removeRoute } from './account/brands/brand/remove/route.ts';
import { brandPictures, brandRoute } from './account/brands/brand/route.ts';
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
import { locatorRoute, unservedCsvRoute } from './account/locators/locator/route.ts';
import { servingRoute } from './account/serving/route.ts';
import { locatorsRoute } from './account/locators/route.ts';
import { keysRoute } from './account/keys/route.ts';
import { zipTiles } from './account/map/tiles.ts';
import { removeMemberRoute } from './account/members/remove/route.ts';
import { memberBrandsRoute, membersRoute } from './account/members/route.ts';
import { notificationsRoute } from './account/notifications/route.ts';
import { overviewRoute, territoriesPictures } from './account/overview/route.ts';
import { passwordRoute } from './account/password/route.ts';
import { formerSubscriptionPage, subscriptionRoute } from './account/subscription/route.ts';
import { changesRoute } from './account/reviews/changes/route.ts';
import { changeMapData } from './account/reviews/changes/change/map-data.ts';
import { changeRoute } from './account/reviews/changes/change/route.ts';
import { confirmRoute } from './account/reviews/confirm/route.ts';
import { termsRoute } from './account/brands/brand/terms/route.ts';
import { overTimePicture } from './account/over-time/picture.ts';
import { overTimeCsv, overTimeRoute } from './account/over-time/route.ts';
import { decidedRoute } from './account/reviews/decided/route.ts';
import { queueMapData } from './account/reviews/queue/map-data.ts';
import { queueRoute } from './account/reviews/queue/route.ts';
import { reviewSettingsRoute } from './account/reviews/settings/route.ts';
import { factorsRoute } from './account/second-factor/route.ts';
import { appRoute } from './account/second-factor/app/route.ts';
import { passkeyRoute } from './account/second-factor/passkey/route.ts';
import { sessionsRoute } from './account/sessions/route.ts';
import { groupRoute } from './account/groups/group/route.ts';
import { groupPicture } from './account/groups/group/picture.ts';
import { groupsRoute } from './account/groups/route.ts';
import { dataRoute } from './account/data/route.ts';
import { placesPageRoute } from './account/places/route.ts';
import { placeRoute } from './account/places/place/route.ts';
import { contactRoute } from './account/brands/brand/contact/route.ts';
import { dataSetRoute } from './account/data/set/route.ts';
import { sharesRoute } from './account/shares/route.ts';
import { shareRoute } from './account/shares/share/route.ts';
import { signedUrlsRoute } from './account/signed-urls/route.ts';
import { usageRoute } from './account/usage/route.ts';
import { webhooksRoute } from './account/webhooks/route.ts';
import { webhookRoute } from './account/webhooks/webhook/route.ts';
import {
  firstTargetingRoute,
  targetingPreviewRoute,
  targetingRoute,
} from './account/targeting/route.ts';
import { workspaceData, workspaceRoute } from './workspace/route.ts';
import { assetRoutes } from './asset-routes.ts';
import { confirmSignUpRoute } from './confirm-sign-up/route.ts';
import { consentRoute } from './consent/route.ts';
import { dataStudyPage } from './data-study/view.ts';
import { discoveryFiles } from './discovery/files.ts';
import { docsPages } from './docs/routes.ts';
import { docsSearchOperations } from './docs/search-route.ts';
import { explorePlaceRoute, exploreRoute, exploreVerticalRoute } from './explore/route.ts';
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
import { companyStartRoute } from './sign-in/company/start.ts';
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
  exploreRoute,
  exploreVerticalRoute,
  explorePlaceRoute,
  studyPage(VERTICALS_PATH, verticalsPage),
  studyPage(METROS_PATH, metrosPage),
  verticalRoute,
  metroRoute,
  metroVerticalRoute,
  zipRoute,
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
    ...assetRoutes(db),
  ];
}

const PAGES: readonly Page[] = [
  signInRoute,
  secondStepRoute,
  passkeySignInRoute,
  companyStartRoute,
  signUpRoute,
  confirmSignUpRoute,
  invitationRoute,
  consentRoute,
  pictureBuilderRoute,
  forgotPasswordRoute,
  passwordLinkRoute,
  unsubscribeRoute,
  overviewRoute,
  workspaceRoute,
  activityRoute,
  usageRoute,
  firstTargetingRoute,
  targetingRoute,
  brandsRoute,
  brandRoute,
  analysisRoute,
  overTimeRoute,
  removeRoute,
  historyRoute,
  termsRoute,
  transferRoute,
  importReportRoute,
  contactRoute,
  lookRoute,
  queueRoute,
  changesRoute,
  changeRoute,
  confirmRoute,
  decidedRoute,
  reviewSettingsRoute,
  sharesRoute,
  shareRoute,
  locatorsRoute,
  servingRoute,
  locatorRoute,
  dataRoute,
  dataSetRoute,
  placesPageRoute,
  placeRoute,
  groupsRoute,
  groupRoute,
  webhooksRoute,
  webhookRoute,
  keysRoute,
  connectionsRoute,
  connectRoute,
  signedUrlsRoute,
  membersRoute,
  memberBrandsRoute,
  removeMemberRoute,
  companySignInRoute,
  subscriptionRoute,
  notificationsRoute,
  sessionsRoute,
  passwordRoute,
  factorsRoute,
  appRoute,
  passkeyRoute,
];

const DATA = [
  activityCsvRoute,
  targetingPreviewRoute,
  queueMapData,
  changeMapData,
  ...exportFiles,
  importReportCsv,
  unservedCsvRoute,
  overTimeCsv,
];

/** Routes that are made for each visit: sign-in, consent, and the account area */
export const visitRoutes = (parts: SiteParts): Operation[] => [
  ...PAGES.flatMap((shown) => [
    page(shown, parts),
    ...(shown.forms ?? []).map((each) => form(shown, each, parts)),
  ]),
  ...formerBrandPages(parts),
  formerSubscriptionPage(parts),
  ...companyRoutes(parts),
  ...[
    ...DATA,
    ...brandPictures(parts),
    ...territoriesPictures(parts),
    groupPicture(parts),
    overTimePicture(parts),
    zipTiles(parts),
    ...workspaceData(parts),
  ].map((sent) => data(sent, parts)),
];
