/** Who serves an address, and a file of leads with the answers. */
import type { LiveBrand, Served } from '../../../../territories/serving/answer.ts';
import { formatMiles } from '../../../../base/text/words.ts';
import { explainServed, FOUND_BY_WORDS } from '../../../../territories/serving/words.ts';
import { ACCEPTED_FILES } from '../../../../base/contract/bounds.ts';
import { MAX_MB } from '../../../../territories/own-data/import/read-upload.ts';
import type { FormState } from '../../form-state.ts';
import { textField, wholeProblem } from '../../forms.ts';
import { text } from '../../framework/fields.ts';
import { formOf } from '../../framework/fields.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { dayTag } from '../../parts.ts';
import { workspaceLink } from '../../workspace/link.ts';
import type { AccountContent } from '../frame.ts';

export const SERVING_PATH = '/account/serving';

export const PLACE_FIELD = 'place';

interface ServingContent {
  form: FormState;
  /** Whether the service finds addresses */
  geocodes: boolean;
  /** What was asked; undefined before */
  asked?: string | undefined;
  served?: Served | undefined;
  /** Reason why the viewer can't look up anything */
  refusal: string | undefined;
  /** Id */
  organization: string;
}

export const question = (geocodes: boolean) =>
  formOf({
    place: text(
      {
        name: PLACE_FIELD,
        label: geocodes ? 'ZIP code, coordinates, or address' : 'ZIP code or coordinates',
        hint: geocodes
          ? 'Looking up an address costs a unit. ZIP codes, and coordinates such as 32.78, -96.8, are free.'
          : 'Coordinates are latitude and longitude, such as 32.78, -96.8.',
      },
      (given) => given.trim(),
    ),
  });

export function servingPage(content: ServingContent, links: Links): AccountContent {
  const { form, geocodes, asked, served, refusal } = content;
  const fields = question(geocodes);
  const main = html`<p>
      Find out which of your brands serves a customer, and whom to call.
      <a href="${links.page('/docs/lookups')}">How lookups work</a>
    </p>
    ${wholeProblem(form)}
    ${
      refusal === undefined
        ? html`<form method="post" class="narrow">
              ${fields.html(form, {}, asked === undefined ? undefined : { place: asked })}
              <button class="button">Look up</button>
            </form>
            ${served && answerSection(served, links)} ${leadsSection(content, links)}`
        : html`<p class="quiet">${refusal}</p>`
    }`;
  return {
    path: SERVING_PATH,
    assets: ['account/serving/style.css', 'account/serving/script.ts'],
    main,
  };
}

function answerSection(served: Served, links: Links): Html {
  const { zip, place, address, foundBy, brands } = served;
  const where = [zip, address ?? place].filter((part) => part !== null && part !== '').join(', ');
  const said = explainServed(served);
  return html`<section aria-labelledby="answer" class="answer" role="status">
    <h2 id="answer">${where === '' ? 'No place found' : where}</h2>
    ${zip !== null && foundBy !== 'zip' && html`<p class="quiet small">Found by ${FOUND_BY_WORDS[foundBy]}</p>`}
    ${said !== '' && html`<p>${said}</p>`}
    ${
      brands.length > 0 &&
      html`<ul class="serving-brands">
        ${brands.map((brand) => html`<li>${brandCard(brand)}</li>`)}
      </ul>`
    }
    ${zip !== null && html`<p><a href="${workspaceLink({ zips: [zip] }, links)}">Show on the map</a></p>`}
  </section>`;
}

function brandCard({
  publicName,
  name,
  groups,
  since,
  phone,
  email,
  url,
  nearestPlace,
}: LiveBrand) {
  const contacts = [
    phone !== null && html`<a href="tel:${phone.replaceAll(/[^\d+]/g, '')}">${phone}</a>`,
    email !== null && html`<a href="mailto:${email}">${email}</a>`,
    url !== null && html`<a href="${url}" rel="noopener">${new URL(url).host}</a>`,
  ].filter((contact) => contact !== false);
  return html`<h3>${publicName}</h3>
    <p>
      ${
        contacts.length > 0
          ? contacts.map((contact, i) => html`${i > 0 && ' · '}${contact}`)
          : html`<span class="quiet">No contact is set for ${name}.</span>`
      }
    </p>
    <p class="quiet small">
      ${publicName !== name && `${name} · `}Live since
      ${dayTag(since)}${groups.length > 0 && ` · ${groups.join(', ')}`}
    </p>
    ${
      nearestPlace &&
      html`<p>
        ${nearestPlace.name}, ${formatMiles(nearestPlace.miles)}
        away${nearestPlace.address !== null && `: ${nearestPlace.address}`}
      </p>`
    }`;
}

/** The script sends the file to the API, as the command line does, and saves the answer. */
function leadsSection({ organization, geocodes, form }: ServingContent, links: Links): Html {
  const settings = JSON.stringify({ path: links.api('/agent/serving/file'), organization });
  const column = (name: string, label: string, hint?: string) =>
    textField(
      { name, label, optional: true, autocomplete: 'off', ...(hint !== undefined && { hint }) },
      form,
    );
  return html`<section aria-labelledby="leads">
    <h2 id="leads">Route a file of leads</h2>
    <p>
      Each row gets its brand, the contact, the nearest place, and how it was found. A row without
      an answer says why. Nothing of the file is stored.
    </p>
    <noscript><p class="quiet">To route a file here, turn on JavaScript.</p></noscript>
    <form class="narrow" id="route" data-settings="${settings}" hidden>
      <div class="field">
        <label for="file">File</label>
        <p class="hint" id="file-hint">
          CSV, Excel, or GeoJSON, up to ${MAX_MB}
          MB${geocodes && '. Looking up addresses costs units'}
        </p>
        <input
          type="file"
          id="file"
          name="file"
          accept="${ACCEPTED_FILES}"
          aria-describedby="file-hint"
          required
        />
      </div>
      <details>
        <summary>Columns</summary>
        <p class="hint">
          They are guessed. Name one by its heading or number if the guess is wrong.
        </p>
        ${column('zip', 'ZIP code')} ${column('lng', 'Longitude')} ${column('lat', 'Latitude')}
        ${geocodes && column('address', 'Address', 'Several columns are separated by commas.')}
      </details>
      <button class="button">Route the file</button>
      <p role="status" data-status></p>
    </form>
  </section>`;
}
