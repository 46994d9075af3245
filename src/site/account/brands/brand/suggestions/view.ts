/** ZIP codes to add, cut, and keep, with links to follow the suggestions. */
import { VERTICALS } from '../../../../../scoring/verticals.ts';
import { MAX_MINUTES, MIN_MINUTES } from '../../../../../routing/drive-times.ts';
import { isWithheld, type LimitReason } from '../../../../../metering/figures.ts';
import type { Brand } from '../../../../../territory/brands.ts';
import type {
  Addition,
  Advice,
  Comparison,
  Cut,
  Outcome,
} from '../../../../../territory/compare.ts';
import { MAX_RADIUS_MILES, type Candidate } from '../../../../../territory/discover.ts';
import { formatCount, formatPlace, formatTenths, pluralize } from '../../../../../words.ts';
import { html, type Html } from '../../../../html.ts';
import type { Links } from '../../../../links.ts';
import { scoreChip, tableHead, wideTable } from '../../../../parts.ts';
import { refusalNotice } from '../../../refusal-notice.ts';
import { withheldNotice } from '../../../withheld-notice.ts';
import type { AccountContent } from '../../../frame.ts';
import { brandPageOf, brandPath } from '../frame.ts';
import { filterForm, filterInput, filterSelect } from '../../../filters.ts';
import { records, type Column } from '../../../records.ts';

export interface SuggestionsContent {
  brand: Brand;
  options: {
    vertical: string;
    keepFrom: number;
    addFrom: number;
    miles: number;
    /** By car from the middle of the territory in each metro, in place of the radius around it; null for none */
    minutes: number | null;
  };
  /** Whether there is a routing server */
  hasDrives: boolean;
  /** Or why the plan doesn't include the figures */
  suggested: Suggestions | LimitReason;
  refusal: string | undefined;
}

interface Suggestions {
  comparison: Comparison;
  /** High-scoring ZIP codes that aren't adjacent, best first */
  around: readonly Candidate[];
}

export function suggestionsPage(content: SuggestionsContent, links: Links): AccountContent {
  const { brand, suggested, refusal } = content;
  const main = html`<p>
      A score is the percentage of all US ZIP codes that a ZIP code outranks, with the public
      weights. The median is 50.
    </p>
    ${optionsForm(content, links)} ${refusalNotice(refusal)}
    ${
      isWithheld(suggested)
        ? withheldNotice('Suggestions', suggested, links)
        : suggestions(suggested, content, links)
    }`;
  return brandPageOf({ brand, under: '/suggestions', main }, links);
}

function suggestions(
  { comparison, around }: Suggestions,
  content: SuggestionsContent,
  links: Links,
): Html {
  const { brand, options } = content;
  const { keep, cut, add, counts, now } = comparison;
  if (now.zips === 0) {
    return html`<p class="quiet">
      The brand holds no ZIP codes yet.
      <a href="${links.page(brandPath(brand, '/add'))}">Add ZIP codes</a> to get suggestions.
    </p>`;
  }
  return html`${effect(comparison)}
  ${advice('Add', `Adjacent ZIP codes that score ${options.addFrom} or more`, add, counts.add, content, links)}
  ${further(around, content, links)}
  ${advice('Cut', `Held ZIP codes that score below ${options.keepFrom}`, cut, counts.cut, content, links)}
  ${advice('Keep', `Held ZIP codes that score ${options.keepFrom} or more, best first`, keep, counts.keep, content, links)}`;
}

/** Labels of the number fields */
export const LABELS = {
  keep: 'Cut below',
  add: 'Add from',
  miles: 'Search radius, in miles',
  minutes: 'Or drive, in minutes',
} as const;

function optionsForm({ brand, options, hasDrives }: SuggestionsContent, links: Links): Html {
  const { vertical, keepFrom, addFrom, miles, minutes } = options;
  const chosen = new URLSearchParams({
    vertical,
    keep: `${keepFrom}`,
    add: `${addFrom}`,
    miles: `${miles}`,
    ...(minutes !== null && { minutes: `${minutes}` }),
  });
  const number = (name: keyof typeof LABELS, min = 0, max = 100) =>
    filterInput({ name, label: LABELS[name], type: 'number', min, max }, chosen);
  const verticals = VERTICALS.map(({ slug, label }) => ({ value: slug, label }));
  const fields = [
    filterSelect({ name: 'vertical', label: 'Vertical' }, verticals, chosen),
    ...[number('keep'), number('add'), number('miles', 1, MAX_RADIUS_MILES)],
    ...(hasDrives ? [number('minutes', MIN_MINUTES, MAX_MINUTES)] : []),
  ];
  return filterForm(brandPath(brand, '/suggestions'), new URLSearchParams(), fields, links);
}

function effect({ now, afterCut, afterBoth }: Comparison): Html {
  const column = (outcome: Outcome) => [
    formatCount(outcome.zips),
    formatCount(outcome.households),
    formatTenths(outcome.averageScore),
    formatCount(outcome.pieces),
  ];
  const names = ['ZIP codes', 'Households', 'Average score', 'Pieces'];
  const [a, b, c] = [column(now), column(afterCut), column(afterBoth)];
  const table = html`<table class="measures outcome">
    ${tableHead('Measure', ['Now', 'number'], ['With cuts', 'number'], ['With both', 'number'])}
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
  return wideTable('Effect of the suggestions', table);
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
  const shown =
    rows.length < all ? `: ${rows.length} of ${formatCount(all)}` : `: ${formatCount(all)}`;
  const columns: Column<Advice>[] = [
    { heading: 'ZIP code', cell: ({ zip }) => zip },
    { heading: 'Place', cell: ({ city, state }) => formatPlace(city, state) },
    { heading: 'Score', cell: ({ score }) => (score === null ? '–' : scoreChip(score)) },
    { heading: 'Households', number: true, cell: ({ households }) => formatCount(households) },
    { heading: 'Why', cell: ({ reason }) => html`<span class="reason">${reason}</span>` },
    ...linkColumn(kind, content, links),
  ];
  return section(kind, meaning + shown, rows, columns, content, links);
}

/** A column of links that follow the suggestion. */
function linkColumn(
  kind: Kind,
  { brand, refusal }: SuggestionsContent,
  links: Links,
): Column<{ zip: string }>[] {
  if (kind === 'Keep' || refusal !== undefined) return [];
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
  { brand, refusal }: SuggestionsContent,
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
      refusal === undefined &&
      html`<p>
        <a
          href="${links.page(brandPath(brand, under))}?${new URLSearchParams({ zips: all }).toString()}"
          >${kind === 'Cut' ? 'Remove' : 'Add'} all ${formatCount(rows.length)} listed ZIP codes</a
        >
      </p>`
    }
  </section>`;
}

function further(rows: readonly Candidate[], content: SuggestionsContent, links: Links): Html {
  const { miles, minutes, addFrom } = content.options;
  const columns: Column<Candidate>[] = [
    { heading: 'ZIP code', cell: ({ zip }) => zip },
    { heading: 'Place', cell: ({ city, state }) => formatPlace(city, state) },
    { heading: 'Score', cell: ({ score }) => scoreChip(score) },
    { heading: 'Households', number: true, cell: ({ households }) => formatCount(households) },
    { heading: 'Miles away', number: true, cell: ({ distanceMiles }) => distanceMiles.toFixed(1) },
    {
      heading: 'Held by',
      cell: ({ heldBy }) =>
        heldBy.map(({ name }) => name).join(', ') || html`<span class="quiet">No brand</span>`,
    },
    ...linkColumn('Add', content, links),
  ];
  const reach =
    minutes === null
      ? `${pluralize(miles, 'mile')} of the border`
      : `a ${minutes}-minute drive of the territory’s middle in each metro`;
  const meaning = `ZIP codes within ${reach} that aren’t adjacent and score ${addFrom} or more`;
  return section('Further out', meaning, rows, columns, content, links);
}
