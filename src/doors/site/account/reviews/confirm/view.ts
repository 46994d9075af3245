/** The effect of a decision, before it is made, and its result. */
import { group as groupBy } from 'd3-array';
import type { Vertical } from '../../../../../data/scoring/verticals.ts';
import { isWithheld, type LimitReason } from '../../../../../people/metering/figures.ts';
import type { Brand } from '../../../../../territories/brands/brands.ts';
import type { Effect } from '../../../../../territories/brands/effect.ts';
import type { OwnScores } from '../../../../../territories/brands/targeting/vertical-scores.ts';
import {
  MAX_REMARK_LENGTH,
  REJECTION_REASONS,
} from '../../../../../territories/brands/rejection-reasons.ts';
import type { RefusedReview } from '../../../../../territories/brands/review.ts';
import type { ChosenReview } from '../../../../../territories/brands/review-queue.ts';
import { minute } from '../../../format.ts';
import type { FormState } from '../../../form-state.ts';
import { choices, textField, wholeProblem } from '../../../forms.ts';
import { html, type Html } from '../../../html.ts';
import type { Links } from '../../../links.ts';
import { actorText } from '../../actor.ts';
import type { AccountContent } from '../../frame.ts';
import { reviewText } from '../../labels.ts';
import { records } from '../../../records.ts';
import { minuteTag, scoreChip } from '../../../parts.ts';
import { MAX_ZIPS_IN_LINK, workspaceLink } from '../../../workspace/link.ts';
import { cautions, effectTable, openingWarnings, zipGroup } from '../../brands/brand/effect.ts';
import { brandPath } from '../../brands/brand/frame.ts';
import { territoryFrame, type MapBase, type TerritoryFrame } from '../../map/view.ts';
import { withheldNotice } from '../../withheld-notice.ts';
import {
  ago,
  CONFIRM_PATH,
  decisionNotice,
  filterFields,
  QUEUE_FILTERS,
  QUEUE_PATH,
} from '../queue/view.ts';
import { formatCount, joinFirst, pluralize } from '../../../../../base/text/words.ts';

export const APPROVE_PATH = '/account/reviews/approve';
export const REJECT_PATH = '/account/reviews/reject';

export const OTHER_REASON = 'other';

/** Reviews of one brand that can be decided */
interface BrandDecision {
  brand: Brand;
  reviews: readonly ChosenReview[];
  /** The effect of approving them; null for a rejection, and if too many brands are decided at once */
  effect: Effect | null;
}

interface ConfirmContent {
  form: FormState;
  decision: 'approve' | 'reject';
  /** Include the filters of the queue, for the link that returns to it */
  fields: URLSearchParams;
  chosen: readonly ChosenReview[];
  brands: readonly BrandDecision[];
  /** The vertical of the scores */
  vertical: Vertical;
  /** Of listed ZIP codes, or the reason why the subscription doesn't include them */
  scores: OwnScores | LimitReason;
  /** Null if there is nothing to decide */
  map: (MapBase & Pick<TerritoryFrame, 'data'>) | null;
  now: Date;
}

/** Returns the reviews that the decision changes. */
export const openReviews = (
  chosen: readonly ChosenReview[],
  decision: ConfirmContent['decision'],
): ChosenReview[] =>
  chosen.filter(
    ({ status, blocked }) => status === 'pending' && (decision === 'reject' || blocked === null),
  );

export function confirmPage(content: ConfirmContent, links: Links): AccountContent {
  const { form, decision, chosen, brands, map, fields } = content;
  const approves = decision === 'approve';
  const open = openReviews(chosen, decision);
  const blocked = chosen.flatMap((review) =>
    approves && review.status === 'pending' && review.blocked !== null
      ? [{ ...review, reason: review.blocked }]
      : [],
  );
  const decidedBefore = chosen.filter(({ status }) => status !== 'pending');
  const what = zipCodes(open.length);
  const nothing = blocked.length > 0 ? 'Nothing to approve' : 'Nothing to decide';
  const title = open.length === 0 ? nothing : `${approves ? 'Approve' : 'Reject'} ${what}`;
  const main = html`${wholeProblem(form)}
    ${
      chosen.length === 0 &&
      html`<p>Nothing selected. Select ZIP codes, whole requests, or all pending ZIP codes.</p>`
    }
    <div class="queue-body">
      ${
        map &&
        html`<div class="queue-map" data-chosen="${open.map(({ zip }) => zip).join(' ')}">
          ${territoryFrame(
            { ...map, shown: ['selected', 'pending', 'live', 'shared', 'isolated'] },
            links,
          )}
        </div>`
      }
      <div class="queue-list">
        ${brands.map((one) => brandSection(one, content, links))}
        ${blocked.length > 0 && blockedSection(blocked, links)}
        ${decidedBefore.length > 0 && decidedBeforeSection(decidedBefore)}
        ${open.length > 0 && decisionForm(content, open, links)}
      </div>
    </div>
    <p class="later"><a href="${links.page(queueAddress(fields))}">Back to the queue</a></p>`;
  const assets = [
    'account/brands/style.css',
    'account/reviews/style.css',
    ...(map ? (['account/reviews/confirm/script.ts'] as const) : []),
  ] as const;
  return { path: QUEUE_PATH, title, assets, hasMap: map !== null, main };
}

function decisionForm(
  { form, decision, fields }: ConfirmContent,
  open: readonly ChosenReview[],
  links: Links,
): Html {
  const approves = decision === 'approve';
  const label = approves ? 'Approve' : 'Reject';
  const other = approves ? 'reject' : 'approve';
  return html`<form
    method="post"
    action="${links.page(approves ? APPROVE_PATH : REJECT_PATH)}"
    class="wide-form"
    data-once
  >
    ${filterFields(fields)}
    <input type="hidden" name="reviews" value="${open.map(({ id }) => id).join(' ')}" />
    ${!approves && reasonFields(form)}
    <p class="hint advice">${approves ? APPROVAL_ADVICE : REJECTION_ADVICE}</p>
    <div class="actions">
      <button class="button">${label} ${zipCodes(open.length)}</button>
      <button
        class="quiet-button"
        formaction="${links.page(CONFIRM_PATH)}"
        formnovalidate
        name="decision"
        value="${other}"
      >
        ${approves ? 'Reject' : 'Approve'} instead…
      </button>
    </div>
  </form>`;
}

/** The requester of a brand's ZIP codes, and the effect of an approval */
function brandSection(
  { brand, reviews, effect }: BrandDecision,
  content: ConfirmContent,
  links: Links,
): Html {
  const requests = [...groupBy(reviews, ({ batchId }) => batchId).values()];
  const isolated =
    effect?.newlyIsolated ?? reviews.filter((review) => review.isolated).map(({ zip }) => zip);
  const shared = reviews.filter((review) => review.shared).map(({ zip }) => zip);
  return html`<section class="request" aria-labelledby="brand-${brand.slug}">
    <h2 id="brand-${brand.slug}">
      <a href="${links.page(brandPath(brand))}">${brand.name}</a>
    </h2>
    ${requests.slice(0, MAX_REQUESTS).map((request) => requestLines(request, content))}
    ${
      requests.length > MAX_REQUESTS &&
      html`<p>And ${pluralize(requests.length - MAX_REQUESTS, 'more request')}.</p>`
    }
    ${
      content.decision === 'approve' &&
      cautions([
        ...(effect
          ? [...sharedWarnings(reviews, effect), ...openingWarnings(effect)]
          : [shared.length > 0 && `Also held by another brand: ${joinFirst(shared, 12)}.`]),
        isolated.length > 0 &&
          `Not adjacent to the rest of ${brand.name}: ${joinFirst(isolated, 12)}.`,
      ])
    }
    ${zipList(reviews, content, links)}
    ${
      effect &&
      html`<h3>Effect</h3>
        ${effectTable(effect, 'If approved', 'Live')}
        ${effect.withheld && withheldNotice('Households and balance', effect.withheld, links)}`
    }
  </section>`;
}

/** Largest number of requests of a brand that are described */
const MAX_REQUESTS = 5;

function requestLines(request: readonly ChosenReview[], { now }: ConfirmContent): Html {
  const { requestedBy, requestedAt, note } = request[0]!;
  return html`<p>
      Requested by <strong>${actorText(requestedBy)}</strong>
      <time datetime="${requestedAt.toISOString()}" title="${minute(requestedAt)}"
        >${ago(requestedAt, now)}</time
      >: ${zipCodes(request.length)}
    </p>
    ${note !== null && html`<blockquote>${note}</blockquote>`}`;
}

/** Names the brands that hold ZIP codes too, as far as the viewer may know them. */
function sharedWarnings(reviews: readonly ChosenReview[], { sharedWith }: Effect): string[] {
  const holders = reviews.flatMap(({ zip }) =>
    (sharedWith.get(zip) ?? []).map(({ name }) => ({ zip, holder: name })),
  );
  return Array.from(
    groupBy(holders, ({ holder }) => holder),
    ([holder, of]) =>
      `Also held by ${holder}: ${joinFirst([...new Set(of.map(({ zip }) => zip))], 12)}.`,
  );
}

/** Largest number of ZIP codes of a brand that are listed with their scores */
export const MAX_SCORED = 60;

function zipList(
  reviews: readonly ChosenReview[],
  { scores, vertical }: ConfirmContent,
  links: Links,
): Html | false {
  const zips = reviews.map(({ zip }) => zip);
  if (zips.length > MAX_SCORED) return zipGroup('ZIP codes', zips);
  if (isWithheld(scores)) {
    return html`${zipGroup('ZIP codes', zips)} ${withheldNotice('Scores', scores, links)}`;
  }
  return html`<h3>${vertical.label} scores</h3>
    <ul class="scored-zips">
      ${zips.map((zip) => {
        const score = scores.scores.get(zip);
        return html`<li>
          ${zip}
          ${score === undefined ? html`<span class="quiet">no score</span>` : scoreChip(score)}
        </li>`;
      })}
    </ul>`;
}

const APPROVAL_ADVICE =
  'They become live immediately. To reverse an approval, remove the ZIP code from its brand. Removals can be undone in the activity log.';
const REJECTION_ADVICE =
  'They return to their previous state, and the requester sees the reason. A rejection can’t be undone, but the ZIP codes can be requested again.';

const zipCodes = (n: number) => (n === 1 ? 'one ZIP code' : `${formatCount(n)} ZIP codes`);

type BlockedReview = Pick<RefusedReview, 'brand' | 'zip' | 'reason'> & {
  /** Brands that hold the ZIP code, as far as the viewer may see them */
  blockers?: readonly Brand[];
};

/** Reviews that a rule of a group keeps from being approved. */
function blockedSection(blocked: readonly BlockedReview[], links: Links): Html {
  const zips = blocked.length;
  const byReason = groupBy(blocked, ({ brand, reason }) => `${brand.name}: ${reason}`);
  return html`<section class="cannot" aria-labelledby="cannot-title">
    <h2 id="cannot-title">Can’t be approved</h2>
    <p>
      ${zips === 1 ? 'One ZIP code stays' : `${formatCount(zips)} ZIP codes stay`} in the queue
      because of the rule of a group. You can reject ${zips === 1 ? 'it' : 'them'}.
    </p>
    <ul>
      ${Array.from(byReason, ([reason, reviews]) => {
        const codes = reviews.map(({ zip }) => zip);
        return html`<li>
          <span class="zip-run">${joinFirst(codes)}</span> for ${reason}.
          ${(reviews[0]!.blockers ?? []).map(
            (blocker) =>
              html`<a
                href="${workspaceLink({ brand: blocker.slug, zips: codes.slice(0, MAX_ZIPS_IN_LINK) }, links)}"
                >See ${codes.length === 1 ? 'it' : 'them'} in ${blocker.name}</a
              > `,
          )}
        </li>`;
      })}
    </ul>
  </section>`;
}

/** Reviews that someone else has already decided. */
function decidedBeforeSection(reviews: readonly ChosenReview[]): Html {
  const table = records<ChosenReview>(
    'Already decided',
    [
      { heading: 'ZIP code', cell: ({ zip }) => zip },
      { heading: 'Brand', cell: ({ brand }) => brand.name },
      { heading: 'Decision', cell: reviewText },
      { heading: 'By', cell: ({ decidedBy }) => decidedBy && actorText(decidedBy) },
      { heading: 'When', cell: ({ decidedAt }) => decidedAt && minuteTag(decidedAt) },
    ],
    reviews.slice(0, MAX_SHOWN),
  );
  const more = reviews.length - MAX_SHOWN;
  return html`<section>
    <h2>Already decided</h2>
    <p>
      Someone else already decided
      ${reviews.length === 1 ? 'one of the ZIP codes' : `${formatCount(reviews.length)} of the ZIP codes`}
      that you selected. Those decisions were not changed.
    </p>
    ${table} ${more > 0 && html`<p class="quiet">And ${formatCount(more)} more.</p>`}
  </section>`;
}

const MAX_SHOWN = 100;

const reasonFields = (form: FormState): Html =>
  html`${choices(
    { type: 'radio', name: 'reason', legend: 'Reason' },
    [
      ...REJECTION_REASONS.map((reason) => ({ value: reason, label: reason })),
      { value: OTHER_REASON, label: 'Another reason' },
    ],
    form,
  )}
  ${textField(
    {
      name: 'remark',
      label: 'Remark',
      hint: 'The requester sees it. Required for “Another reason”.',
      maxlength: MAX_REMARK_LENGTH,
      autocomplete: 'off',
      optional: true,
    },
    form,
  )}`;

/** The result if someone else already decided some of the reviews, or if a rule refused some. */
export function partlyDecidedPage(
  content: {
    decisions: readonly Parameters<typeof decisionNotice>[0][];
    decidedBefore: readonly ChosenReview[];
    refused: readonly BlockedReview[];
    fields: URLSearchParams;
  },
  links: Links,
): AccountContent {
  const { decisions, decidedBefore, refused, fields } = content;
  const main = html`${decisions.map((entry) => decisionNotice(entry, links))}
    ${refused.length > 0 && blockedSection(refused, links)}
    ${decidedBefore.length > 0 && decidedBeforeSection(decidedBefore)}
    <p class="later"><a href="${links.page(queueAddress(fields))}">Back to the queue</a></p>`;
  return { path: QUEUE_PATH, title: 'Partly decided', assets: ['account/reviews/style.css'], main };
}

/** The address of the queue with its filters and further parameters. */
export function queueAddress(
  fields: Pick<URLSearchParams, 'get'>,
  more: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams(more);
  for (const input of QUEUE_FILTERS) {
    const value = fields.get(input);
    if (value) query.set(input, value);
  }
  return query.size > 0 ? `${QUEUE_PATH}?${query}` : QUEUE_PATH;
}
