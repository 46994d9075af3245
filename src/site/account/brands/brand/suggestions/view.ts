/** Keep, cut and add: advice by a vertical's scores, each with the way to follow it. */
import { VERTICALS } from '../../../../../scoring/verticals.ts';
import type {
  Addition,
  Advice,
  Comparison,
  Cut,
  Outcome,
} from '../../../../../territory/compare.ts';
import { MAX_RADIUS_MILES, type Candidate } from '../../../../../territory/discover.ts';
import { place } from '../../../../../words.ts';
import { average, count } from '../../../../format.ts';
import { FormState } from '../../../../form-state.ts';
import { selectField, textField } from '../../../../forms.ts';
import { html, type Html } from '../../../../html.ts';
import type { Links } from '../../../../links.ts';
import { scoreChip, wideTable } from '../../../../parts.ts';
import { hindranceNotice } from '../add/view.ts';
import { brandPageOf, brandPath, type BrandPage } from '../frame.ts';
import { records, type Column } from '../../../records.ts';

export interface SuggestionsContent extends BrandPage {
  asked: { vertical: string; keepFrom: number; addFrom: number; miles: number };
  comparison: Comparison;
  /** Good ZIPs that do not border on it, the best first */
  around: readonly Candidate[];
  hindrance: string | undefined;
}

export function suggestionsPage(content: SuggestionsContent, links: Links): string {
  const { asked, comparison, around, hindrance } = content;
  const { keep, cut, add, counts, now } = comparison;
  const main = html`<p>
      A score is the part of the country’s ZIP codes that one outdoes, by the public weights: 50 is
      the middle.
    </p>
    ${optionsForm(content, links)} ${hindrance !== undefined && hindranceNotice(hindrance)}
    ${
      now.zips === 0
        ? html`<p class="quiet">
            The brand holds no ZIP codes yet: there is nothing to compare.
            <a href="${links.page(brandPath(content.brand, '/add'))}">Add some</a>.
          </p>`
        : html`${effect(comparison)}
          ${advice('Add', `Border on the territory and score ${asked.addFrom} or more`, add, counts.add, content, links)}
          ${further(around, content, links)}
          ${advice('Cut', `Score below ${asked.keepFrom}`, cut, counts.cut, content, links)}
          ${advice('Keep', `Score ${asked.keepFrom} or more, the best first`, keep, counts.keep, content, links)}`
    }`;
  return brandPageOf({ ...content, under: '/suggestions', main }, links);
}

function optionsForm({ brand, asked }: SuggestionsContent, links: Links): Html {
  const number = (name: string, label: string, value: number, max = 100, min = 0) =>
    textField({ name, label, type: 'number', value: `${value}`, min, max }, FormState.EMPTY);
  return html`<form
    class="zip-filters"
    method="get"
    action="${links.page(brandPath(brand, '/suggestions'))}"
  >
    ${selectField(
      { name: 'vertical', label: 'Vertical', value: asked.vertical },
      VERTICALS.map(({ slug, label }) => ({ value: slug, label })),
      FormState.EMPTY,
    )}
    ${number('keep', 'Cut below', asked.keepFrom)} ${number('add', 'Add from', asked.addFrom)}
    ${number('miles', 'Look as far as, miles', asked.miles, MAX_RADIUS_MILES, 1)}
    <button class="button">Show</button>
  </form>`;
}

function effect({ now, afterCut, afterBoth }: Comparison): Html {
  const column = (outcome: Outcome) => [
    count(outcome.zips),
    count(outcome.households),
    average(outcome.averageScore),
    count(outcome.pieces),
  ];
  const names = ['ZIP codes', 'Households', 'Average score', 'Pieces'];
  const [a, b, c] = [column(now), column(afterCut), column(afterBoth)];
  const table = html`<table class="measures outcome">
    <thead>
      <tr>
        <th scope="col">Measure</th>
        <th scope="col" class="number">Now</th>
        <th scope="col" class="number">With the cuts below</th>
        <th scope="col" class="number">And the additions</th>
      </tr>
    </thead>
    <tbody>
      ${names.map(
        (name, i) =>
          html`<tr>
            <th scope="row">${name}</th>
            <td class="number">${a[i]}</td>
            <td class="number">${b[i]}</td>
            <td class="number">${c[i]}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
  return wideTable('What following the advice would make of it', table);
}

type Kind = 'Add' | 'Cut' | 'Keep';

function advice(
  kind: Kind,
  meaning: string,
  rows: readonly (Advice | Cut | Addition)[],
  all: number,
  content: SuggestionsContent,
  links: Links,
): Html {
  const told = rows.length < all ? `, ${rows.length} of ${count(all)}` : `, ${count(all)}`;
  const columns: Column<Advice>[] = [
    { heading: 'ZIP', cell: ({ zip }) => zip },
    { heading: 'Place', cell: ({ city, state }) => place(city, state) },
    { heading: 'Score', cell: ({ score }) => (score === null ? '–' : scoreChip(score)) },
    { heading: 'Households', number: true, cell: ({ households }) => count(households) },
    { heading: 'Why', cell: ({ reason }) => html`<span class="reason">${reason}</span>` },
    ...follow(kind, content, links),
  ];
  return section(kind, meaning + told, rows, columns, content, links);
}

/** Where the advice leads. */
function follow(
  kind: Kind,
  { brand, hindrance }: SuggestionsContent,
  links: Links,
): Column<{ zip: string }>[] {
  if (kind === 'Keep' || hindrance !== undefined) return [];
  const [under, label] = kind === 'Add' ? ['/add', 'Add'] : ['/remove', 'Remove'];
  return [
    {
      heading: label!,
      hidden: true,
      cell: ({ zip }) =>
        html`<a class="quiet-button" href="${links.page(brandPath(brand, under))}?zips=${zip}"
          >${label}<span class="visually-hidden"> ${zip}</span></a
        >`,
    },
  ];
}

function section<Row extends { zip: string }>(
  kind: Kind | 'Further out',
  meaning: string,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { brand, hindrance }: SuggestionsContent,
  links: Links,
): Html {
  const id = `advice-${kind.toLowerCase().replace(' ', '-')}`;
  const under = kind === 'Cut' ? '/remove' : '/add';
  const all = rows.map(({ zip }) => zip).join(' ');
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${kind}</h2>
    <p class="quiet">${meaning}.</p>
    ${rows.length > 0 ? records(kind, columns, rows) : html`<p>None.</p>`}
    ${
      rows.length > 1 &&
      kind !== 'Keep' &&
      hindrance === undefined &&
      html`<p>
        <a
          href="${links.page(brandPath(brand, under))}?${new URLSearchParams({ zips: all }).toString()}"
          >${kind === 'Cut' ? 'Remove' : 'Add'} all ${count(rows.length)} that are listed</a
        >
      </p>`
    }
  </section>`;
}

function further(rows: readonly Candidate[], content: SuggestionsContent, links: Links): Html {
  const { miles, addFrom } = content.asked;
  const columns: Column<Candidate>[] = [
    { heading: 'ZIP', cell: ({ zip }) => zip },
    { heading: 'Place', cell: ({ city, state }) => place(city, state) },
    { heading: 'Score', cell: ({ score }) => scoreChip(score) },
    { heading: 'Households', number: true, cell: ({ households }) => count(households) },
    { heading: 'Miles away', number: true, cell: ({ distanceMiles }) => distanceMiles.toFixed(1) },
    {
      heading: 'Held by',
      cell: ({ heldBy }) => heldBy.join(', ') || html`<span class="quiet">Nobody</span>`,
    },
    ...follow('Add', content, links),
  ];
  const meaning = `Do not border on it, within ${miles} miles of its border, and score ${addFrom} or more`;
  return section('Further out', meaning, rows, columns, content, links);
}
