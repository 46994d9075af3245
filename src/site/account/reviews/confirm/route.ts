/** Confirms a decision: shows its effect, then approves or rejects. */
import { isReviewer, requireChange, requireRole, REVIEWERS } from '../../../../account/access.ts';
import type { Caller } from '../../../../account/caller.ts';
import type { TenantTransaction } from '../../../../account/tenant.ts';
import { badRequest } from '../../../../errors.ts';
import { MAX_REMARK_LENGTH, REJECTION_REASONS } from '../../../../territory/rejection-reasons.ts';
import { approveReviews, rejectReviews, type Decided } from '../../../../territory/review.ts';
import { selectedReviews } from '../../../../territory/review-queue.ts';
import { readActivityLog } from '../../../../territory/activity-log.ts';
import { FormState } from '../../../form-state.ts';
import type { Form, Outcome, Page } from '../../../framework/page.ts';
import { checkedFields } from '../../../framework/form-problems.ts';
import type { MemberVisit } from '../../../framework/visit.ts';
import type { AccountContent } from '../../frame.ts';
import { notReviewerPage } from '../not-reviewer.ts';
import { readChoice, readQueueFilter } from '../queue-query.ts';
import { MAX_SUMMARIES } from '../queue/route.ts';
import { CONFIRM_PATH } from '../queue/view.ts';
import {
  APPROVE_PATH,
  confirmPage,
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
  const { tenant, brandScope } = visit.caller;
  const filter = readQueueFilter(fields, new Date());
  const chosen = await selectedReviews(tenant, brandScope, filter, readChoice(fields));
  return confirmPage({ form, fields, decision, chosen }, visit.links);
}

const decisionForm = (
  path: string,
  decide: Decide,
  readReason: (fields: URLSearchParams) => string,
): Form<'account'> => ({
  path,
  async submit(visit, fields) {
    const { caller } = visit;
    requireRole(caller, REVIEWERS, 'Deciding a review');
    requireChange(caller);
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
): Promise<Outcome<'account'>> {
  const decided = entries.slice(0, MAX_SUMMARIES).join(' ');
  if (notOpen.length + refused.length === 0) return { to: queueAddress(fields, { decided }) };
  const { tenant, brandScope } = caller;
  const choice = { ids: notOpen.map(({ id }) => id), picked: [], batchIds: [], all: false };
  const [decidedBefore, trail] = await Promise.all([
    selectedReviews(tenant, brandScope, {}, choice),
    readActivityLog(tenant, brandScope, { ids: entries }, { limit: MAX_SUMMARIES }),
  ]);
  const summaries = trail.rows.map(({ summary }) => summary);
  return { page: partlyDecidedPage({ summaries, decidedBefore, refused, fields }, links) };
}

export const confirmRoute: Page<'account'> = {
  audience: 'account',
  path: CONFIRM_PATH,
  show(visit, state) {
    const isRejection = state.of(REJECT_PATH) === state;
    return show(visit, state, state.fields, isRejection ? 'reject' : 'approve');
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
