/** The review queue, as reviewers work through it. Everybody else is told who decides. */
import { requireRole, REVIEWERS } from '../../../../account/access.ts';
import type { Caller } from '../../../../account/caller.ts';
import { listMembers } from '../../../../account/members.ts';
import type { Tenant } from '../../../../account/tenant.ts';
import { readDatasets } from '../../../../db/datasets.ts';
import { badRequest } from '../../../../errors.ts';
import { NATIONAL_ZIP_ZOOMS } from '../../../../cartography/national-zip-tiles.ts';
import { DECIDED_PATH, DECISIONS, decidedPage } from '../../activity/view.ts';
import {
  APPROVE_PATH,
  confirmPage,
  MAX_REMARK,
  OTHER_REASON,
  partlyDecidedPage,
  queueWith,
  REASONS,
  REJECT_PATH,
} from '../confirm/view.ts';
import { CONFIRM_PATH, notReviewerPage, QUEUE_PATH, queuePage } from './view.ts';
import { FormState } from '../../../form-state.ts';
import {
  approveReviews,
  countPendingReviews,
  rejectReviews,
  type Decided,
} from '../../../../territory/review.ts';
import {
  selectedReviews,
  queueBbox,
  queueParts,
  pendingRequests,
} from '../../../../territory/review-queue.ts';
import { bboxOfZips } from '../../../../territory/map-zips.ts';
import { readActivityLog } from '../../../../territory/activity-log.ts';
import { verticalScores } from '../../../../territory/vertical-scores.ts';
import { trailContent } from '../../activity/route.ts';
import type { Form, Outcome, PersonPage } from '../../../framework/page.ts';
import { changeHindrance, requireChange } from '../../../../account/may-change.ts';
import { checkedFields } from '../../../framework/form-problems.ts';
import { residentOf } from '../../viewer.ts';
import { chosenOf, queueFilter, queueVertical } from '../queue-query.ts';
import type { MemberVisit, PeopleParts } from '../../../framework/visit.ts';

const SHOWN = 100;

export const reviewQueue = ({ db }: PeopleParts): PersonPage<MemberVisit> => ({
  path: QUEUE_PATH,
  show: async (visit, _form) => {
    const common = await residentOf(db, visit);
    if (!decides(visit.caller)) return toOthers(visit, common);
    const { caller, query, links } = visit;
    const { tenant, brandScope } = caller;
    const now = new Date();
    const page = { cursor: query.get('cursor') ?? undefined, limit: SHOWN };
    const vertical = queueVertical(query);
    const filter = queueFilter(query, now);
    const [queue, parts, bbox, facts, told] = await Promise.all([
      pendingRequests(tenant, brandScope, filter, page),
      queueParts(tenant, brandScope),
      queueBbox(tenant, brandScope, filter),
      readDatasets(db),
      toldEntries(caller, query),
    ]);
    const vintage = facts.get('boundaries')?.vintage ?? '';
    // What is to be decided first is in sight first.
    const [first] = queue.requests;
    const start =
      first &&
      (await bboxOfZips(
        tenant,
        first.zips.map(({ zip }) => zip),
      ));
    const map = { bbox, ...(start && { start }), vintage, zooms: NATIONAL_ZIP_ZOOMS };
    const zips = queue.requests.flatMap((request) => request.zips.map(({ zip }) => zip));
    const scores = await verticalScores(db, tenant, vertical, zips);
    const hindrance = changeHindrance(caller);
    const content = { ...common, query, queue, parts, map, vertical, scores, told, now, hindrance };
    return queuePage(content, links);
  },
});

const decides = ({ role }: Caller) => role !== null && REVIEWERS.includes(role);

async function toOthers(
  { caller, links }: MemberVisit,
  { resident }: Awaited<ReturnType<typeof residentOf>>,
): Promise<string> {
  const [members, waiting] = await Promise.all([
    listMembers(caller.tenant),
    countPendingReviews(caller.tenant, caller.brandScope),
  ]);
  const deciders = members.filter(({ role }) => REVIEWERS.includes(role));
  return notReviewerPage({ resident, deciders, waiting }, links);
}

/** Their own decisions that the address names: what it says comes from the trail. */
async function toldEntries({ tenant, brandScope, actor }: Caller, query: URLSearchParams) {
  const ids = (query.get('told') ?? '').split(' ').filter((id) => /^\d{1,15}$/.test(id));
  if (ids.length === 0) return [];
  const filter = { ids: ids.map(Number), actions: DECISIONS, actor: actor.id! };
  return (await readActivityLog(tenant, brandScope, filter, { limit: TOLD })).rows;
}

/** Brands in one decision that are told of, each by a sentence. */
const TOLD = 20;

/** Between the queue and a decision: what it would do. Sent wrongly, a decision comes back here. */
export function reviewDecision({ db }: PeopleParts): PersonPage<MemberVisit> {
  const show = async (
    visit: MemberVisit,
    form: FormState,
    fields: URLSearchParams,
    decision: 'approve' | 'reject',
  ) => {
    const common = await residentOf(db, visit);
    if (!decides(visit.caller)) return toOthers(visit, common);
    const { tenant, brandScope } = visit.caller;
    const filter = queueFilter(fields, new Date());
    const chosen = await selectedReviews(tenant, brandScope, filter, chosenOf(fields));
    return confirmPage({ ...common, form, fields, decision, chosen }, visit.links);
  };
  const decisionForm = (
    path: string,
    decide: (
      tx: Tenant,
      caller: Caller,
      ids: readonly string[],
      reason: string,
    ) => Promise<Decided>,
    reasonOf: (fields: URLSearchParams) => string,
  ): Form<MemberVisit> => ({
    path,
    submit: async (visit, fields) => {
      const { caller } = visit;
      requireRole(caller, REVIEWERS, 'Deciding a review');
      requireChange(caller);
      const { ids } = chosenOf(fields);
      if (ids.length === 0) throw badRequest('Nothing was chosen.');
      const reason = reasonOf(fields);
      const decided = await caller.tenant.transaction((tx) => decide(tx, caller, ids, reason));
      return outcomeOf(visit, fields, decided);
    },
  });
  const outcomeOf = async (
    visit: MemberVisit,
    fields: URLSearchParams,
    { entries, notOpen }: Decided,
  ): Promise<Outcome> => {
    const told = entries.slice(0, TOLD).join(' ');
    if (notOpen.length === 0) return { to: queueWith(fields, { told }) };
    const { tenant, brandScope } = visit.caller;
    const choice = { ids: notOpen.map(({ id }) => id), picked: [], batchIds: [], all: false };
    const [{ resident }, gone, trail] = await Promise.all([
      residentOf(db, visit),
      selectedReviews(tenant, brandScope, {}, choice),
      readActivityLog(tenant, brandScope, { ids: entries }, { limit: TOLD }),
    ]);
    const summaries = trail.rows.map(({ summary }) => summary);
    return { page: partlyDecidedPage({ resident, summaries, gone, fields }, visit.links) };
  };
  return {
    path: CONFIRM_PATH,
    show: (visit, form) => {
      const rejects = form.of(REJECT_PATH) === form;
      return show(visit, form, form.fields, rejects ? 'reject' : 'approve');
    },
    forms: [
      {
        path: CONFIRM_PATH,
        submit: async (visit, fields) => {
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
        reasonIn,
      ),
    ],
  };
}

/** @throws FormProblems beside what is missing */
function reasonIn(fields: URLSearchParams): string {
  const { reason, remark } = checkedFields({
    reason: () => {
      const chosen = [...REASONS, OTHER_REASON].find((one) => one === fields.get('reason'));
      if (chosen) return chosen;
      throw badRequest('Choose a reason: whoever asked is told.');
    },
    remark: () => {
      const text = (fields.get('remark') ?? '').trim();
      if (text.length > MAX_REMARK) throw badRequest(`At most ${MAX_REMARK} characters.`);
      if (text !== '' || fields.get('reason') !== OTHER_REASON) return text;
      throw badRequest('Say here what the reason is.');
    },
  });
  if (reason === OTHER_REASON) return remark;
  return remark === '' ? reason : `${reason}: ${remark}`;
}

export const decidedReviews = ({ db }: PeopleParts): PersonPage<MemberVisit> => ({
  path: DECIDED_PATH,
  show: async (visit, form) => {
    const [common, trail] = await Promise.all([
      residentOf(db, visit),
      trailContent(visit, DECISIONS),
    ]);
    return decidedPage({ ...common, ...trail, form }, visit.links);
  },
});
