/** Buttons that zoom a map to the areas of a territory. The page's script shows them. */
import { MAX_AREAS, type MapArea } from '../../data/market/areas.ts';
import type { Bbox } from '../../base/spatial/bbox.ts';
import { formatCount } from '../../base/text/words.ts';
import { html, type Html } from './html.ts';

/** @param zips total number of ZIP codes */
export function areaButtons(whole: Bbox, areas: readonly MapArea[], zips: number): Html | false {
  const button = ({ label, zips: held, bbox }: MapArea) =>
    html`<button type="button" class="quiet-button" data-bbox="${bbox.join(' ')}">
      ${label} <span class="quiet">${formatCount(held)}</span>
    </button>`;
  return (
    areas.length > 1 &&
    html`<p class="areas" hidden>
      ${[{ label: 'All', zips, bbox: whole }, ...areas.slice(0, MAX_AREAS)].map(button)}
    </p>`
  );
}
