import { entrancePage } from '../entrance/frame.ts';
import { nextField, nextOf, withNext } from '../entrance/next.ts';
import { newPersonFields } from '../entrance/person-fields.ts';
import type { FormState } from '../form-state.ts';
import { firstTerritoryFields } from '../first-territory.ts';
import { textField, wholeProblem } from '../forms.ts';
import { html } from '../html.ts';
import type { Links } from '../links.ts';

export function signUpPage(
  { query, form }: { query: URLSearchParams; form: FormState },
  links: Links,
): string {
  const next = nextOf(query, form);
  const main = html`<p class="quiet">
      14 days of the full service: territories, maps, share links, and the API. No card needed.
    </p>
    ${wholeProblem(form)}
    <form method="post" action="${links.page('/signup')}">
      ${nextField(next)}
      ${textField(
        {
          name: 'organization',
          label: 'Organization',
          autocomplete: 'organization',
          maxlength: 120,
          autofocus: true,
        },
        form,
      )}
      ${newPersonFields(form)}
      ${next === '' && firstTerritoryFields(form, { isOptional: true, initial: query })}
      <button class="button wide-button">Start trial</button>
    </form>
    <p class="actions">
      <span class="quiet">Already have an account?</span>
      <a href="${withNext(links.page('/login'), next)}">Sign in</a>
    </p>`;
  return entrancePage({ title: 'Start a trial', main }, links);
}
