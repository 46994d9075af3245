/**
 * The ZIP codes of a shared map by state and place. A very long list shows only the states. Each state
 * links to a page of its ZIP codes, which the map's script loads when the state is opened.
 */
import {
  ELSEWHERE,
  type ListedPlace,
  type ListedState,
  type ShareListing,
  type ZipPosition,
} from '../../../territories/share/listing.ts';
import { sharePartPath } from '../../../territories/share/token.ts';
import type { SharedZip } from '../../../territories/share/shared-zip.ts';
import { html, type Html } from '../html.ts';
import type { Links } from '../links.ts';
import { formatCount } from '../../../base/text/words.ts';

interface Listed {
  /** Token or short code */
  token: string;
  listing: ShareListing;
}

export function zipList({ token, listing }: Listed, links: Links): Html {
  const { states, folded, positions } = listing;
  if (states.length === 0) return html`<p>The territory holds no ZIP codes yet.</p>`;
  return html`${states.map((state) =>
    folded ? foldedState(token, state, links) : wholeState(state, positions),
  )}`;
}

const wholeState = (state: ListedState, positions: ShareListing['positions']): Html =>
  html`<section ${state.usps !== null && html`data-state="${state.usps}"`}>
    <h3>${state.name} <span class="quiet">${formatCount(state.zips)}</span></h3>
    ${placesOf(state, positions)}
  </section>`;

function foldedState(token: string, state: ListedState, links: Links): Html {
  const { name, usps, zips } = state;
  return html`<details
    ${usps !== null && html`data-state="${usps}"`}
    data-starts="${startsOf(state)}"
  >
    <summary>${name} <span class="quiet">${formatCount(zips)}</span></summary>
    <p>
      <a href="${links.page(sharePartPath(token, usps ?? ELSEWHERE))}">The ZIP codes of ${name}</a>
    </p>
  </details>`;
}

export function placesOf({ places }: ListedState, positions: ShareListing['positions']): Html {
  const item = ({ zip, status }: SharedZip) => {
    const point = positions.get(zip);
    return html`<li
      ${status === 'pending' && html`class="pending"`}
      ${point && html`data-at="${pointText(point)}"`}
    >
      ${zip}${status === 'pending' && html`<span class="visually-hidden">, pending review</span>`}
    </li>`;
  };
  const place = ({ city, zips }: ListedPlace) =>
    html`<li>
      <b>${city ?? 'Other'}</b>
      <ul>
        ${zips.map(item)}
      </ul>
    </li>`;
  return html`<ul class="places">
    ${places.map(place)}
  </ul>`;
}

/** Formats a position, to a meter for a label or to a kilometer for finding a ZIP code */
const pointText = ({ lng, lat, labelZoom }: ZipPosition) =>
  labelZoom === undefined
    ? `${lng.toFixed(2)} ${lat.toFixed(2)}`
    : `${lng.toFixed(5)} ${lat.toFixed(5)} ${labelZoom.toFixed(1)}`;

/**
 * The first three digits of a state's ZIP codes as ranges: `750-799 885`. Few prefixes belong to two
 * states, so a script can find the list that contains a ZIP code.
 */
function startsOf({ places }: ListedState): string {
  const starts = places.flatMap(({ zips }) => zips.map(({ zip }) => Number(zip.slice(0, 3))));
  const runs: [first: number, last: number][] = [];
  for (const start of [...new Set(starts)].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run && start === run[1] + 1) run[1] = start;
    else runs.push([start, start]);
  }
  const digits = (start: number) => String(start).padStart(3, '0');
  return runs
    .map(([first, last]) => (first === last ? digits(first) : `${digits(first)}-${digits(last)}`))
    .join(' ');
}
