/** Confirms a decision: shows its effect, then approves or rejects. */
import { isReviewer, REVIEWERS } from '../../../../../people/account/access.ts';
import type { Caller } from '../../../../../people/account/caller.ts';
import type { TenantTransaction } from '../../../../../people/account/tenant.ts';
import { group as groupBy } from 'd3-array';
import { verticalBySlug } from '../../../../../data/scoring/verticals.ts';
import { figuresOrReason } from '../../../../../people/metering/figures.ts';
import { badRequest } from '../../../../../errors.ts';
import {
  MAX_REMARK_LENGTH,
  REJECTION_REASONS,
} from '../../../../../territories/brands/rejection-reasons.ts';
import {
  approveReviews,
  rejectReviews,
  type Decided,
} from '../../../../../territories/brands/review.ts';
import {
  selectedReviews,
  type ChosenReview,
} from '../../../../../territories/brands/review-queue.ts';
import { effectOfChange } from '../../../../../territories/brands/effect.ts';
import { extentOfZips } from '../../../../../territories/brands/map-zips.ts';
import { verticalScores } from '../../../../../territories/brands/targeting/vertical-scores.ts';
import { readActivityLog } from '../../../../../territories/brands/activity-log.ts';
import { FormState } from '../../../form-state.ts';
import type { Form, FormOutcome, Page } from '../../../framework/page.ts';
import { checkedFields } from '../../../framework/form-problems.ts';
import type { MemberVisit } from '../../../framework/visit.ts';
import type { AccountContent } from '../../frame.ts';
import { loadMapSources } from '../../map/load.ts';
import { notReviewerPage } from '../not-reviewer.ts';
import { readChoice, readQueueFilter, readVertical } from '../queue-query.ts';
import { MAX_SUMMARIES } from '../queue/route.ts';
import { CONFIRM_PATH, QUEUE_MAP_PATH } from '../queue/view.ts';
import {
  APPROVE_PATH,
  confirmPage,
  MAX_SCORED,
  openReviews,
  OTHER_REASON,
  partlyDecidedPage,
  queueAddress,
  REJECT_PATH,
} from './view.ts';

type Decide = (
  tx: TenantTransaction,
  caller: Caller,
  ids: readonly string[],
  reason: string,
) => Promise<Decided>;

async function show(
  visit: MemberVisit,
  form: FormState,
  fields: URLSearchParams,
  decision: 'approve' | 'reject',
): Promise<AccountContent> {
  if (!isReviewer(visit.caller)) return notReviewerPage(visit);
  const { db, caller, links } = visit;
  const { tenant, brandScope } = caller;
  const now = new Date();
  const filter = readQueueFilter(fields, now);
  const chosen = await selectedReviews(tenant, brandScope, filter, readChoice(fields));
  const open = openReviews(chosen, decision);
  const groups = [...groupBy(open, ({ brand }) => brand.id).values()];
  const measures = decision === 'approve' && groups.length <= MAX_MEASURED;
  const brands = groups.map(async (reviews) => {
    const added = reviews.map(({ zip }) => zip);
    const brand = reviews[0]!.brand;
    const change = { added, countsPending: false };
    const effect = measures ? await effectOfChange(db, caller, brandScope, brand, change) : null;
    return { brand, reviews, effect };
  });
  const zips = [...new Set(open.map(({ zip }) => zip))];
  const listed = groups.filter((reviews) => reviews.length <= MAX_SCORED).flat();
  const vertical = verticalBySlug(await readVertical(tenant, fields));
  const [scores, map, ...decided] = await Promise.all([
    figuresOrReason(() =>
      verticalScores(
        db,
        caller,
        vertical.slug,
        listed.map(({ zip }) => zip),
      ),
    ),
    open.length > 0 ? mapOf(visit, groups, zips) : null,
    ...brands,
  ]);
  const shown = { form, fields, decision, chosen, brands: decided, vertical, scores, map, now };
  return confirmPage(shown, links);
}

/** Largest number of brands whose effect is measured, because each measures the borders of the country */
const MAX_MEASURED = 5;

async function mapOf(
  visit: MemberVisit,
  groups: readonly (readonly ChosenReview[])[],
  zips: readonly string[],
) {
  const { tenant } = visit.caller;
  const [extent, sources] = await Promise.all([
    extentOfZips(tenant.common, zips),
    loadMapSources(visit),
  ]);
  const [only, ...others] = groups.map((reviews) => reviews[0]!.brand.id);
  const query = others.length === 0 ? `?${new URLSearchParams({ brand: only! })}` : '';
  return { ...extent, ...sources, data: visit.links.page(QUEUE_MAP_PATH + query) };
}

const decisionForm = (
  path: string,
  decide: Decide,
  readReason: (fields: URLSearchParams) => string,
): Form<'account'> => ({
  path,
  roles: REVIEWERS,
  needs: 'writer',
  async submit(visit, fields) {
    const { caller } = visit;
    const { ids } = readChoice(fields);
    if (ids.length === 0) throw badRequest('Choose at least one ZIP code.');
    const reason = readReason(fields);
    const decided = await caller.tenant.transaction((tx) => decide(tx, caller, ids, reason));
    return outcomeOf(visit, fields, decided);
  },
});

async function outcomeOf(
  { caller, links }: MemberVisit,
  fields: URLSearchParams,
  { entries, notOpen, refused }: Decided,
): Promise<FormOutcome<'account'>> {
  const decided = entries.slice(0, MAX_SUMMARIES).join(' ');
  if (notOpen.length + refused.length === 0) return { to: queueAddress(fields, { decided }) };
  const { tenant, brandScope } = caller;
  const choice = { ids: notOpen.map(({ id }) => id), picked: [], batchIds: [], all: false };
  const [decidedBefore, trail] = await Promise.all([
    selectedReviews(tenant, brandScope, {}, choice),
    readActivityLog(tenant, brandScope, { ids: entries }, { limit: MAX_SUMMARIES }),
  ]);
  const decisions = trail.rows;
  return { page: partlyDecidedPage({ decisions, decidedBefore, refused, fields }, links) };
}

export const confirmRoute: Page<'account'> = {
  audience: 'account',
  path: CONFIRM_PATH,
  show(visit, state) {
    // The address of a request names it.
    const fields = state.isUnsent ? visit.query : state.fields;
    const isRejection = state.isUnsent
      ? fields.get('decision') === 'reject'
      : state.of(REJECT_PATH) === state;
    return show(visit, state, fields, isRejection ? 'reject' : 'approve');
  },
  forms: [
    {
      async submit(visit, fields) {
        const decision = fields.get('decision') === 'reject' ? 'reject' : 'approve';
        return { page: await show(visit, FormState.EMPTY, fields, decision) };
      },
    },
    decisionForm(
      APPROVE_PATH,
      (tx, caller, ids) => approveReviews(tx, caller, { ids }),
      () => '',
    ),
    decisionForm(
      REJECT_PATH,
      (tx, caller, ids, reason) => rejectReviews(tx, caller, { ids }, reason),
      readRejectionReason,
    ),
  ],
};

/** @throws ServiceError 400 with each problem at its field */
function readRejectionReason(fields: URLSearchParams): string {
  const { reason, remark } = checkedFields({
    reason: () => {
      const reasons = [...REJECTION_REASONS, OTHER_REASON];
      const chosen = reasons.find((one) => one === fields.get('reason'));
      if (chosen) return chosen;
      throw badRequest('Choose a reason. The requester sees it.');
    },
    remark: () => {
      const text = (fields.get('remark') ?? '').trim();
      if (text.length > MAX_REMARK_LENGTH) {
        throw badRequest(`Enter at most ${MAX_REMARK_LENGTH} characters.`);
      }
      if (text !== '' || fields.get('reason') !== OTHER_REASON) return text;
      throw badRequest('Enter the reason here.');
    },
  });
  if (reason === OTHER_REASON) return remark;
  return remark === '' ? reason : `${reason}: ${remark}`;
}
