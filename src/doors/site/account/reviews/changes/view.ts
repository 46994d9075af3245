/** The list of changes. */
import { CHANGE_STATUSES, type Change } from '../../../../../territories/brands/changes/read.ts';
import { partsText } from '../../../../../territories/brands/changes/words.ts';
import { formatDay } from '../../../../../territories/brands/groups/refusal-words.ts';
import { html } from '../../../html.ts';
import type { Links } from '../../../links.ts';
import { minuteTag } from '../../../parts.ts';
import { records } from '../../../records.ts';
import { actorText } from '../../actor.ts';
import { filterForm, filterSelect, pager } from '../../filters.ts';
import type { AccountContent } from '../../frame.ts';
import { changeAddress, CHANGES_PATH, STATUS_LABELS } from './words.ts';

interface ChangesContent {
  changes: readonly Change[];
  nextCursor: string | null;
  query: URLSearchParams;
}

export function changesPage({ changes, nextCursor, query }: ChangesContent, links: Links) {
  const table = records<Change>(
    'Changes',
    [
      {
        heading: 'Change',
        cell: (change) =>
          html`<a href="${links.page(changeAddress(change))}">${partsText(change)}</a>`,
      },
      { heading: 'Status', cell: ({ status }) => STATUS_LABELS[status] },
      {
        heading: 'Goes live',
        cell: ({ on, liveAt }) =>
          liveAt ? minuteTag(liveAt) : on === null ? 'When approved' : formatDay(on),
      },
      { heading: 'Made by', cell: ({ madeBy }) => actorText(madeBy) },
      { heading: 'Made', cell: ({ madeAt }) => minuteTag(madeAt) },
    ],
    changes,
  );
  const isFiltered = query.get('status') || query.has('cursor');
  const main = html`<p>
      A change of several brands, an applied plan, a transfer, an import, and every change with a
      day is reviewed as one, goes live as one, and is undone as one.
    </p>
    ${filterForm(
      CHANGES_PATH,
      query,
      [
        filterSelect(
          { name: 'status', label: 'Status', any: 'Any status' },
          CHANGE_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] })),
          query,
        ),
      ],
      links,
    )}
    ${
      changes.length > 0
        ? html`${table} ${pager(CHANGES_PATH, query, nextCursor, links)}`
        : html`<p class="empty">
            ${
              isFiltered
                ? 'No changes match.'
                : 'No changes yet. Save territories of several brands on the map, or apply a plan.'
            }
          </p>`
    }`;
  const assets = ['account/reviews/style.css'] as const;
  return { path: CHANGES_PATH, title: 'Changes', assets, main } satisfies AccountContent;
}
