/** The pages that are made for one person: the ways in, and the account area. */
import type { Operation } from '../contract/operation.ts';
import { activity, activityCsv } from './account/activity/route.ts';
import { brand } from './account/brands/brand/route.ts';
import { addZips } from './account/brands/brand/add/route.ts';
import { brandMap, brandWithin, brandZip } from './account/brands/brand/map-data.ts';
import { brandPictures } from './account/brands/brand/thumbnail.ts';
import { removals, removeZipsPage } from './account/brands/brand/remove/route.ts';
import { suggestions } from './account/brands/brand/suggestions/route.ts';
import { brands } from './account/brands/route.ts';
import { connect } from './account/connect/route.ts';
import { connections } from './account/connections/route.ts';
import { consent } from './consent/route.ts';
import { memberData } from './framework/data.ts';
import { entrances } from './sign-in/route.ts';
import { exports } from './account/brands/brand/transfer/export-files.ts';
import { groundTiles } from './account/map/tiles.ts';
import { keys } from './account/keys/route.ts';
import { members } from './account/members/route.ts';
import { overview } from './account/overview/route.ts';
import { memberPage } from './framework/page.ts';
import { plan } from './account/plan/route.ts';
import { reviewMap } from './account/reviews/queue/map-data.ts';
import { decidedReviews, reviewDecision, reviewQueue } from './account/reviews/queue/route.ts';
import { password, sessions } from './account/sessions/route.ts';
import { share, shares } from './account/shares/route.ts';
import { firstTargeting, targeting, targetingPreview } from './account/targeting/route.ts';
import { importReport, transfer } from './account/brands/brand/transfer/route.ts';
import type { PeopleParts } from './framework/visit.ts';

const PAGES = [
  overview,
  ...[brands, brand, addZips, removeZipsPage, removals, suggestions, transfer],
  ...[reviewQueue, reviewDecision, decidedReviews],
  ...[shares, share],
  ...[firstTargeting, targeting],
  activity,
  ...[keys, connections, connect, consent],
  ...[members, plan, sessions, password],
];

const DATA = [
  ...[groundTiles, brandMap, brandWithin, brandZip, brandPictures],
  ...[reviewMap, activityCsv, importReport, targetingPreview],
];

export const peopleOperations = (parts: PeopleParts): Operation[] => [
  ...entrances(parts),
  ...PAGES.flatMap((page) => memberPage(page(parts), parts)),
  ...[...DATA.map((data) => data(parts)), ...exports(parts)].map((data) => memberData(data, parts)),
];
