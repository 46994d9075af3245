/** The list of locators, and the form that creates one. */
import { formatCount, pluralize } from '../../../../base/text/words.ts';
import type { Asked } from '../../../../territories/serving/locator-questions.ts';
import type { Locator } from '../../../../territories/serving/locators.ts';
import type { FormState } from '../../form-state.ts';
import { wholeProblem } from '../../forms.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { dayTag } from '../../parts.ts';
import { records } from '../../records.ts';
import type { AccountContent } from '../frame.ts';
import { NEW_LOCATOR, type LocatorChoices } from './fields.ts';

export const LOCATORS_PATH = '/account/locators';
export const LOCATOR_PAGE_PATH = '/account/locators/{locator}';

export const locatorAddress = ({ code }: Pick<Locator, 'code'>, path: string = LOCATOR_PAGE_PATH) =>
  path.replace('{locator}', code);

interface LocatorsContent extends LocatorChoices {
  form: FormState;
  locators: readonly Locator[];
  /** Questions of the last 30 days, by the locator's id */
  asked: ReadonlyMap<string, Asked>;
  /** Reason why the viewer can't see locators; undefined if they can */
  hidden: string | undefined;
  /** Reason why the viewer can't create one; undefined if they can */
  refusal: string | undefined;
}

export function locatorsPage(content: LocatorsContent, links: Links): AccountContent {
  const { form, locators, hidden, refusal } = content;
  const main = html`<p>
      A locator is a page, or a part of your website, where customers enter their ZIP code and learn
      which of your brands serves them: its name, phone, web page, and nearest place. It shows
      nothing else of your territories.
      <a href="${links.page('/docs/locators')}">How locators work</a>
    </p>
    ${wholeProblem(form)}
    ${
      hidden !== undefined
        ? html`<p class="quiet">${hidden}</p>`
        : html`${
            locators.length > 0
              ? locatorTable(content, links)
              : html`<p class="quiet">No locators yet.</p>`
          }
          ${refusal === undefined ? createForm(content, links) : html`<p class="quiet">${refusal}</p>`}`
    }`;
  return { path: LOCATORS_PATH, assets: ['account/locators/style.css'], main };
}

function locatorTable({ locators, asked }: LocatorsContent, links: Links): Html {
  const count = (of: keyof Asked) => (locator: Locator) =>
    formatCount(asked.get(locator.id)?.[of] ?? 0);
  return records<Locator>(
    'Locators',
    [
      {
        heading: 'Locator',
        cell: (one) => html`<a href="${links.page(locatorAddress(one))}">${one.title}</a>`,
      },
      { heading: 'Answers for', cell: answersFor },
      { heading: 'Asked in 30 days', number: true, cell: count('asked') },
      { heading: 'Nobody serves', number: true, cell: count('unserved') },
      { heading: 'Status', cell: locatorStatus },
    ],
    locators,
  );
}

/** `All brands`, `Franchisees`, `Lone Star Roofing`, `4 brands` */
export function answersFor({ allBrands, group, brands }: Locator): string {
  if (allBrands) return 'All brands';
  if (group) return group.name;
  return brands.length === 1 ? brands[0]!.name : pluralize(brands.length, 'brand');
}

export const locatorStatus = ({ revokedAt, createdAt }: Locator): Html =>
  revokedAt
    ? html`<span class="quiet">Revoked ${dayTag(revokedAt)}</span>`
    : html`<span>Open since ${dayTag(createdAt)}</span>`;

const createForm = (content: LocatorsContent, links: Links): Html =>
  html`<section aria-labelledby="create-title">
    <h2 id="create-title">Create a locator</h2>
    <form method="post" action="${links.page(LOCATORS_PATH)}" class="locator-fields">
      ${NEW_LOCATOR.html(content.form.of(LOCATORS_PATH), content)}
      <button class="button">Create locator</button>
      <p class="hint">
        Then choose its words, and whether candidates may ask. A locator is part of a website, so it
        doesn’t expire: it works until you revoke it.
      </p>
    </form>
  </section>`;
