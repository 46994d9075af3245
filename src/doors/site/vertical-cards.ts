/** A card for each vertical, with its most heavily weighted signals and its best metro. */
import { signalsOf } from '../../data/market/public/methodology.ts';
import { VERTICALS } from '../../data/scoring/verticals.ts';
import { html, type Html } from './html.ts';
import type { Links } from './links.ts';
import { metrosByAverage, type Study } from './study.ts';

export function verticalCards(study: Study, links: Links): Html {
  return html`<ul class="cards">
    ${VERTICALS.map((vertical) => {
      const [first, second] = signalsOf(vertical);
      const [best] = metrosByAverage(study, vertical.slug);
      return html`<li>
        <h3><a href="${links.vertical(vertical.slug)}">${vertical.label}</a></h3>
        <p>${signalName(first!)}; ${lowerFirst(signalName(second!))}</p>
        ${
          best!.averageScore !== null &&
          html`<p class="quiet">Highest average: ${best!.metroLabel}</p>`
        }
      </li>`;
    })}
  </ul>`;
}

const signalName = ({ label, direction }: ReturnType<typeof signalsOf>[number]) =>
  direction === 'lower' ? `Low ${lowerFirst(label)}` : label;

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
