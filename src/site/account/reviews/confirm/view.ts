/** What is about to be decided, with its effect, before it is. */
import { groupBy } from '../../../../group.ts';
import type { ChosenReview } from '../../../../territory/review-queue.ts';
import { count, minute } from '../../../format.ts';
import type { FormState } from '../../../form-state.ts';
import { choices, wholeProblem } from '../../../forms.ts';
import { html, type Html } from '../../../html.ts';
import type { Links } from '../../../links.ts';
import { actorText } from '../../actor.ts';
import { accountPage, type Resident } from '../../frame.ts';
import { records } from '../../records.ts';
import { carried, QUEUE_FILTERS, QUEUE_PATH } from '../queue/view.ts';

export const APPROVE_PATH = '/account/reviews/approve';
export const REJECT_PATH = '/account/reviews/reject';

/** Offered first; a remark may say more, or all. */
export const REASONS = [
  'Outside our service area',
  'Too far from our crews',
  'Another of our brands serves it',
  'It would stand alone',
  'Too little demand',
] as const;
export const OTHER_REASON = 'other';
export const MAX_REMARK = 500;

export interface ConfirmContent {
  resident: Resident;
  form: FormState;
  decision: 'approve' | 'reject';
  /** The filters of the queue, to go back to it as it was */
  fields: URLSearchParams;
  chosen: readonly ChosenReview[];
}

export function confirmPage(content: ConfirmContent, links: Links): string {
  const { resident, form, decision, chosen, fields } = content;
  const open = chosen.filter(({ status }) => status === 'pending');
  const gone = chosen.filter(({ status }) => status !== 'pending');
  const what = zipCodes(open.length);
  const approves = decision === 'approve';
  const title =
    open.length === 0 ? 'Nothing to decide' : `${approves ? 'Approve' : 'Reject'} ${what}`;
  const main = html`${wholeProblem(form)}
    ${
      open.length === 0 &&
      gone.length === 0 &&
      html`<p>Nothing was chosen. Choose ZIP codes, whole requests, or all that wait.</p>`
    }
    ${open.length > 0 && effects(open)} ${gone.length > 0 && goneSection(gone)}
    ${
      open.length > 0 &&
      html`<form method="post" action="${links.page(approves ? APPROVE_PATH : REJECT_PATH)}">
        ${carried(fields)}
        <input type="hidden" name="reviews" value="${open.map(({ id }) => id).join(' ')}" />
        ${!approves && reasonFields(form)}
        <p class="hint advice">${approves ? APPROVAL_ADVICE : REJECTION_ADVICE}</p>
        <button class="button">${approves ? 'Approve' : 'Reject'} ${what}</button>
      </form>`
    }
    <p class="later"><a href="${links.page(queueWith(fields))}">Back to the queue</a></p>`;
  const assets = ['account/reviews/reviews.css'] as const;
  return accountPage({ path: QUEUE_PATH, title, done: null, resident, assets, main }, links);
}

const APPROVAL_ADVICE =
  'They are live at once. To take one back, remove it from its brand: a removal can be undone under Activity.';
const REJECTION_ADVICE =
  'They go back to what they were, and whoever asked sees the reason. A rejection is not undone: what was rejected can be asked for again.';

const zipCodes = (n: number) => (n === 1 ? 'one ZIP code' : `${count(n)} ZIP codes`);

function effects(open: readonly ChosenReview[]): Html {
  const brands = [...groupBy(open, ({ brand }) => brand.id).values()];
  return html`<ul class="effects">
    ${brands.map((reviews) => {
      const shared = reviews.filter((review) => review.shared).length;
      const isolated = reviews.filter((review) => review.isolated).length;
      return html`<li>
        <strong>${reviews[0]!.brand.name}</strong>:
        ${zipCodes(reviews.length)}${
          shared > 0 && html`, <b>${count(shared)}</b> shared with another brand`
        }${isolated > 0 && html`, <b>${count(isolated)}</b> isolated from the rest`}
        <details>
          <summary>Which ones</summary>
          <p class="zip-run">${reviews.map(({ zip }) => zip).join(' ')}</p>
        </details>
      </li>`;
    })}
  </ul>`;
}

/** What somebody else was faster to decide. */
function goneSection(gone: readonly ChosenReview[]): Html {
  const table = records<ChosenReview>(
    'Decided before',
    [
      { heading: 'ZIP code', cell: ({ zip }) => zip },
      { heading: 'Brand', cell: ({ brand }) => brand.name },
      {
        heading: 'Became',
        cell: ({ status, reason }) => (reason ? `${status}: ${reason}` : status),
      },
      { heading: 'By', cell: ({ decidedBy }) => decidedBy && actorText(decidedBy) },
      {
        heading: 'When',
        cell: ({ decidedAt }) => decidedAt && minute(decidedAt.toISOString()),
      },
    ],
    gone.slice(0, SHOWN_GONE),
  );
  const more = gone.length - SHOWN_GONE;
  return html`<section>
    <h2>Decided before you</h2>
    <p>
      ${gone.length === 1 ? 'One ZIP code that you chose does' : `${count(gone.length)} ZIP codes that you chose do`}
      not wait any more and ${gone.length === 1 ? 'is' : 'are'} left as
      ${gone.length === 1 ? 'it is' : 'they are'}.
    </p>
    ${table} ${more > 0 && html`<p class="quiet">And ${count(more)} more.</p>`}
  </section>`;
}

const SHOWN_GONE = 100;

function reasonFields(form: FormState): Html {
  const problem = form.problem('remark');
  return html`${choices(
      { type: 'radio', name: 'reason', legend: 'Why' },
      [
        ...REASONS.map((reason) => ({ value: reason, label: reason })),
        { value: OTHER_REASON, label: 'Another reason' },
      ],
      form,
    )}
    <div class="field">
      <label for="remark">Remark</label>
      <p class="hint" id="remark-hint">
        For whoever asked. With another reason it is needed, else it may be left empty.
      </p>
      <input
        id="remark"
        name="remark"
        type="text"
        maxlength="${MAX_REMARK}"
        value="${form.value('remark')}"
        autocomplete="off"
        aria-describedby="remark-hint${problem && ' remark-problem'}"
        ${problem && html`aria-invalid="true"`}
      />
      ${problem && html`<p class="problem" id="remark-problem">${problem}</p>`}
    </div>`;
}

/** What was decided, and what somebody else had decided before. */
export function partlyDecidedPage(
  content: {
    resident: Resident;
    summaries: readonly string[];
    gone: readonly ChosenReview[];
    fields: URLSearchParams;
  },
  links: Links,
): string {
  const { resident, summaries, gone, fields } = content;
  const main = html`${summaries.map((text) => html`<p class="notice" role="status">${text}</p>`)}
    ${goneSection(gone)}
    <p class="later"><a href="${links.page(queueWith(fields))}">Back to the queue</a></p>`;
  return accountPage(
    { path: QUEUE_PATH, title: 'Decided in part', done: null, resident, main },
    links,
  );
}

/** The queue as it was narrowed down, and what else its address is to tell. */
export function queueWith(
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
