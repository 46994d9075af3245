import {
  isManager,
  MANAGERS,
  requireAccess,
  requireManager,
} from '../../../../people/account/access.ts';
import type { Caller } from '../../../../people/account/caller.ts';
import { badRequest } from '../../../../errors.ts';
import { figuresOrReason } from '../../../../people/metering/figures.ts';
import { resolveMarket } from '../../../../data/market/market.ts';
import { launchedMetros } from '../../../../data/market/metros.ts';
import { fieldsOfSlug } from '../../../../territories/own-data/data-fields.ts';
import { listDataSets } from '../../../../territories/own-data/data-sets.ts';
import { PER_1000 } from '../../../../territories/own-data/amount-text.ts';
import { SIGNALS, type SignalId } from '../../../../data/scoring/signals.ts';
import { verticalBySlug } from '../../../../data/scoring/verticals.ts';
import { ownTrade } from '../../../../territories/brands/targeting/own-trade.ts';
import { findBrand, type BrandCounts } from '../../../../territories/brands/brands.ts';
import { listBrands } from '../../../../territories/brands/list-brands.ts';
import { heldZipStatuses } from '../../../../territories/brands/brand-zips.ts';
import {
  percentagesOf,
  previewTargeting,
  weightsOf,
  type Percentages,
  type TargetingPreview,
} from '../../../../territories/brands/targeting/preview.ts';
import {
  MAX_WEIGHT,
  publicWeights,
  readProfile,
  resetProfile,
  RANKED_AMONG,
  setProfile,
  type OwnWeights,
} from '../../../../territories/brands/targeting/profile.ts';
import { FormState } from '../../form-state.ts';
import type { MemberData } from '../../framework/data.ts';
import { checkedFields } from '../../framework/form-problems.ts';
import type { Page } from '../../framework/page.ts';
import type { MemberVisit, SiteParts } from '../../framework/visit.ts';
import { HTML } from '../../media-types.ts';
import type { AccountContent } from '../frame.ts';
import {
  AMONG_FIELD,
  fieldOf,
  PREVIEW_PATH,
  previewTable,
  RESET_PATH,
  TARGETING_PATH,
  targetingAddress,
  targetingPage,
  VERTICAL_PATH,
  type OfferedSignal,
  type TargetingContent,
} from './view.ts';

const SHOWN_ZIPS = 15;
const OFFERED_BRANDS = 200;

/** The navigation links here: it shows the organization's trade. */
export const firstTargetingRoute: Page<'account'> = {
  audience: 'account',
  path: TARGETING_PATH,
  async show(visit, state) {
    const { slug } = await ownTrade(visit.caller.tenant);
    return showTargeting({ ...visit, params: { vertical: slug } }, state);
  },
};

export const targetingRoute: Page<'account'> = {
  audience: 'account',
  path: VERTICAL_PATH,
  show: showTargeting,
  forms: [
    {
      needs: 'reader',
      async submit(visit, fields) {
        const { caller, params } = visit;
        const weights = readWeights(fields, await offeredSignals(caller));
        if (fields.get('do') === 'preview') {
          const preview = await loadPreview(visit, fields.get('area') ?? '', weights);
          return { page: await showTargeting(visit, FormState.EMPTY, { fields, preview }) };
        }
        // Everyone may preview.
        requireManager(caller);
        const { tenant, actor } = caller;
        await setProfile(tenant, actor, params.vertical!, weights.weights, weights.among);
        return { to: targetingAddress(params.vertical!), notice: 'weights-saved' };
      },
    },
    {
      path: RESET_PATH,
      roles: MANAGERS,
      allBrands: true,
      needs: 'reader',
      async submit({ caller, params }) {
        await resetProfile(caller.tenant, caller.actor, params.vertical!);
        return { to: targetingAddress(params.vertical!), notice: 'weights-reset' };
      },
    },
  ],
};

export const targetingPreviewRoute: MemberData = {
  audience: 'member',
  method: 'post',
  path: PREVIEW_PATH,
  type: HTML,
  needs: 'reader',
  async answer(visit, fields) {
    const weights = readWeights(fields, await offeredSignals(visit.caller));
    const table = previewTable(await loadPreview(visit, fields.get('area') ?? '', weights));
    return { body: table.text, headers: { 'Content-Type': HTML } };
  },
};

/** @param tried weights that were entered but not saved, and their preview */
async function showTargeting(
  visit: MemberVisit,
  form: FormState,
  tried?: { fields: URLSearchParams; preview: TargetingPreview },
): Promise<AccountContent> {
  const { caller, params, links } = visit;
  const { tenant, brandScope, organization } = caller;
  const vertical = verticalBySlug(params.vertical!);
  const [profile, signals, brands] = await Promise.all([
    readProfile(tenant, vertical.slug),
    offeredSignals(caller),
    listBrands(tenant, brandScope, { limit: OFFERED_BRANDS }),
  ]);
  const areas = areasOf(brands.rows);
  const area = tried?.fields.get('area') ?? areas[0]!.areas[0]!.value;
  const content: TargetingContent = {
    organization,
    form,
    vertical,
    signals,
    among: tried ? readAmong(tried.fields) : profile.among,
    isOwn: profile.own,
    weights: tried ? enteredPercentages(tried.fields, signals) : percentagesOf(profile.weights),
    publicWeights: percentagesOf(publicWeights(vertical.slug)),
    areas,
    area,
    preview: tried?.preview ?? (await firstPreview(visit, area, profile)),
    maySave: isManager(caller),
  };
  return targetingPage(content, links);
}

/** @returns the preview, or the reason why the caller can't have one */
async function firstPreview(
  visit: MemberVisit,
  area: string,
  weights: OwnWeights,
): Promise<TargetingContent['preview']> {
  try {
    requireAccess(visit.caller);
  } catch (error) {
    return { withheld: (error as Error).message };
  }
  return figuresOrReason(() => loadPreview(visit, area, weights));
}

async function loadPreview(
  { db, caller, params }: MemberVisit,
  area: string,
  { weights, among }: OwnWeights,
): Promise<TargetingPreview> {
  const zips = await zipsOfArea(db, caller, area);
  const previewed = { vertical: params.vertical!, zips, weights, among };
  return previewTargeting(db, caller, previewed, SHOWN_ZIPS);
}

const BRAND = 'brand:';
const METRO = 'metro:';

/** Brands that hold ZIP codes, then metros */
function areasOf(brands: readonly BrandCounts[]): TargetingContent['areas'] {
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

async function zipsOfArea(
  db: SiteParts['db'],
  { tenant, brandScope }: Caller,
  area: string,
): Promise<string[]> {
  if (area.startsWith(BRAND)) {
    const brand = await findBrand(tenant, brandScope, area.slice(BRAND.length));
    return [...(await heldZipStatuses(tenant, brand)).keys()];
  }
  if (!area.startsWith(METRO)) throw badRequest('Choose a brand or a metro to preview.');
  return (await resolveMarket(db, { metro: area.slice(METRO.length) })).zips;
}

/** Those of the Census, and the organization's data sets */
async function offeredSignals(caller: Caller): Promise<OfferedSignal[]> {
  const sets = await listDataSets(caller.tenant);
  return [
    ...(Object.keys(SIGNALS) as SignalId[]).map((id) => {
      const { label, kind } = SIGNALS[id];
      return { id, label, kind };
    }),
    ...sets.flatMap(({ slug, name, addsUp }): OfferedSignal[] => {
      const [amount, rate] = fieldsOfSlug(slug);
      const offered = { id: amount, label: name, kind: 'own' } as const;
      return addsUp === 'mean'
        ? [offered]
        : [offered, { id: rate, label: `${name} ${PER_1000}`, kind: 'own' }];
    }),
  ];
}

/** @throws ServiceError 400, each problem at its field */
function readWeights(fields: URLSearchParams, signals: readonly OfferedSignal[]): OwnWeights {
  const percentages = checkedFields(
    Object.fromEntries(
      signals.map(({ id }) => [fieldOf(id), () => readPercentage(fields.get(fieldOf(id)))]),
    ),
  );
  const entries = signals.map(({ id }) => [id, percentages[fieldOf(id)]!] as const);
  if (entries.every(([, percentage]) => percentage === 0)) {
    throw badRequest('Give at least one signal a weight other than 0.');
  }
  return { weights: weightsOf(Object.fromEntries(entries)), among: readAmong(fields) };
}

const readAmong = (fields: URLSearchParams) =>
  RANKED_AMONG.find((among) => among === fields.get(AMONG_FIELD)) ?? 'nation';

/** @returns the weight to one decimal; 0 if the field is empty */
function readPercentage(text: string | null): number {
  const percentage = Number(text?.trim() ?? '');
  if (Number.isFinite(percentage) && Math.abs(percentage) <= MAX_WEIGHT) {
    return Math.round(10 * percentage) / 10;
  }
  throw badRequest(`Enter a number from -${MAX_WEIGHT} to ${MAX_WEIGHT}.`);
}

/** The weights as they were entered, to show them again */
const enteredPercentages = (fields: URLSearchParams, signals: readonly OfferedSignal[]) =>
  Object.fromEntries(
    signals.map(({ id }) => [id, Number(fields.get(fieldOf(id)) ?? '')]),
  ) as Percentages;
