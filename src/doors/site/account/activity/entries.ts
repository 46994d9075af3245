/** Entries of the activity log, newest first. */
import type { ActivityEntry } from '../../../../territories/brands/activity.ts';
import { buttonForm } from '../../forms.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { minuteTag } from '../../parts.ts';
import { actorText } from '../actor.ts';
import { formatCount, pluralize } from '../../../../base/text/words.ts';

export const UNDO_ENTRY_PATH = '/account/activity/undo';

/** @param mayUndo whether to show a button for removals that can be undone */
export function activityList(
  entries: readonly ActivityEntry[],
  mayUndo: boolean,
  links: Links,
): Html {
  return html`<ol class="trail">
    ${entries.map((entry) => {
      const { id, at, actor, brand, summary, zips, removalId, undoable, changeId } = entry;
      return html`<li id="entry-${id}">
        <div>
          <p>${summary}</p>
          <p class="quiet">
            ${actorText(actor)} · ${minuteTag(at)}
            ${
              changeId !== null &&
              html`· <a href="${links.page(`/account/reviews/changes/${changeId}`)}">The change</a>`
            }
          </p>
          ${
            zips.length > ZIPS_IN_SUMMARY &&
            html`<details>
              <summary>All ${formatCount(zips.length)} ZIP codes</summary>
              <p class="zip-run">${zips.join(' ')}</p>
            </details>`
          }
        </div>
        ${
          mayUndo &&
          entry.isChangeUndoable &&
          changeId !== null &&
          buttonForm(
            links.page(UNDO_ENTRY_PATH),
            { change: changeId },
            { label: 'Undo the change', about: `of ${brand?.name}` },
          )
        }
        ${
          mayUndo &&
          undoable &&
          removalId &&
          buttonForm(
            links.page(UNDO_ENTRY_PATH),
            { removal: removalId },
            {
              label: 'Undo',
              about: `the removal of ${pluralize(zips.length, 'ZIP code')} from ${brand?.name}`,
            },
          )
        }
      </li>`;
    })}
  </ol>`;
}

/** Maximum number of ZIP codes that a summary itself lists (`base/text/words.ts`). */
const ZIPS_IN_SUMMARY = 20;
