/** The activity log with its filters, and the page of decided reviews. */
import type { Actor } from '../../../../people/account/caller.ts';
import { ACTIONS, type Action } from '../../../../people/account/activity.ts';
import { actorKey } from '../../../../territories/brands/actor-key.ts';
import type { Brand } from '../../../../territories/brands/brands.ts';
import type { ActivityEntry } from '../../../../territories/brands/activity.ts';
import type { Undone } from '../../../../territories/brands/undo.ts';
import type { FormState } from '../../form-state.ts';
import { wholeProblem } from '../../forms.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { actorText } from '../actor.ts';
import { filterForm, filterInput, filterSelect, pager } from '../filters.ts';
import type { AccountContent } from '../frame.ts';
import { activityList } from './entries.ts';
import { formatCount, joinFirst, joinWithAnd } from '../../../../base/text/words.ts';

export const ACTIVITY_PATH = '/account/activity';
export const ACTIVITY_CSV_PATH = '/account/activity.csv';
export const DECIDED_PATH = '/account/reviews/decided';

interface ActivityContent {
  form: FormState;
  query: URLSearchParams;
  entries: readonly ActivityEntry[];
  nextCursor: string | null;
  brands: readonly Brand[];
  actors: readonly Actor[];
  /** Whether the viewer may change territories */
  mayUndo: boolean;
  /** The removal that was just undone */
  undone?: Undone | undefined;
}

export const ACTION_LABELS: Readonly<Record<Action, string>> = {
  territory_applied: 'Requested ZIP codes',
  territory_approved: 'Approved',
  territory_rejected: 'Rejected',
  territory_removed: 'Removed ZIP codes',
  removal_undone: 'Undid a removal',
  territory_withdrawn: 'Withdrew a change',
  change_scheduled: 'Scheduled a change',
  change_moved: 'Moved a change',
  change_blocked: 'Change blocked',
  terms_set: 'Set terms',
  territory_exported: 'Exported a territory',
  plan_exported: 'Exported a plan',
  data_exported: 'Exported data',
  exhibit_made: 'Made an exhibit',
  share_minted: 'Shared a map',
  share_revoked: 'Revoked a share link',
  locator_created: 'Created a locator',
  locator_changed: 'Changed a locator',
  locator_revoked: 'Revoked a locator',
  plan_created: 'Created a plan',
  plan_edited: 'Edited a plan',
  plan_applied: 'Applied a plan',
  plan_data_added: 'Added data to a plan',
  plan_data_removed: 'Removed data from a plan',
  plan_deleted: 'Deleted a plan',
  brand_created: 'Created a brand',
  group_created: 'Created a group',
  group_changed: 'Changed a group',
  group_deleted: 'Deleted a group',
  zips_reserved: 'Reserved ZIP codes',
  reserve_ended: 'Ended a reserve',
  data_uploaded: 'Uploaded data',
  data_restored: 'Restored data',
  data_shared: 'Changed who sees data',
  data_deleted: 'Deleted data',
  place_added: 'Added a place',
  place_changed: 'Changed a place',
  place_deleted: 'Deleted a place',
  places_imported: 'Imported places',
  contact_set: 'Set a contact',
  targeting_set: 'Set weights',
  targeting_reset: 'Reset weights',
  branding_set: 'Changed a look',
  signed_urls_ended: 'Ended signed URLs',
  member_invited: 'Invited someone',
  invitation_revoked: 'Revoked an invitation',
  member_joined: 'Joined',
  member_removed: 'Removed a member',
  role_changed: 'Changed a role',
  access_changed: 'Changed access',
  second_factor_rule_changed: 'Changed the second factor rule',
  review_settings_changed: 'Changed how reviews work',
  key_created: 'Created a key',
  key_revoked: 'Revoked a key',
  company_sign_in_changed: 'Changed company sign-in',
  webhook_created: 'Created a webhook',
  webhook_changed: 'Changed a webhook',
  webhook_secret_replaced: 'Replaced a webhook’s secret',
  webhook_deleted: 'Deleted a webhook',
};

export function activityPage(content: ActivityContent, links: Links): AccountContent {
  const { form, query, undone } = content;
  const lead = html`<p>
      Every change by people, API keys, and connectors, and every exported file of a territory, a
      plan, or your own data. Entries are never changed or deleted.
    </p>
    ${wholeProblem(form)} ${undone && undoneNotice(undone)}`;
  const file = new URLSearchParams(query);
  file.delete('cursor');
  const csv = html`<p>
    <a href="${links.page(`${ACTIVITY_CSV_PATH}?${file}`)}" download="activity.csv"
      >Download as CSV</a
    >
  </p>`;
  const main = html`${lead} ${activityFilters(ACTIVITY_PATH, ACTIONS, content, links)}
  ${entryList(ACTIVITY_PATH, content, links)} ${content.entries.length > 0 && csv}`;
  return { path: ACTIVITY_PATH, main };
}

/** Decided reviews. */
export function decidedPage(content: ActivityContent, links: Links): AccountContent {
  const main = html`<p>Decisions on requested ZIP codes, who made them, and why.</p>
    ${activityFilters(DECIDED_PATH, DECISIONS, content, links)}
    ${entryList(DECIDED_PATH, content, links)}`;
  return { path: DECIDED_PATH, title: 'Review', main };
}

export const DECISIONS = ['territory_approved', 'territory_rejected'] as const;

function activityFilters(
  path: string,
  kinds: readonly Action[],
  { query, brands, actors }: ActivityContent,
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
        { name: 'kind', label: 'Action', any: 'All actions' },
        kinds.map((kind) => ({ value: kind, label: ACTION_LABELS[kind] })),
        query,
      ),
      filterSelect(
        { name: 'who', label: 'By', any: 'Everyone' },
        actors.map((actor) => ({ value: actorKey(actor), label: actorText(actor) })),
        query,
      ),
      filterInput({ name: 'from', label: 'From (UTC)', type: 'date' }, query),
      filterInput({ name: 'to', label: 'To (UTC)', type: 'date' }, query),
    ],
    links,
  );
}

function entryList(
  path: string,
  { query, entries, nextCursor, mayUndo }: ActivityContent,
  links: Links,
): Html {
  if (entries.length > 0) {
    return html`${activityList(entries, mayUndo, links)} ${pager(path, query, nextCursor, links)}`;
  }
  return query.size > 0
    ? html`<p class="empty">
        Nothing matches these filters. <a href="${links.page(path)}">Show all</a>
      </p>`
    : html`<p class="empty">No activity yet.</p>`;
}

/** The result of undoing a removal. */
function undoneNotice({ brand, restored, heldAgain, refused }: Undone): Html {
  const run = (zips: readonly { zip: string }[]) => joinWithAnd(zips.map(({ zip }) => zip));
  const are = (zips: readonly unknown[]) =>
    zips.length === 1 ? 'One ZIP code is' : `${formatCount(zips.length)} ZIP codes are`;
  const live = restored.filter(({ state }) => state === 'live');
  const pending = restored.filter(({ state }) => state === 'pending');
  const shared = restored.filter(({ sharedWith }) => sharedWith.length > 0);
  return html`<div class="notice" role="status">
    <p><strong>Removal from ${brand.name} undone.</strong></p>
    <ul>
      ${live.length > 0 && html`<li>${are(live)} live again: ${run(live)}.</li>`}
      ${pending.length > 0 && html`<li>${are(pending)} pending review again: ${run(pending)}.</li>`}
      ${shared.map(
        ({ zip, sharedWith }) =>
          html`<li>
            ${zip} is now also held by ${joinWithAnd(sharedWith.map(({ name }) => name))}.
          </li>`,
      )}
      ${
        heldAgain.length > 0 &&
        html`<li>${are(heldAgain)} already held again and left unchanged: ${run(heldAgain)}.</li>`
      }
      ${refused.map(({ reason, zips }) => html`<li>Not restored: ${joinFirst(zips)}, ${reason}.</li>`)}
    </ul>
  </div>`;
}
