/** A place: where it is, the form that changes it, and its end. */
import { PLACE_SYMBOLS } from '../../../../../data/basemap/place-symbols.ts';
import type { Place } from '../../../../../territories/places/places.ts';
import type { FormState } from '../../../form-state.ts';
import { wholeProblem } from '../../../forms.ts';
import { html, type Html } from '../../../html.ts';
import type { Links } from '../../../links.ts';
import { breadcrumbs, dayTag, definition } from '../../../parts.ts';
import type { AccountContent } from '../../frame.ts';
import { editedPlace, PLACE, WHOLE_ORGANIZATION, type PlaceFormContext } from '../fields.ts';
import { placesMap } from '../map.ts';
import { kindSymbol, LOCATED_BY, withCapital } from '../words.ts';
import { PLACE_PATH, placeAddress, PLACES_PATH } from '../view.ts';

export const DELETE_PLACE_PATH = `${PLACE_PATH}/delete`;

interface PlaceContent extends PlaceFormContext {
  form: FormState;
  place: Place;
  mayChange: boolean;
}

export function placePage(content: PlaceContent, links: Links): AccountContent {
  const { form, place, mayChange } = content;
  const main = html`${wholeProblem(form)} ${facts(place)}
  ${placesMap({ at: place }, mayChange, links)}
  ${mayChange ? changing(content, links) : texts(place)} ${mayChange && deletion(place, links)}`;
  return {
    path: PLACES_PATH,
    title: place.name,
    aboveTitle: breadcrumbs([[PLACES_PATH, 'Places']], place.name, links),
    hasMap: true,
    assets: ['account/places/style.css', 'account/places/place/script.ts'],
    main,
  };
}

const facts = ({ kind, brand, zip, locatedBy, changedAt, changedBy }: Place): Html =>
  html`<dl class="facts">
    ${definition('Kind', html`${kindSymbol(kind)} ${withCapital(PLACE_SYMBOLS[kind].label)}`)}
    ${definition('Brand', brand?.name ?? WHOLE_ORGANIZATION)}
    ${definition('ZIP code', zip ?? 'In none')} ${definition('Located', LOCATED_BY[locatedBy])}
    ${definition('Changed', html`${dayTag(changedAt)} by ${changedBy.name}`)}
  </dl>`;

const texts = ({ address, phone, email, url, hours }: Place): Html =>
  html`<dl class="facts">
    ${address && definition('Address', address)} ${phone && definition('Phone', phone)}
    ${email && definition('Email', email)} ${url && definition('Web page', url)}
    ${hours && definition('Opening hours', hours)}
  </dl>`;

function changing({ form, place, ...context }: PlaceContent, links: Links): Html {
  const path = placeAddress(place);
  return html`<section aria-labelledby="change-title">
    <h2 id="change-title">Change</h2>
    <form method="post" action="${links.page(path)}" class="place">
      ${PLACE.html(form.of(PLACE_PATH), context, editedPlace(place))}
      <p class="hint">
        The place moves if you change its coordinates, its address, or its ZIP code. Click the map
        to set the coordinates.
      </p>
      <button class="button">Save</button>
    </form>
  </section>`;
}

const deletion = (place: Place, links: Links): Html =>
  html`<details class="ending">
    <summary>Delete this place…</summary>
    <form method="post" action="${links.page(placeAddress(place, DELETE_PLACE_PATH))}">
      <p>
        It disappears from maps and distances for everyone, and customers are no longer sent there.
        This can’t be undone.
      </p>
      <button class="button grave">Delete place</button>
    </form>
  </details>`;
