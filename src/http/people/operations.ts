/** The pages that are made for one person: the ways in, and the account area. */
import type { Operation } from '../../contract/operation.ts';
import { activity, activityCsv } from './reviews/activity.ts';
import { brand } from './brands/brand.ts';
import { addZips } from './brands/brand-add.ts';
import { brandMap, brandWithin, brandZip } from './brands/brand-map.ts';
import { brandPictures } from './brands/brand-pictures.ts';
import { removals, removeZipsPage } from './brands/brand-remove.ts';
import { suggestions } from './brands/brand-suggestions.ts';
import { brands } from './brands/brands.ts';
import { connect } from './connect.ts';
import { connections } from './connections.ts';
import { consent } from './consent.ts';
import { memberData } from './data.ts';
import { entrances } from './entrances.ts';
import { exports } from './brands/exports.ts';
import { groundTiles } from './brands/ground-tiles.ts';
import { keys } from './keys.ts';
import { members } from './members.ts';
import { overview } from './overview.ts';
import { memberPage } from './page.ts';
import { plan } from './plan.ts';
import { reviewMap } from './reviews/review-map.ts';
import { decidedReviews, reviewDecision, reviewQueue } from './reviews/reviews.ts';
import { password, sessions } from './sessions.ts';
import { share, shares } from './shares.ts';
import { firstTargeting, targeting, targetingPreview } from './targeting.ts';
import { importReport, transfer } from './brands/transfer.ts';
import type { PeopleParts } from './visit.ts';

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
