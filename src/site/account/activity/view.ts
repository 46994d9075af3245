/** The whole trail, narrowed down as somebody likes, with what can still be undone. */
import type { Actor } from '../../../account/caller.ts';
import { ACTIONS, type Action } from '../../../territory/activity.ts';
import { actorKey } from '../../../territory/actor-key.ts';
import type { Brand } from '../../../territory/brands.ts';
import type { ActivityEntry } from '../../../territory/activity.ts';
import type { Undone } from '../../../territory/undo.ts';
import { count, listed } from '../../format.ts';
import type { FormState } from '../../form-state.ts';
import { wholeProblem } from '../../forms.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { actorText } from '../actor.ts';
import { filterDay, filterForm, filterSelect, pager } from '../filters.ts';
import { accountPage, type Resident } from '../frame.ts';
import { trailList } from './entries.ts';

export const ACTIVITY_PATH = '/account/activity';
export const ACTIVITY_CSV_PATH = '/account/activity.csv';
export const DECIDED_PATH = '/account/reviews/decided';

export interface TrailContent {
  resident: Resident;
  done: string | null;
  form: FormState;
  query: URLSearchParams;
  entries: readonly ActivityEntry[];
  nextCursor: string | null;
  brands: readonly Brand[];
  actors: readonly Actor[];
  /** Whether this person changes territories at all */
  mayUndo: boolean;
  /** Just now */
  undone?: Undone;
}

export const ACTION_LABELS: Readonly<Record<Action, string>> = {
  territory_applied: 'Asked for ZIP codes',
  territory_approved: 'Approved',
  territory_rejected: 'Rejected',
  territory_removed: 'Removed ZIP codes',
  removal_undone: 'Undid a removal',
  share_minted: 'Shared a map',
  share_revoked: 'Revoked a share link',
  targeting_set: 'Set weights',
  targeting_reset: 'Went back to public weights',
};

export function activityPage(content: TrailContent, links: Links): string {
  const { resident, done, form, query, undone } = content;
  const lead = html`<p>
      Every change, by people, keys and connectors. Nothing here is ever changed or deleted.
    </p>
    ${wholeProblem(form)} ${undone && undoneNotice(undone)}`;
  const file = new URLSearchParams(query);
  file.delete('cursor');
  const csv = html`<p>
    <a href="${links.page(`${ACTIVITY_CSV_PATH}?${file}`)}" download="activity.csv"
      >Download as CSV</a
    >
  </p>`;
  const main = html`${lead} ${trailFilters(ACTIVITY_PATH, ACTIONS, content, links)}
  ${trailOf(ACTIVITY_PATH, content, links)} ${content.entries.length > 0 && csv}`;
  return accountPage({ path: ACTIVITY_PATH, done, resident, main }, links);
}

/** The decisions of the review queue alone. */
export function decidedPage(content: TrailContent, links: Links): string {
  const { resident, done } = content;
  const main = html`<p>What was decided about ZIP codes that were asked for, by whom and why.</p>
    ${trailFilters(DECIDED_PATH, DECISIONS, content, links)}
    ${trailOf(DECIDED_PATH, content, links)}`;
  return accountPage({ path: DECIDED_PATH, title: 'Review', done, resident, main }, links);
}

export const DECISIONS = ['territory_approved', 'territory_rejected'] as const;

function trailFilters(
  path: string,
  kinds: readonly Action[],
  { query, brands, actors }: TrailContent,
  links: Links,
): Html {
  return filterForm(
    path,
    query,
    [
      filterSelect(
        { name: 'brand', label: 'Brand', any: 'All brands' },
        brands.map(({ id, name }) => ({ value: id, label: name })),
        query,
      ),
      filterSelect(
        { name: 'kind', label: 'What', any: 'Anything' },
        kinds.map((kind) => ({ value: kind, label: ACTION_LABELS[kind] })),
        query,
      ),
      filterSelect(
        { name: 'who', label: 'Who', any: 'Anybody' },
        actors.map((actor) => ({ value: actorKey(actor), label: actorText(actor) })),
        query,
      ),
      filterDay({ name: 'from', label: 'From (UTC)' }, query),
      filterDay({ name: 'to', label: 'To (UTC)' }, query),
    ],
    links,
  );
}

function trailOf(
  path: string,
  { query, entries, nextCursor, mayUndo }: TrailContent,
  links: Links,
): Html {
  if (entries.length > 0) {
    return html`${trailList(entries, mayUndo, links)} ${pager(path, query, nextCursor, links)}`;
  }
  return query.size > 0
    ? html`<p class="empty">
        Nothing matches these filters. <a href="${links.page(path)}">Show all</a>
      </p>`
    : html`<p class="empty">Nothing was done yet.</p>`;
}

/** What undoing a removal has found, ZIP by ZIP. */
function undoneNotice({ brand, restored, heldAgain }: Undone): Html {
  const run = (zips: readonly { zip: string }[]) => listed(zips.map(({ zip }) => zip));
  const are = (zips: readonly unknown[]) =>
    zips.length === 1 ? 'One ZIP code is' : `${count(zips.length)} ZIP codes are`;
  const live = restored.filter(({ state }) => state === 'live');
  const pending = restored.filter(({ state }) => state === 'pending');
  const shared = restored.filter(({ sharedWith }) => sharedWith.length > 0);
  return html`<div class="notice" role="status">
    <p><strong>The removal from ${brand.name} is undone.</strong></p>
    <ul>
      ${live.length > 0 && html`<li>${are(live)} live again: ${run(live)}.</li>`}
      ${pending.length > 0 && html`<li>${are(pending)} waiting for review again: ${run(pending)}.</li>`}
      ${shared.map(
        ({ zip, sharedWith }) =>
          html`<li>
            ${zip} is held by ${listed(sharedWith.map(({ name }) => name))} too by now.
          </li>`,
      )}
      ${
        heldAgain.length > 0 &&
        html`<li>${are(heldAgain)} held again since, and left as found: ${run(heldAgain)}.</li>`
      }
    </ul>
  </div>`;
}
