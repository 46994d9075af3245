/** The workspace: people, scores, and territories on one map. */
import {
  hasAccess,
  isReviewer,
  MANAGER,
  WRITER,
  refusalFor,
} from '../../../people/account/access.ts';
import { APPLY_UNITS } from '../../http/plans/application-schema.ts';
import { PLAN_SHARE_UNITS } from '../../http/plans/share-schema.ts';
import { SOLVE_UNITS } from '../../http/plans/solve-schema.ts';
import { paletteOf } from '../../../data/basemap/palette.ts';
import { loadStyle } from '../../../data/basemap/styles.ts';
import { blendWithLand } from '../../../maps/cartography/furniture/legends.ts';
import { placeOfZips } from '../../../data/market/areas.ts';
import { launchedMetros } from '../../../data/market/metros.ts';
import { states } from '../../../base/geodata/states.ts';
import { ServiceError } from '../../../errors.ts';
import { PAID_DAYS, PICTURE_UNITS } from '../../../territories/static/paid-pictures.ts';
import { MAX_MINUTES } from '../../../data/routing/drive-times.ts';
import { VERTICALS } from '../../../data/scoring/verticals.ts';
import { brandsInScope, findBrand, type Brand } from '../../../territories/brands/brands.ts';
import { linkCosts } from '../../../territories/share/links.ts';
import { busiestPlace, heldInMarket } from '../../../territories/brands/held-in-market.ts';
import { bboxOfZips } from '../../../territories/brands/map-zips.ts';
import { ownProfiles } from '../../../territories/brands/targeting/profile.ts';
import { statesWithZips } from '../../../data/market/zips.ts';
import { splitZips } from '../../../territories/plans/plans.ts';
import type { Bbox } from '../../../base/spatial/bbox.ts';
import type { MemberData } from '../framework/data.ts';
import type { Page } from '../framework/page.ts';
import type { MemberVisit, SiteParts } from '../framework/visit.ts';
import type { Links } from '../links.ts';
import { loadMapSources } from '../account/map/load.ts';
import { OVER_TIME_PATH } from '../account/over-time/view.ts';
import { readAsked } from './browser/asked.ts';
import { pathWith } from './browser/config.ts';
import { scoreOf } from './browser/measures.ts';
import { WITHOUT_TOTALS, type WorkspaceConfig } from './browser/page-config.ts';
import { readAddress } from './browser/map/view-address.ts';
import { BORDERS_PATH, bordersRoute } from './data/borders.ts';
import { classesAddress, classesRoute } from './data/classes.ts';
import { liveChangeRoutes, LIVE_CHANGE_PATHS } from './data/live-changes.ts';
import { liveRoute } from './data/live.ts';
import { marketRoute } from './data/market.ts';
import { newBrandRoute } from './data/new-brand.ts';
import { DAYS_PATH, daysRoute, ZIP_RECORD_PATH, zipRecordRoute } from './data/over-time.ts';
import { placesRoute } from './data/places.ts';
import { PLAN_READER, readPlace, type MappedPlace } from './data/place.ts';
import { reachRoute } from './data/reach.ts';
import { refusalsRoute } from './data/refusals.ts';
import { zipRoute } from './data/zip.ts';
import { WORKSPACE_PATH } from './link.ts';
import { workspacePage } from './view.ts';

export const workspaceData = (parts: SiteParts): MemberData[] => [
  marketRoute,
  liveRoute,
  zipRoute,
  daysRoute,
  zipRecordRoute,
  bordersRoute(parts),
  classesRoute(parts),
  ...liveChangeRoutes,
  newBrandRoute,
  placesRoute,
  reachRoute,
  refusalsRoute,
];

export const workspaceRoute: Page<'member'> = {
  audience: 'member',
  path: WORKSPACE_PATH,
  async show(visit) {
    const { caller, query, links } = visit;
    const name = query.get('brand');
    const brand = name ? await findBrand(caller.tenant, caller.brandScope, name) : null;
    const address = query.toString();
    const place =
      readAddress(address).place ?? (await startingPlace(visit, brand, readAsked(address).zips));
    const shown = await placeOrNothing(visit, place);
    const [config, sources, bbox] = await Promise.all([
      loadConfig(visit, { place, shown, brand }),
      loadMapSources(visit),
      firstView(visit, shown, brand),
    ]);
    return workspacePage({ ...sources, bbox, config }, links);
  },
};

/** Returns the extent of one's own territories in the place: those of the plan, of the brand, or of all brands. */
async function firstView(
  { caller: { tenant, brandScope } }: MemberVisit,
  shown: MappedPlace | null,
  brand: Brand | null,
): Promise<Bbox> {
  const zips = shown?.zips ?? [];
  const lists =
    shown?.planTerritories?.map((one) => one.zips) ??
    (await heldInMarket(tenant, brand ? new Set([brand.id]) : brandScope, zips)).map((one) =>
      splitZips(one.zips),
    );
  const own = lists.flat();
  return bboxOfZips(tenant.common, own.length > 0 ? own : zips);
}

/** Returns null for an unknown place. The page then shows the country, and its data contains the error. */
async function placeOrNothing({ caller }: MemberVisit, place: string): Promise<MappedPlace | null> {
  try {
    return await readPlace(caller, new URLSearchParams(place));
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}

/**
 * Returns the place with most of the ZIP codes in the address, or else of those that the brand or all
 * brands hold. Without any, returns the first metro.
 */
async function startingPlace(
  { caller }: MemberVisit,
  brand: Brand | null,
  zips: readonly string[],
): Promise<string> {
  const { tenant, brandScope } = caller;
  const busiest =
    (zips.length > 0 ? await placeOfZips(tenant.common, zips) : null) ??
    (await busiestPlace(tenant, brand ? new Set([brand.id]) : brandScope));
  if (busiest?.metro) return `metro=${busiest.metro}`;
  if (busiest?.state) return `state=${busiest.state}`;
  return `metro=${launchedMetros()[0]!.slug}`;
}

async function loadConfig(
  visit: MemberVisit,
  { place, shown, brand }: { place: string; shown: MappedPlace | null; brand: Brand | null },
): Promise<WorkspaceConfig> {
  const { caller, driveTimes, links } = visit;
  const { tenant, brandScope, organization } = caller;
  const [profiles, brands, withZips, classes] = await Promise.all([
    ownProfiles(tenant),
    brandsInScope(tenant, brandScope),
    statesWithZips(tenant.common),
    classesAddress(visit),
  ]);
  const paths = pathsOf(links, classes);
  const own = new Set(profiles.map(({ vertical }) => vertical));
  const canTarget = hasAccess(caller.subscription);
  return {
    organization: { id: organization.id, name: organization.name },
    verticals: VERTICALS.map(({ slug, label }) => ({
      slug,
      label,
      own: canTarget && own.has(slug),
    })),
    brands,
    metros: launchedMetros().map(({ slug, label }) => ({ slug, label })),
    states: states()
      .filter(({ usps }) => withZips.has(usps))
      .map(({ usps, name }) => ({ usps, name })),
    place,
    first: firstRequests(place, visit.query, paths),
    firstTerritories:
      shown?.planTerritories?.map(({ number, name }) => ({ number, name })) ??
      brands.map(({ name }, i) => ({ number: i + 1, name })),
    brand: brand?.id ?? null,
    refusal: refusalFor(caller, WRITER) ?? null,
    planRefusal: refusalFor(caller, PLAN_READER) ?? null,
    mayReview: isReviewer(caller),
    mayCreateBrands: refusalFor(caller, MANAGER) === undefined,
    seesCountry: caller.subscription.monthlyZips === null,
    territoryColors: { light: territoryColors('light'), dark: territoryColors('dark') },
    swatchColors: { light: swatchColors('light'), dark: swatchColors('dark') },
    maxDriveMinutes: driveTimes === undefined ? null : MAX_MINUTES,
    prices: {
      solve: SOLVE_UNITS,
      apply: APPLY_UNITS,
      picture: PICTURE_UNITS,
      pictureDays: PAID_DAYS,
    },
    linkCosts: linkCosts(PLAN_SHARE_UNITS),
    paths,
  };
}

const territoryColors = (style: 'light' | 'dark') => paletteOf(loadStyle(style))!.territories;

function swatchColors(style: 'light' | 'dark'): string[] {
  const palette = paletteOf(loadStyle(style))!;
  return palette.territories.map((color) => blendWithLand(color, palette));
}

const pathsOf = (links: Links, classes: string): WorkspaceConfig['paths'] => ({
  market: links.page(marketRoute.path),
  live: links.page(liveRoute.path),
  refusals: links.page(refusalsRoute.path),
  borders: links.page(BORDERS_PATH),
  zip: links.page(zipRoute.path),
  days: links.page(DAYS_PATH),
  zipRecord: links.page(ZIP_RECORD_PATH),
  overTime: links.page(OVER_TIME_PATH),
  classes,
  brand: links.page('/account/brands/{brand}'),
  targeting: links.page('/account/targeting/{vertical}'),
  reach: links.page(reachRoute.path),
  places: links.page(placesRoute.path),
  previewChanges: links.page(LIVE_CHANGE_PATHS.preview),
  saveChanges: links.page(LIVE_CHANGE_PATHS.save),
  undoRemoval: links.page(LIVE_CHANGE_PATHS.undo),
  change: links.page('/account/reviews/changes/{change}'),
  newBrand: links.page(newBrandRoute.path),
  plan: links.api('/agent/plans/{plan}'),
  plans: links.api('/agent/plans'),
  design: links.api('/agent/design'),
  data: links.page('/account/data'),
  dataGuide: links.page('/docs/own-data'),
  search: links.page('/search'),
});

/**
 * Returns the requests that the page starts with: the market, its territories, and their colors and
 * borders.
 */
function firstRequests(
  place: string,
  query: URLSearchParams,
  { market, live, refusals, plan, borders, classes }: WorkspaceConfig['paths'],
): string[] {
  const id = new URLSearchParams(place).get('plan');
  const color = query.get('color');
  // White space is in the market.
  const hasView = readAddress(query.toString()).whiteSpace !== undefined;
  const scores = VERTICALS.map(({ slug }) => scoreOf(slug));
  const score = hasView
    ? undefined
    : color === null
      ? scores[0]
      : scores.find((one) => one === color);
  return [
    `${market}?${place}`,
    id === null ? `${live}?${place}` : pathWith(plan, id) + WITHOUT_TOTALS,
    ...(score === undefined ? [] : [pathWith(classes, score)]),
    `${borders}?${place}`,
    `${refusals}?${place}`,
  ];
}
