/** Explains signed URLs of pictures, with a form to end all of them. */
import { SIGNED_SECONDS } from '../../../../territories/static/signed-url.ts';
import type { FormState } from '../../form-state.ts';
import { choices, wholeProblem } from '../../forms.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { dayTag } from '../../parts.ts';
import { pluralize } from '../../../../base/text/words.ts';
import type { AccountContent } from '../frame.ts';

export const SIGNED_URLS_PATH = '/account/signed-urls';

interface SignedUrlsContent {
  organization: { name: string };
  /** When the current secret was first used; null if no URL was ever signed */
  since: Date | null;
  form: FormState;
  /** Whether the viewer may end them */
  mayEnd: boolean;
}

export function signedUrlsPage(content: SignedUrlsContent, links: Links): AccountContent {
  const { since, form, mayEnd } = content;
  const main = html`<p>
      A signed URL shows a private picture to everyone who has it, until it expires. Make one in the
      <a href="${links.page('/picture-builder')}">picture builder</a>, or
      <a href="${links.page('/docs/static-maps')}#signed-urls">with an API key</a>.
    </p>
    ${wholeProblem(form)}
    ${since === null ? html`<p class="quiet">No URL has been signed yet.</p>` : endSection(content, since, links)}
    ${since !== null && !mayEnd && html`<p class="quiet">Only owners and admins can end signed URLs.</p>`}`;
  return { path: SIGNED_URLS_PATH, main };
}

function endSection(
  { organization, form, mayEnd }: SignedUrlsContent,
  since: Date,
  links: Links,
): Html {
  return html`<section aria-labelledby="end">
    <h2 id="end">End all signed URLs</h2>
    <p>
      Do this if a URL got to people who shouldn’t see its picture. It replaces
      ${organization.name}’s signing secret, which has been in use since ${dayTag(since)}:
    </p>
    <ul class="consequences">
      <li>
        Every URL signed so far, by people or by API keys, stops working on all websites and in all
        emails.
      </li>
      <li>
        Their pictures break within ${pluralize(SIGNED_SECONDS / 60, 'minute')}, as caches expire.
      </li>
      <li>
        Pictures that you already paid for aren’t charged again. Sign new URLs, and replace the old
        ones.
      </li>
      <li>This can’t be undone.</li>
    </ul>
    <p>
      To end only the URLs that an API key signed,
      <a href="${links.page('/account/keys')}">revoke the key</a>.
    </p>
    ${
      mayEnd &&
      html`<form method="post" action="${links.page(SIGNED_URLS_PATH)}" data-once>
        ${choices(
          { type: 'checkbox', name: 'confirm', legend: 'Confirmation' },
          [
            {
              value: 'end',
              label: 'End all signed URLs. I understand that websites may still use them.',
            },
          ],
          form,
        )}
        <button class="button">End all signed URLs</button>
      </form>`
    }
  </section>`;
}
