/** A locator: its address, the code for websites, what customers asked, and its settings. */
import { formatCount } from '../../../../../base/text/words.ts';
import { locatorLinks } from '../../../../http/locators/embed.ts';
import {
  COUNTED_DAYS,
  type Asked,
  type UnservedZip,
} from '../../../../../territories/serving/locator-questions.ts';
import type { Locator } from '../../../../../territories/serving/locators.ts';
import { locatorPagePath } from '../../../../../territories/share/token.ts';
import { day } from '../../../format.ts';
import type { FormState } from '../../../form-state.ts';
import { copyable, copyableBlock, wholeProblem } from '../../../forms.ts';
import { html, type Html } from '../../../html.ts';
import { zipPath, type Links } from '../../../links.ts';
import { definition } from '../../../parts.ts';
import { records } from '../../../records.ts';
import { actorText } from '../../actor.ts';
import { brandPath } from '../../brands/brand/frame.ts';
import type { AccountContent } from '../../frame.ts';
import { editedLocator, LOCATOR, type LocatorChoices } from '../fields.ts';
import {
  answersFor,
  locatorAddress,
  LOCATOR_PAGE_PATH,
  locatorStatus,
  LOCATORS_PATH,
} from '../view.ts';

export const LOCATOR_FORMS = {
  change: `${LOCATOR_PAGE_PATH}/change`,
  revoke: `${LOCATOR_PAGE_PATH}/revoke`,
} as const;

export const UNSERVED_CSV_PATH = `${LOCATOR_PAGE_PATH}/unserved.csv`;

/** ZIP codes on the page. The file has all of them. */
export const SHOWN_ZIPS = 25;

interface LocatorPageContent extends LocatorChoices {
  form: FormState;
  locator: Locator;
  asked: Asked;
  /** One more than `SHOWN_ZIPS` if there are more */
  unserved: readonly UnservedZip[];
  sendsMail: boolean;
  /** Reason why the viewer can't change it; undefined if they can */
  refusal: string | undefined;
}

export function locatorPage(content: LocatorPageContent, links: Links): AccountContent {
  const { form, locator, refusal } = content;
  const isActive = locator.status === 'active';
  const main = html`<p><a href="${links.page(LOCATORS_PATH)}">All locators</a></p>
    ${wholeProblem(form)} ${facts(content)}
    ${
      isActive
        ? embedding(content, links)
        : html`<p>
            This locator was revoked, which can’t be undone. Its page says that it is closed, and
            websites show the link in its place.
          </p>`
    }
    ${demand(content, links)}
    ${
      isActive &&
      (refusal === undefined ? settings(content, links) : html`<p class="quiet">${refusal}</p>`)
    }`;
  const assets = ['account/locators/style.css'] as const;
  return { path: LOCATORS_PATH, title: locator.title, assets, main };
}

function facts({ locator, asked }: LocatorPageContent): Html {
  const { createdAt, createdBy } = locator;
  return html`<dl class="facts">
    ${definition('Answers for', answersFor(locator))}
    ${definition('Asked in 30 days', formatCount(asked.asked))}
    ${definition('Nobody serves', formatCount(asked.unserved))}
    ${definition('Created', html`${day(createdAt)} by ${actorText(createdBy)}`)}
    ${definition('Status', locatorStatus(locator))}
  </dl>`;
}

function embedding({ locator, sendsMail }: LocatorPageContent, links: Links): Html {
  const { page, component, iframe, api } = locatorLinks(locator, {
    api: links.absoluteApi(''),
    site: links.absolute(''),
  });
  const at = (language: string) => links.page(`${locatorPagePath(locator.code)}?lang=${language}`);
  const [brand] = locator.brands;
  return html`<div class="columns locator-columns">
    <section aria-labelledby="embed-title">
      <h2 id="embed-title">On your website</h2>
      ${copyable('locator-link', 'Page', page)}
      ${copyableBlock('locator-component', 'Web component', component)}
      <p class="hint">
        It takes the fonts and colors of your page. Set <code>lang="es"</code> for Spanish; without
        it, the language of your page counts.
      </p>
      ${copyable('locator-frame', 'Frame, for websites without scripts', iframe, 'more')}
      ${copyable('locator-answer', 'JSON, for a form of your own', `${api}/answer?zip=75201`, 'more')}
    </section>
    <section aria-labelledby="preview-title">
      <h2 id="preview-title">Preview</h2>
      <iframe
        class="locator-preview"
        src="${at('en')}&embed=1"
        title="The locator as customers see it"
        loading="lazy"
      ></iframe>
      <p>
        <a href="${at('en')}">Open the page</a>, or <a href="${at('es')}">the page in Spanish</a>.
        ${
          brand &&
          html`The name, phone, web page, and places come from each brand’s page, such as
            <a href="${links.page(brandPath(brand, '/contact'))}">that of ${brand.name}</a>.`
        }
      </p>
      ${
        locator.candidateEmail !== null &&
        !sendsMail &&
        html`<p class="notice bad">
          This service sends no email, so candidates see whether an area is available, but no form.
        </p>`
      }
    </section>
  </div>`;
}

function demand({ locator, unserved }: LocatorPageContent, links: Links): Html {
  const csv = links.page(locatorAddress(locator, UNSERVED_CSV_PATH));
  return html`<section aria-labelledby="demand-title">
    <h2 id="demand-title">ZIP codes that no brand serves</h2>
    <p>
      Customers asked about these, and no brand of the locator served them on that day. Only counts
      are kept, for ${COUNTED_DAYS} days.
    </p>
    ${
      unserved.length === 0
        ? html`<p class="quiet">None yet.</p>`
        : html`${records<UnservedZip>(
              'ZIP codes that no brand serves',
              [
                {
                  heading: 'ZIP code',
                  cell: ({ zip }) => html`<a href="${links.page(zipPath(zip))}">${zip}</a>`,
                },
                { heading: 'Place', cell: ({ place }) => place },
                { heading: 'Asked', number: true, cell: ({ times }) => formatCount(times) },
                { heading: 'Last on', cell: ({ lastDay }) => day(lastDay) },
              ],
              unserved.slice(0, SHOWN_ZIPS),
            )}
            <p>
              <a href="${csv}" download="unserved.csv"
                >Download ${unserved.length > SHOWN_ZIPS ? 'all ' : ''}as CSV</a
              >
            </p>`
    }
  </section>`;
}

function settings(content: LocatorPageContent, links: Links): Html {
  const { form, locator } = content;
  const action = locatorAddress(locator, LOCATOR_FORMS.change);
  return html`<section aria-labelledby="settings-title">
    <h2 id="settings-title">Brands, words, and color</h2>
    <form method="post" action="${links.page(action)}" class="locator-fields">
      ${LOCATOR.html(form.of(LOCATOR_FORMS.change), content, editedLocator(locator))}
      <button class="button">Save</button>
    </form>
    <details class="ending">
      <summary>Revoke this locator…</summary>
      <form method="post" action="${links.page(locatorAddress(locator, LOCATOR_FORMS.revoke))}">
        <p>
          The page, and the forms on all websites, stop working immediately. This can’t be undone.
        </p>
        <button class="button grave">Revoke locator</button>
      </form>
    </details>
  </section>`;
}
