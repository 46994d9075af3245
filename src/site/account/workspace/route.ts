/** The workspace: people, scores, and territories on one map. */
import { changeRefusal, hasAccess, isReviewer, refusalOf } from '../../../account/access.ts';
import { APPLY_UNITS } from '../../../agent/plans/application-schema.ts';
import { PLAN_SHARE_UNITS } from '../../../agent/plans/share-schema.ts';
import { SOLVE_UNITS } from '../../../agent/plans/solve-schema.ts';
import { paletteOf } from '../../../basemap/palette.ts';
import { loadStyle } from '../../../basemap/styles.ts';
import { blendWithLand } from '../../../cartography/furniture/legends.ts';
import { placeOfZips } from '../../../market/areas.ts';
import { launchedMetros } from '../../../market/metros.ts';
import { states } from '../../../geodata/states.ts';
import { ServiceError } from '../../../errors.ts';
import { PAID_DAYS, PICTURE_UNITS } from '../../../static/paid-pictures.ts';
import { MAX_MINUTES } from '../../../outside/routing/drive-times.ts';
import { VERTICALS } from '../../../scoring/verticals.ts';
import { brandsInScope, findBrand, type Brand } from '../../../territory/brands.ts';
import { busiestPlace } from '../../../territory/held-in-market.ts';
import { bboxOfZips } from '../../../territory/map-zips.ts';
import { ownProfiles } from '../../../territory/targeting/profile.ts';
import { statesWithZips } from '../../../market/zips.ts';
import type { MemberData } from '../../framework/data.ts';
import type { Page } from '../../framework/page.ts';
import type { MemberVisit, SiteParts } from '../../framework/visit.ts';
import type { Links } from '../../links.ts';
import { loadMapSources } from '../map/load.ts';
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
import { readPlace, requirePlans, type Place } from './data/place.ts';
import { reachRoute } from './data/reach.ts';
import { zipRoute } from './data/zip.ts';
import { WORKSPACE_PATH } from './link.ts';
import { workspacePage } from './view.ts';

export const workspaceData = (parts: SiteParts): MemberData[] => [
  ...[marketRoute, liveRoute, zipRoute, bordersRoute(parts), classesRoute(parts)],
  ...[...liveChangeRoutes, reachRoute],
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
      bboxOfZips(caller.tenant.common, shown?.zips ?? []),
    ]);
    return workspacePage({ ...sources, bbox, config }, links);
  },
};

/** Returns null for an unknown place. The page then shows the country, and its data contains the error. */
async function placeOrNothing({ caller }: MemberVisit, place: string): Promise<Place | null> {
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
  { place, shown, brand }: { place: string; shown: Place | null; brand: Brand | null },
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
  const canTarget = hasAccess(caller.plan);
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
      shown?.planTerritories ?? brands.map(({ name }, i) => ({ number: i + 1, name })),
    brand: brand?.id ?? null,
    refusal: changeRefusal(caller) ?? null,
    planRefusal: refusalOf(() => requirePlans(caller)) ?? null,
    mayReview: isReviewer(caller),
    seesCountry: caller.plan.monthlyZips === null,
    territoryColors: { light: territoryColors('light'), dark: territoryColors('dark') },
    swatchColors: { light: swatchColors('light'), dark: swatchColors('dark') },
    maxDriveMinutes: driveTimes === undefined ? null : MAX_MINUTES,
    prices: {
      ...{ solve: SOLVE_UNITS, apply: APPLY_UNITS, link: PLAN_SHARE_UNITS },
      ...{ picture: PICTURE_UNITS, pictureDays: PAID_DAYS },
    },
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
  borders: links.page(BORDERS_PATH),
  zip: links.page(zipRoute.path),
  classes,
  brand: links.page('/account/brands/{brand}'),
  targeting: links.page('/account/targeting/{vertical}'),
  reach: links.page(reachRoute.path),
  previewChanges: links.page(LIVE_CHANGE_PATHS.preview),
  saveChanges: links.page(LIVE_CHANGE_PATHS.save),
  undoRemoval: links.page(LIVE_CHANGE_PATHS.undo),
  plan: links.api('/agent/plans/{plan}'),
  plans: links.api('/agent/plans'),
  design: links.api('/agent/design'),
  data: links.page('/account/data'),
  dataGuide: links.page('/docs/guides/own-data'),
  search: links.page('/search'),
});

/**
 * Returns the requests that the page starts with: the market, its territories, and their colors and
 * borders.
 */
function firstRequests(
  place: string,
  query: URLSearchParams,
  { market, live, plan, borders, classes }: WorkspaceConfig['paths'],
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
  ];
}
