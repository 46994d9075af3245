/** Words and symbols for places. */
import {
  PLACE_SYMBOLS,
  SYMBOL_SIZE,
  type PlaceKind,
} from '../../../../data/basemap/place-symbols.ts';
import type { Place } from '../../../../territories/places/places.ts';
import { html, type Html } from '../../html.ts';

export const withCapital = (text: string) => text[0]!.toUpperCase() + text.slice(1);

export const LOCATED_BY: Readonly<Record<Place['locatedBy'], string>> = {
  coordinates: 'By its coordinates',
  address: 'By its address',
  zip: 'In the middle of its ZIP code',
};

/** The symbol of a kind, with its name for screen readers and in a tooltip */
export const kindSymbol = (kind: PlaceKind): Html =>
  html`<svg
    class="place-symbol ${kind}"
    viewBox="0 0 ${SYMBOL_SIZE} ${SYMBOL_SIZE}"
    aria-hidden="true"
    focusable="false"
  >
    <path fill-rule="evenodd" d="${PLACE_SYMBOLS[kind].path}" />
  </svg>`;
