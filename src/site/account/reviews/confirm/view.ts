/** The effect of a decision, before it is made, and its result. */
import { group as groupBy } from 'd3-array';
import { MAX_REMARK_LENGTH, REJECTION_REASONS } from '../../../../territory/rejection-reasons.ts';
import type { RefusedReview } from '../../../../territory/review.ts';
import type { ChosenReview } from '../../../../territory/review-queue.ts';
import { minute } from '../../../format.ts';
import type { FormState } from '../../../form-state.ts';
import { choices, textField, wholeProblem } from '../../../forms.ts';
import { html, type Html } from '../../../html.ts';
import type { Links } from '../../../links.ts';
import { actorText } from '../../actor.ts';
import type { AccountContent } from '../../frame.ts';
import { reviewText } from '../../labels.ts';
import { records } from '../../../records.ts';
import { filterFields, QUEUE_FILTERS, QUEUE_PATH } from '../queue/view.ts';
import { formatCount, joinFirst } from '../../../../text/words.ts';

export const APPROVE_PATH = '/account/reviews/approve';
export const REJECT_PATH = '/account/reviews/reject';

export const OTHER_REASON = 'other';

export interface ConfirmContent {
  form: FormState;
  decision: 'approve' | 'reject';
  /** Include the filters of the queue, for the link that returns to it */
  fields: URLSearchParams;
  chosen: readonly ChosenReview[];
}

export function confirmPage(content: ConfirmContent, links: Links): AccountContent {
  const { form, decision, chosen, fields } = content;
  const approves = decision === 'approve';
  const pending = chosen.filter(({ status }) => status === 'pending');
  const open = approves ? pending.filter(({ blocked }) => blocked === null) : pending;
  const blocked = pending.flatMap((review) =>
    approves && review.blocked !== null ? [{ ...review, reason: review.blocked }] : [],
  );
  const decidedBefore = chosen.filter(({ status }) => status !== 'pending');
  const what = zipCodes(open.length);
  const nothing = blocked.length > 0 ? 'Nothing to approve' : 'Nothing to decide';
  const title = open.length === 0 ? nothing : `${approves ? 'Approve' : 'Reject'} ${what}`;
  const main = html`${wholeProblem(form)}
    ${
      pending.length === 0 &&
      decidedBefore.length === 0 &&
      html`<p>Nothing selected. Select ZIP codes, whole requests, or all pending ZIP codes.</p>`
    }
    ${open.length > 0 && effects(open)} ${blocked.length > 0 && blockedSection(blocked)}
    ${decidedBefore.length > 0 && decidedBeforeSection(decidedBefore)}
    ${
      open.length > 0 &&
      html`<form method="post" action="${links.page(approves ? APPROVE_PATH : REJECT_PATH)}">
        ${filterFields(fields)}
        <input type="hidden" name="reviews" value="${open.map(({ id }) => id).join(' ')}" />
        ${!approves && reasonFields(form)}
        <p class="hint advice">${approves ? APPROVAL_ADVICE : REJECTION_ADVICE}</p>
        <button class="button">${approves ? 'Approve' : 'Reject'} ${what}</button>
      </form>`
    }
    <p class="later"><a href="${links.page(queueAddress(fields))}">Back to the queue</a></p>`;
  return { path: QUEUE_PATH, title, assets: ['account/reviews/style.css'], main };
}

const APPROVAL_ADVICE =
  'They become live immediately. To reverse an approval, remove the ZIP code from its brand. Removals can be undone in the activity log.';
const REJECTION_ADVICE =
  'They return to their previous state, and the requester sees the reason. A rejection can’t be undone, but the ZIP codes can be requested again.';

const zipCodes = (n: number) => (n === 1 ? 'one ZIP code' : `${formatCount(n)} ZIP codes`);

function effects(open: readonly ChosenReview[]): Html {
  const brands = [...groupBy(open, ({ brand }) => brand.id).values()];
  return html`<ul class="effects">
    ${brands.map((reviews) => {
      const shared = reviews.filter((review) => review.shared).length;
      const isolated = reviews.filter((review) => review.isolated).length;
      return html`<li>
        <strong>${reviews[0]!.brand.name}</strong>:
        ${zipCodes(reviews.length)}${
          shared > 0 && html`, <b>${formatCount(shared)}</b> shared with another brand`
        }${isolated > 0 && html`, <b>${formatCount(isolated)}</b> isolated`}
        <details>
          <summary>Show ZIP codes</summary>
          <p class="zip-run">${reviews.map(({ zip }) => zip).join(' ')}</p>
        </details>
      </li>`;
    })}
  </ul>`;
}

type BlockedReview = Pick<RefusedReview, 'brand' | 'zip' | 'reason'>;

/** Reviews that a rule of a group keeps from being approved. */
function blockedSection(blocked: readonly BlockedReview[]): Html {
  const zips = blocked.length;
  const byReason = groupBy(blocked, ({ brand, reason }) => `${brand.name}: ${reason}`);
  return html`<section class="cannot" aria-labelledby="cannot-title">
    <h2 id="cannot-title">Can’t be approved</h2>
    <p>
      ${zips === 1 ? 'One ZIP code stays' : `${formatCount(zips)} ZIP codes stay`} in the queue
      because of the rule of a group. You can reject ${zips === 1 ? 'it' : 'them'}.
    </p>
    <ul>
      ${Array.from(
        byReason,
        ([reason, reviews]) =>
          html`<li>
            <span class="zip-run">${joinFirst(reviews.map(({ zip }) => zip))}</span> for ${reason}
          </li>`,
      )}
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
      {
        heading: 'Decision',
        cell: reviewText,
      },
      { heading: 'By', cell: ({ decidedBy }) => decidedBy && actorText(decidedBy) },
      {
        heading: 'When',
        cell: ({ decidedAt }) => decidedAt && minute(decidedAt),
      },
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
    summaries: readonly string[];
    decidedBefore: readonly ChosenReview[];
    refused: readonly BlockedReview[];
    fields: URLSearchParams;
  },
  links: Links,
): AccountContent {
  const { summaries, decidedBefore, refused, fields } = content;
  const main = html`${summaries.map((text) => html`<p class="notice" role="status">${text}</p>`)}
    ${refused.length > 0 && blockedSection(refused)}
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
