/** The organisation's own weights: edited, looked at before they count, saved. */
import { requireAccess, requireRole } from '../../../account/access.ts';
import type { Caller } from '../../../account/caller.ts';
import { badRequest } from '../../../errors.ts';
import { resolveMarket } from '../../../market/market.ts';
import { launchedMetros } from '../../../market/metros.ts';
import { verticalBySlug } from '../../../market/public/launched.ts';
import { SIGNALS, type SignalId } from '../../../scoring/signals.ts';
import { VERTICALS } from '../../../scoring/verticals.ts';
import {
  fieldOf,
  PREVIEW_PATH,
  previewTable,
  RESET_PATH,
  TARGETING_PATH,
  targetingAddress,
  targetingPage,
  VERTICAL_PATH,
  type TargetingContent,
} from './view.ts';
import { FormState } from '../../form-state.ts';
import { HTML } from '../../page.ts';
import { brandNamed, listBrands, type BrandCounts } from '../../../territory/brands.ts';
import { heldZipStatuses } from '../../../territory/brand-zips.ts';
import {
  percentagesOf,
  previewTargeting,
  weightsOf,
  type TargetingPreview,
} from '../../../territory/targeting-preview.ts';
import {
  publicWeights,
  readProfile,
  resetProfile,
  setProfile,
  type Weights,
} from '../../../territory/targeting-profile.ts';
import type { MemberData } from '../../framework/data.ts';
import { MANAGERS } from '../../../account/managers.ts';
import type { PersonPage } from '../../framework/page.ts';
import { checkedFields } from '../../framework/form-problems.ts';
import { residentOf } from '../viewer.ts';
import type { MemberVisit, PeopleParts } from '../../framework/visit.ts';

const SHOWN_ZIPS = 15;
const OFFERED_BRANDS = 200;

export function targeting(parts: PeopleParts): PersonPage<MemberVisit> {
  const show = (visit: MemberVisit, form: FormState) => shown(parts, visit, form);
  return {
    path: VERTICAL_PATH,
    show,
    forms: [
      {
        path: VERTICAL_PATH,
        submit: async (visit, fields) => {
          const { caller, params } = visit;
          const vertical = params.vertical!;
          requireAccess(caller);
          const weights = weightsIn(fields);
          if (fields.get('do') === 'preview') {
            const preview = await previewOf(parts, caller, { vertical, fields, weights });
            return { page: await shown(parts, visit, FormState.EMPTY, { fields, preview }) };
          }
          requireRole(caller, MANAGERS, 'Saving weights');
          await setProfile(caller.tenant, caller.actor, vertical, weights);
          return { to: targetingAddress(vertical), notice: 'weights-saved' };
        },
      },
      {
        path: RESET_PATH,
        submit: async ({ caller, params }) => {
          requireAccess(caller);
          requireRole(caller, MANAGERS, 'Saving weights');
          await resetProfile(caller.tenant, caller.actor, params.vertical!);
          return { to: targetingAddress(params.vertical!), notice: 'weights-reset' };
        },
      },
    ],
  };
}

/** Where the navigation leads: the first vertical's. */
export const firstTargeting = (parts: PeopleParts): PersonPage<MemberVisit> => ({
  path: TARGETING_PATH,
  show: (visit, form) => shown(parts, { ...visit, params: { vertical: VERTICALS[0]!.slug } }, form),
});

/** The table of what weights would rank first, anew while they change. */
export const targetingPreview = (parts: PeopleParts): MemberData => ({
  method: 'post',
  path: PREVIEW_PATH,
  type: HTML,
  async answer({ caller, params }, fields) {
    requireAccess(caller);
    const asked = { vertical: params.vertical!, fields, weights: weightsIn(fields) };
    const preview = await previewOf(parts, caller, asked);
    return { body: previewTable(preview).text, headers: { 'Content-Type': HTML } };
  },
});

/** @param tried weights that were filled in to be looked at, and what they give */
async function shown(
  parts: PeopleParts,
  visit: MemberVisit,
  form: FormState,
  tried?: { fields: URLSearchParams; preview: TargetingPreview },
): Promise<string> {
  const { caller, params, links } = visit;
  const { tenant, brandScope, role } = caller;
  const { slug, label } = verticalBySlug(params.vertical!);
  const [common, profile, brands] = await Promise.all([
    residentOf(parts.db, visit),
    readProfile(tenant, slug),
    listBrands(tenant, brandScope, { limit: OFFERED_BRANDS }),
  ]);
  const areas = groupNearby(brands.rows);
  const area = tried?.fields.get('area') ?? areas[0]!.areas[0]!.value;
  const content: TargetingContent = {
    ...common,
    form,
    vertical: { slug, label },
    own: profile.own,
    weights: tried ? percentagesIn(tried.fields) : percentagesOf(profile.weights),
    publicWeights: percentagesOf(publicWeights(slug)),
    areas,
    area,
    preview: tried?.preview ?? (await firstPreview(parts, caller, slug, area, profile.weights)),
    maySave: role !== null && MANAGERS.includes(role),
  };
  return targetingPage(content, links);
}

/** Or the sentence that says why there is none, with the page around it. */
async function firstPreview(
  { db }: PeopleParts,
  caller: Caller,
  vertical: string,
  area: string,
  weights: Weights,
): Promise<TargetingPreview | string> {
  try {
    requireAccess(caller);
  } catch (error) {
    return (error as Error).message;
  }
  const zips = await zipsOf(db, caller, area);
  return previewTargeting(db, caller.tenant, { vertical, zips, weights }, SHOWN_ZIPS);
}

async function previewOf(
  { db }: PeopleParts,
  caller: Caller,
  { vertical, fields, weights }: { vertical: string; fields: URLSearchParams; weights: Weights },
): Promise<TargetingPreview> {
  const zips = await zipsOf(db, caller, fields.get('area') ?? '');
  return previewTargeting(db, caller.tenant, { vertical, zips, weights }, SHOWN_ZIPS);
}

const BRAND = 'brand:';
const METRO = 'metro:';

/** Brands that hold ZIPs before metros. */
function groupNearby(brands: readonly BrandCounts[]): TargetingContent['areas'] {
  const holding = brands.filter(({ live, pending }) => live + pending > 0);
  const groups = [
    {
      label: 'Brands',
      areas: holding.map(({ slug, name }) => ({ value: BRAND + slug, label: name })),
    },
    {
      label: 'Metros',
      areas: launchedMetros().map(({ slug, label }) => ({ value: METRO + slug, label })),
    },
  ];
  return groups.filter(({ areas }) => areas.length > 0);
}

async function zipsOf(
  db: PeopleParts['db'],
  { tenant, brandScope }: Caller,
  area: string,
): Promise<string[]> {
  if (area.startsWith(BRAND)) {
    const brand = await brandNamed(tenant, brandScope, area.slice(BRAND.length));
    return [...(await heldZipStatuses(tenant, brand)).keys()];
  }
  if (!area.startsWith(METRO)) throw badRequest('Choose a brand or a metro to look at.');
  return (await resolveMarket(db, { metro: area.slice(METRO.length) })).zips;
}

const SIGNAL_IDS = Object.keys(SIGNALS) as SignalId[];

/** @throws ServiceError 400, each problem beside its field */
function weightsIn(fields: URLSearchParams): Weights {
  const percentages = checkedFields(
    Object.fromEntries(
      SIGNAL_IDS.map((signal) => [fieldOf(signal), () => percentage(fields.get(fieldOf(signal)))]),
    ),
  );
  const given = SIGNAL_IDS.map((signal) => [signal, percentages[fieldOf(signal)]!] as const);
  if (given.every(([, percent]) => percent === 0)) {
    throw badRequest('At least one signal must count: give it a weight other than 0.');
  }
  return weightsOf(Object.fromEntries(given));
}

/** Left empty: it does not count. */
function percentage(given: string | null): number {
  const percent = Number(given?.trim() ?? '');
  if (Number.isFinite(percent) && Math.abs(percent) <= 100) return Math.round(10 * percent) / 10;
  throw badRequest('A weight is a number from -100 to 100.');
}

/** As they were filled in, for showing them again. */
const percentagesIn = (fields: URLSearchParams) =>
  Object.fromEntries(
    SIGNAL_IDS.map((signal) => [signal, Number(fields.get(fieldOf(signal)) ?? '')]),
  ) as TargetingContent['weights'];
