/** The organization's places: a map, the list, a form for another one, and the import of a file. */
import { PLACE_KINDS, PLACE_SYMBOLS } from '../../../../data/basemap/place-symbols.ts';
import { formatCount, pluralize } from '../../../../base/text/words.ts';
import type { Brand } from '../../../../territories/brands/brands.ts';
import type { Place } from '../../../../territories/places/places.ts';
import type { FormState } from '../../form-state.ts';
import { wholeProblem } from '../../forms.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { records } from '../../records.ts';
import { filterForm, filterSelect, pager } from '../filters.ts';
import type { AccountContent } from '../frame.ts';
import { refusalNotice } from '../refusal-notice.ts';
import { PLACE, WHOLE_ORGANIZATION, type PlaceFormContext } from './fields.ts';
import { placesMap } from './map.ts';
import { kindSymbol, LOCATED_BY, withCapital } from './words.ts';

export const PLACES_PATH = '/account/places';
export const PLACE_PATH = '/account/places/{place}';

export const placeAddress = ({ id }: Pick<Place, 'id'>, path: string = PLACE_PATH) =>
  path.replace('{place}', id);

interface PlacesContent extends PlaceFormContext {
  form: FormState;
  places: readonly Place[];
  nextCursor: string | null;
  query: URLSearchParams;
  /** Number of places, and how many the subscription includes */
  used: number;
  most: number;
  /** Reason why the viewer can't change places; undefined if they can */
  refusal: string | undefined;
  upload: { maxBytes: number; organization: string };
}

export function placesPage(content: PlacesContent, links: Links): AccountContent {
  const { form, used, refusal, query, brands } = content;
  const [kind, brand] = [query.get('kind'), query.get('brand')];
  const main = html`<p>
      Your offices, stores, and depots, and your competitors: as pins on maps, in distances, and for
      customers who look for you. Unlike your data, places are stored as they are. Competitors are
      never shown outside your organization.
      <a href="${links.page('/docs/places')}">How places work</a>
    </p>
    ${wholeProblem(form)} ${placesMap({ kind, brand }, refusal === undefined, links)}
    ${refusal === undefined ? adding(content, links) : refusalNotice(refusal)}
    ${
      used > 0
        ? html`<section aria-labelledby="list-title">
            <h2 id="list-title">${pluralize(used, 'place')}</h2>
            ${filters(query, brands, links)} ${list(content, links)}
          </section>`
        : html`<p class="quiet">No places yet. Click the map to add one, or import a file.</p>`
    }
    ${refusal === undefined && importing(content, links)}`;
  return {
    path: PLACES_PATH,
    hasMap: true,
    assets: ['account/data/style.css', 'account/places/style.css', 'account/places/script.tsx'],
    main,
  };
}

function adding({ form, used, brands, hasAllBrands }: PlacesContent, links: Links): Html {
  const state = form.of(PLACES_PATH);
  return html`<details class="adding" ${(used === 0 || !state.isUnsent) && html`open`}>
    <summary>Add a place</summary>
    <form method="post" action="${links.page(PLACES_PATH)}" class="place">
      ${PLACE.html(state, { brands, hasAllBrands })}
      <p class="hint">
        Enter an address or a ZIP code, or click the map to set the coordinates, which count first.
      </p>
      <button class="button">Add place</button>
    </form>
  </details>`;
}

const filters = (query: URLSearchParams, brands: readonly Brand[], links: Links) =>
  filterForm(
    PLACES_PATH,
    query,
    [
      filterSelect(
        { name: 'kind', label: 'Kind', any: 'All kinds' },
        PLACE_KINDS.map((kind) => ({
          value: kind,
          label: withCapital(PLACE_SYMBOLS[kind].plural),
        })),
        query,
      ),
      ...(brands.length > 1
        ? [
            filterSelect(
              { name: 'brand', label: 'Brand', any: 'All brands' },
              brands.map(({ id, name }) => ({ value: id, label: name })),
              query,
            ),
          ]
        : []),
    ],
    links,
  );

function list({ places, nextCursor, query, used, most }: PlacesContent, links: Links): Html {
  if (places.length === 0) return html`<p class="quiet">No place matches.</p>`;
  return html`${placeTable(places, links)} ${pager(PLACES_PATH, query, nextCursor, links)}
    <p class="quiet small">${formatCount(used)} of ${pluralize(most, 'place')}</p>`;
}

/** @param ofBrand whether all are of one brand, which the table then omits */
export const placeTable = (places: readonly Place[], links: Links, ofBrand = false): Html =>
  records<Place>(
    'Places',
    [
      {
        heading: 'Place',
        cell: (place) =>
          html`${kindSymbol(place.kind)}
            <a href="${links.page(placeAddress(place))}">${place.name}</a>`,
      },
      { heading: 'Kind', cell: ({ kind }) => withCapital(PLACE_SYMBOLS[kind].label) },
      ...(ofBrand
        ? []
        : [{ heading: 'Brand', cell: ({ brand }: Place) => brand?.name ?? WHOLE_ORGANIZATION }]),
      { heading: 'ZIP code', cell: ({ zip }) => zip ?? '–' },
      { heading: 'Phone', cell: ({ phone }) => phone ?? '–' },
      { heading: 'Located', cell: ({ locatedBy }) => LOCATED_BY[locatedBy] },
    ],
    places,
  );

/** The script renders the form, because it reads the file before the person decides. */
function importing({ upload, brands, hasAllBrands }: PlacesContent, links: Links): Html {
  const settings = {
    ...upload,
    path: links.api('/agent/places/import'),
    done: links.page(PLACES_PATH),
    brands: brands.map(({ slug, name }) => ({ slug, name })),
    hasAllBrands,
  };
  return html`<section aria-labelledby="import-title">
    <h2 id="import-title">Import a file</h2>
    <div id="importer" data-settings="${JSON.stringify(settings)}">
      <noscript><p class="quiet">To import a file here, turn on JavaScript.</p></noscript>
    </div>
  </section>`;
}
