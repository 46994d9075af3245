/**
 * The review queue: requested ZIP codes, with the requester and the reason, to be approved or rejected in
 * bulk. It is a form of checkboxes. Its script adds the map and counts the selected ZIP codes.
 */
import { VERTICALS } from '../../../../../data/scoring/verticals.ts';
import { states } from '../../../../../base/geodata/states.ts';
import { actorKey } from '../../../../../territories/brands/actor-key.ts';
import type { Brand } from '../../../../../territories/brands/brands.ts';
import type {
  QueuePart,
  PendingPage,
  PendingRequest,
  PendingZip,
} from '../../../../../territories/brands/review-queue.ts';
import type { ActivityEntry } from '../../../../../territories/brands/activity.ts';
import { isWithheld, type LimitReason } from '../../../../../people/metering/figures.ts';
import type { OwnScores } from '../../../../../territories/brands/targeting/vertical-scores.ts';
import { formatCount, joinWithAnd, pluralize } from '../../../../../base/text/words.ts';
import { minute } from '../../../format.ts';
import { html, type Html } from '../../../html.ts';
import type { Links } from '../../../links.ts';
import { scoreChip } from '../../../parts.ts';
import { actorText } from '../../actor.ts';
import { filterForm, filterSelect, pager } from '../../filters.ts';
import { withheldNotice } from '../../withheld-notice.ts';
import { refusalNotice } from '../../refusal-notice.ts';
import type { AccountContent } from '../../frame.ts';
import { MAX_ZIPS_IN_LINK, workspaceLink } from '../../../workspace/link.ts';
import { REVIEW_SETTINGS_PATH } from '../settings/view.ts';
import { territoryFrame, type MapBase, type TerritoryFrame } from '../../map/view.ts';

export const QUEUE_PATH = '/account/reviews';
export const CONFIRM_PATH = '/account/reviews/confirm';

export const QUEUE_MAP_PATH = '/account/reviews/map.json';

/** Filters in the queue's address. The forms submit them too. */
export const QUEUE_FILTERS = ['brand', 'requester', 'state', 'age', 'vertical'] as const;

/** Choices for the minimum age, in days */
const AGES = [1, 3, 7, 30] as const;

interface QueueContent {
  /** The address’s query */
  query: URLSearchParams;
  queue: PendingPage;
  /** Counts of all pending ZIP codes, regardless of the filters */
  parts: readonly QueuePart[];
  map: MapBase & Pick<TerritoryFrame, 'start'>;
  /** Slug of the vertical whose scores are shown */
  vertical: string;
  /** The scores, or the reason why the subscription doesn't include them */
  scores: OwnScores | LimitReason;
  /** Number of changes that wait for a review */
  changes: number;
  /** The viewer’s latest decisions */
  decided: readonly ActivityEntry[];
  now: Date;
  ownersNeedReview: boolean;
  /** Whether the organization has no other member */
  isAlone: boolean;
  /** Reason why the viewer can't decide despite their role; undefined if they can */
  refusal: string | undefined;
}

export function queuePage(content: QueueContent, links: Links): AccountContent {
  const { query, queue, parts, decided, refusal } = content;
  const pending = parts.reduce((sum, { zips }) => sum + zips, 0);
  const main = html`<p>${whoReviews(content, links)}</p>
    ${refusalNotice(refusal)} ${waitingChanges(content, links)}
    ${decided.map((entry) => decisionNotice(entry, links))}
    ${pending > 0 && filters(content, links)}
    ${isWithheld(content.scores) && withheldNotice('Scores', content.scores, links)}
    ${queue.requests.length > 0 ? queueForm(content, links) : emptyQueue(pending, query, links)}`;
  const hasMap = queue.requests.length > 0;
  const mapAssets = ['account/brands/style.css', 'account/reviews/queue/script.ts'] as const;
  const assets = ['account/reviews/style.css', ...(hasMap ? mapAssets : [])] as const;
  return { path: QUEUE_PATH, title: 'Review', assets, hasMap, main };
}

/** Changes are decided as one, on their own pages. */
const waitingChanges = ({ changes }: QueueContent, links: Links): Html | false =>
  changes > 0 &&
  html`<p class="notice">
    ${changes === 1 ? 'One change waits' : `${formatCount(changes)} changes wait`} to be decided as
    one.
    <a href="${links.page('/account/reviews/changes')}?status=waiting"
      >Review the ${changes === 1 ? 'change' : 'changes'}</a
    >
  </p>`;

function whoReviews({ isAlone, ownersNeedReview }: QueueContent, links: Links): Html {
  const settings = (label: string) =>
    html`<a href="${links.page(REVIEW_SETTINGS_PATH)}">${label}</a>`;
  if (!ownersNeedReview) {
    return html`Requested ZIP codes join the territory once a reviewer approves them. What owners
    request goes live at once. ${settings('Review settings')}`;
  }
  return isAlone
    ? html`You are the only member, so you review your own requests. To skip that,
      ${settings('let owners’ requests go live at once')}.`
    : html`Requested ZIP codes join the territory once a reviewer approves them.`;
}

/** What was decided, and where to see what is now live */
export function decisionNotice({ summary, action, brand, zips }: Decision, links: Links): Html {
  const selected = zips.length <= MAX_ZIPS_IN_LINK ? zips : [];
  const map =
    action === 'territory_approved' &&
    brand &&
    html`<a href="${workspaceLink({ brand: brand.slug, zips: selected }, links)}"
      >See ${zips.length === 1 ? 'it' : 'them'} on the map</a
    >`;
  return html`<p class="notice" role="status">${summary} ${map}</p>`;
}

type Decision = Pick<ActivityEntry, 'summary' | 'action' | 'brand' | 'zips'>;

const emptyQueue = (pending: number, query: URLSearchParams, links: Links): Html =>
  pending === 0
    ? html`<p class="empty">
        No pending reviews. Past decisions are under
        <a href="${links.page('/account/reviews/decided')}">Decided</a>.
      </p>`
    : query.has('cursor')
      ? html`<p class="empty">
          No more pending reviews. <a href="${links.page(QUEUE_PATH)}">First page</a>
        </p>`
      : html`<p class="empty">
          None of the ${formatCount(pending)} pending ZIP codes match these filters.
          <a href="${links.page(QUEUE_PATH)}">Show all</a>
        </p>`;

function filters({ query, parts, vertical }: QueueContent, links: Links): Html {
  const names = new Map(states().map(({ usps, name }) => [usps, name]));
  const sums = (keyOf: (part: QueuePart) => string | null, labelOf: (part: QueuePart) => string) =>
    sumChoices(parts, keyOf, labelOf);
  const chosen = new URLSearchParams(query);
  if (!chosen.has('vertical')) chosen.set('vertical', vertical);
  return filterForm(
    QUEUE_PATH,
    query,
    [
      filterSelect(
        { name: 'brand', label: 'Brand', any: 'All brands' },
        sums(
          ({ brand }) => brand.id,
          ({ brand }) => brand.name,
        ),
        query,
      ),
      filterSelect(
        { name: 'requester', label: 'Requested by', any: 'Everyone' },
        sums(
          ({ requestedBy }) => actorKey(requestedBy),
          ({ requestedBy }) => actorText(requestedBy),
        ),
        query,
      ),
      filterSelect(
        { name: 'state', label: 'State', any: 'All states' },
        sums(
          ({ state }) => state,
          ({ state }) => names.get(state!) ?? state!,
        ),
        query,
      ),
      filterSelect(
        { name: 'age', label: 'Pending for', any: 'Any time' },
        AGES.map((days) => ({ value: String(days), label: `${pluralize(days, 'day')} or more` })),
        query,
      ),
      filterSelect(
        { name: 'vertical', label: 'Scores for' },
        VERTICALS.map(({ slug, label }) => ({ value: slug, label })),
        chosen,
      ),
    ],
    links,
  );
}

/** Choices with their numbers of ZIP codes, sorted by label. Parts without a key are skipped. */
function sumChoices(
  parts: readonly QueuePart[],
  keyOf: (part: QueuePart) => string | null,
  labelOf: (part: QueuePart) => string,
): { value: string; label: string }[] {
  const sums = new Map<string, { label: string; zips: number }>();
  for (const part of parts) {
    const key = keyOf(part);
    if (key === null) continue;
    const sum = sums.get(key) ?? { label: labelOf(part), zips: 0 };
    sums.set(key, { ...sum, zips: sum.zips + part.zips });
  }
  return Array.from(sums, ([value, { label, zips }]) => ({
    value,
    label: `${label} (${formatCount(zips)})`,
  })).sort((a, b) => (a.label < b.label ? -1 : 1));
}

/** The filters as hidden fields of a form. */
export const filterFields = (fields: Pick<URLSearchParams, 'get'>): Html[] =>
  QUEUE_FILTERS.flatMap((name) => {
    const value = fields.get(name);
    return value ? html`<input type="hidden" name="${name}" value="${value}" />` : [];
  });

/** The address of a request, with its map and the effect of approving it */
export const requestAddress = (batchId: string, query = new URLSearchParams()): string => {
  const asked = new URLSearchParams({ batch: batchId });
  if (query.get('vertical')) asked.set('vertical', query.get('vertical')!);
  return `${CONFIRM_PATH}?${asked}`;
};

function queueForm(content: QueueContent, links: Links): Html {
  const { query, queue } = content;
  return html`<form method="post" action="${links.page(CONFIRM_PATH)}" class="queue" id="queue">
    ${filterFields(query)}
    <div class="queue-body">
      <div class="queue-map">${queueMap(content, links)}</div>
      <div class="queue-list">
        <label class="choice everything">
          <input type="checkbox" name="all" value="1" data-zips="${queue.total}" />
          <span> ${everythingLabel(content)} </span>
        </label>
        ${queue.requests.map((request) => requestSection(request, content, links))}
        ${pager(QUEUE_PATH, query, queue.nextCursor, links)}
      </div>
    </div>
    <div class="decide">
      <p role="status" class="chosen"></p>
      <button type="reset" class="quiet-button">Clear selection</button>
      <button class="button" name="decision" value="approve">Approve…</button>
      <button class="quiet-button" name="decision" value="reject">Reject…</button>
    </div>
  </form>`;
}

function queueMap({ map, query }: QueueContent, links: Links): Html {
  const filter = new URLSearchParams();
  for (const name of QUEUE_FILTERS) if (query.get(name)) filter.set(name, query.get(name)!);
  const data = links.page(`${QUEUE_MAP_PATH}?${filter}`);
  return territoryFrame(
    { ...map, shown: ['pending', 'live', 'shared', 'isolated', 'selected'], data },
    links,
  );
}

function everythingLabel({ query, queue }: QueueContent): string {
  const pending =
    queue.total === 1
      ? 'The pending ZIP code'
      : `All ${formatCount(queue.total)} pending ZIP codes`;
  const filtered = isFiltered(query) ? ' that match the filters' : '';
  const pages = queue.nextCursor !== null || query.has('cursor') ? ', on all pages' : '';
  return `${pending}${filtered}${pages}`;
}

const isFiltered = (query: URLSearchParams) =>
  QUEUE_FILTERS.some((name) => name !== 'vertical' && query.get(name));

function requestSection(
  request: PendingRequest,
  { query, scores, now }: QueueContent,
  links: Links,
): Html {
  const { batchId, brand, requestedBy, requestedAt, note, total, zips } = request;
  const onOtherPages = total - zips.length;
  return html`<section
    class="request"
    data-request="${batchId}"
    aria-labelledby="request-${batchId} asked-${batchId}"
  >
    <h2 id="request-${batchId}">${brand.name}</h2>
    <p id="asked-${batchId}">
      Requested by <strong>${actorText(requestedBy)}</strong>
      <time datetime="${requestedAt.toISOString()}" title="${minute(requestedAt)}"
        >${ago(requestedAt, now)}</time
      >${note === null && ', without a note'}:
      ${total === 1 ? 'one ZIP code' : `${formatCount(total)} ZIP codes`}
    </p>
    ${note !== null && html`<blockquote>${note}</blockquote>`}
    <div class="request-do">
      ${
        total > 1 &&
        html`<label class="choice">
          <input type="checkbox" name="batch" value="${batchId}" data-zips="${total}" />
          <span>
            The whole
            request${onOtherPages > 0 && `, including ${formatCount(onOtherPages)} on other pages`}
          </span>
        </label>`
      }
      <a href="${links.page(requestAddress(batchId, query))}"
        >Review this request<span class="visually-hidden"
          >, ${formatCount(total)} for ${brand.name}</span
        ></a
      >
      <button type="button" class="quiet-button to-map" hidden>
        Show on the map<span class="visually-hidden"
          >, ${formatCount(total)} for ${brand.name}</span
        >
      </button>
    </div>
    <ul>
      ${zips.map((zip) => zipItem(zip, isWithheld(scores) ? undefined : scores.scores.get(zip.zip)))}
    </ul>
  </section>`;
}

function zipItem(
  { id, zip, city, state, sharedWith, isolated, hasBoundary, blocked }: PendingZip,
  score?: number,
): Html {
  return html`<li>
    <label>
      <input type="checkbox" name="review" value="${id}" data-zip="${zip}" />
      <b>${zip}</b>
      <span class="place">${[city, state].filter(Boolean).join(', ')}</span>
      ${
        score === undefined
          ? html`<span class="chip none"
              ><span class="visually-hidden">no score</span><span aria-hidden="true">–</span></span
            >`
          : html`<span><span class="visually-hidden">score </span>${scoreChip(score)}</span>`
      }
      <span class="flags">
        ${sharedWith.length > 0 && html`<span class="tag">Shared with ${several(sharedWith)}</span>`}
        ${isolated && html`<span class="tag">Isolated</span>`}
        ${!hasBoundary && html`<span class="tag">No boundary</span>`}
      </span>
      ${
        blocked !== null &&
        html`<span class="blocked"><strong>Can’t be approved:</strong> ${blocked}</span>`
      }
    </label>
  </li>`;
}

/** `North and 2 more` */
export const several = ([first, ...more]: readonly Brand[]) =>
  more.length > 1
    ? `${first!.name} and ${more.length} more`
    : joinWithAnd([first!, ...more].map(({ name }) => name));

const DAY_MS = 86_400_000;

/** `3 days ago` */
export function ago(then: Date, now: Date): string {
  const days = Math.floor((now.getTime() - then.getTime()) / DAY_MS);
  return days <= 0 ? 'today' : `${pluralize(days, 'day')} ago`;
}
