/** Territories over time: the forms, the comparison with its map, and the history of a ZIP code. */
import { addDays, formatDay } from '../../../../base/text/days.ts';
import { formatCount, placeName, pluralize } from '../../../../base/text/words.ts';
import type { Brand } from '../../../../territories/brands/brands.ts';
import type { DataSet, FullDataSet } from '../../../../territories/own-data/data-sets.ts';
import { formatAmount } from '../../../../territories/own-data/amount-text.ts';
import type { ChangedDay } from '../../../../territories/record/changed-days.ts';
import {
  CHANGE_WORDS,
  CHANGES,
  type ChangedZip,
  type Comparison,
} from '../../../../territories/record/comparison.ts';
import type { HeldPeriod } from '../../../../territories/record/zip-history.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { minuteTag } from '../../parts.ts';
import { records, type Column } from '../../records.ts';
import { workspaceLink } from '../../workspace/link.ts';
import { filterSelect } from '../filters.ts';
import type { AccountContent } from '../frame.ts';
import { statusTag } from '../map/view.ts';
import { withheldNotice } from '../withheld-notice.ts';

export const OVER_TIME_PATH = '/account/over-time';

interface Problem {
  problem: string;
}

interface OverTimeContent {
  /** What the address asks for */
  query: URLSearchParams;
  brands: readonly Brand[];
  sets: readonly Pick<DataSet, 'slug' | 'name'>[];
  recorded: { first: string; today: string };
  /** The latest first */
  days: readonly ChangedDay[];
  asked: { comparison: Comparison; brand: Brand | null; data: readonly FullDataSet[] } | Problem;
  zip: string | null;
  /** Null unless a ZIP code is asked about */
  periods: readonly HeldPeriod[] | Problem | null;
}

/** Rows on the page. The CSV has all. */
const MAX_ROWS = 200;
const MAX_DAYS = 30;

export function overTimePage(content: OverTimeContent, links: Links): AccountContent {
  const { asked, recorded } = content;
  const main = html`<p>
      What your brands took, gave up, and handed over. The record begins on
      ${formatDay(recorded.first)}. <a href="${links.page('/docs/over-time')}">How it works</a>
    </p>
    <section aria-labelledby="compare">
      <h2 id="compare">Compare two days</h2>
      ${compareForm(content, links)}
      ${'problem' in asked ? html`<p class="problem" role="alert">${asked.problem}</p>` : comparisonSection(content, asked, links)}
    </section>
    ${zipSection(content, links)} ${daysSection(content, links)}`;
  return { path: OVER_TIME_PATH, assets: ['account/brands/style.css'], main };
}

function compareForm({ query, brands, sets, recorded }: OverTimeContent, links: Links): Html {
  const { first, today } = recorded;
  const dayInput = (name: string, label: string) =>
    html`<div>
      <label for="over-${name}">${label}</label>
      <input
        id="over-${name}"
        type="date"
        name="${name}"
        value="${query.get(name) ?? ''}"
        min="${first}"
        max="${today}"
      />
    </div>`;
  return html`<form method="get" action="${links.page(OVER_TIME_PATH)}" class="filters">
      ${dayInput('from', 'End of')} ${dayInput('to', 'And end of')}
      ${filterSelect(
        { name: 'brand', label: 'Brand', any: 'All' },
        brands.map(({ slug, name }) => ({ value: slug, label: name })),
        query,
      )}
      ${
        sets.length > 0 &&
        filterSelect(
          { name: 'data', label: 'Your data', any: 'None' },
          sets.map(({ slug, name }) => ({ value: slug, label: name })),
          query,
        )
      }
      <div class="filters-do"><button class="quiet-button">Compare</button></div>
    </form>
    <p class="quiet small">Without days: since the record began, until now.</p>`;
}

function comparisonSection(
  { query, recorded }: OverTimeContent,
  { comparison, data }: Exclude<OverTimeContent['asked'], Problem>,
  links: Links,
): Html {
  const { zips, totals, withheld } = comparison;
  const from = query.get('from');
  const to = query.get('to');
  const since = from ? `after ${formatDay(from)}` : `since ${formatDay(recorded.first)}`;
  const span = to ? `${since}, through ${formatDay(to)}` : since;
  if (zips.length === 0) return html`<p class="quiet" role="status">Nothing changed ${span}.</p>`;
  const asked = new URLSearchParams(
    [...query].filter(([name, value]) => name !== 'zip' && value !== ''),
  ).toString();
  const figures = html`<dl class="figures explained">
    ${CHANGES.map(
      (change) =>
        html`<div>
          <dt>${CHANGE_WORDS[change]}</dt>
          <dd>${formatCount(totals[change].zips)}</dd>
          <dd class="meaning">
            ${withheld === null ? pluralize(totals[change].households, 'household') : 'ZIP codes'}
          </dd>
        </div>`,
    )}
  </dl>`;
  const picture = (size: 'wide' | 'narrow', style: 'light' | 'dark') =>
    `${links.page(`${OVER_TIME_PATH}/${size}/${style}.png`)}?${asked}`;
  return html`${figures} ${withheld !== null && withheldNotice('Households', { withheld }, links)}
    <picture class="territory-picture">
      <source
        media="(max-width: 640px) and (prefers-color-scheme: dark)"
        srcset="${picture('narrow', 'dark')}"
      />
      <source media="(max-width: 640px)" srcset="${picture('narrow', 'light')}" />
      <source media="(prefers-color-scheme: dark)" srcset="${picture('wide', 'dark')}" />
      <img
        src="${picture('wide', 'light')}"
        width="960"
        height="480"
        alt="Map of ${pluralize(zips.length, 'ZIP code')} that changed ${span}"
      />
    </picture>
    ${records(`ZIP codes that changed ${span}`, columnsOf(data), zips.slice(0, MAX_ROWS))}
    <p>
      ${zips.length > MAX_ROWS && html`The first ${formatCount(MAX_ROWS)} of ${pluralize(zips.length, 'ZIP code')}. `}
      <a href="${links.page(`${OVER_TIME_PATH}/changes.csv`)}?${asked}" download
        >All as a table (CSV)</a
      >
    </p>`;
}

function columnsOf(data: readonly FullDataSet[]): Column<ChangedZip>[] {
  const names = (brands: readonly Brand[]) => brands.map(({ name }) => name).join(', ') || '–';
  return [
    { heading: 'ZIP code', cell: ({ zip }) => zip },
    { heading: 'Place', cell: ({ city, state }) => placeName(city, state) },
    { heading: 'Change', cell: ({ change }) => CHANGE_WORDS[change] },
    { heading: 'From', cell: ({ from }) => names(from) },
    { heading: 'To', cell: ({ to }) => names(to) },
    { heading: 'Households', number: true, cell: ({ households }) => formatCount(households) },
    ...data.map((set): Column<ChangedZip> => {
      const cell = ({ zip }: ChangedZip) => {
        const amount = set.amounts.get(zip);
        return amount === undefined ? '–' : formatAmount(set, amount);
      };
      return { heading: set.name, number: true, cell };
    }),
  ];
}

function zipSection({ zip, periods }: OverTimeContent, links: Links): Html {
  return html`<section aria-labelledby="held">
    <h2 id="held">Who held a ZIP code</h2>
    <form method="get" action="${links.page(OVER_TIME_PATH)}#held" class="filters">
      <div>
        <label for="over-zip">ZIP code</label>
        <input
          id="over-zip"
          name="zip"
          value="${zip ?? ''}"
          inputmode="numeric"
          autocomplete="off"
          size="8"
          required
        />
      </div>
      <div class="filters-do"><button class="quiet-button">Show</button></div>
    </form>
    ${periods !== null && ('problem' in periods ? html`<p class="problem" role="alert">${periods.problem}</p>` : historyOf(zip!, periods, links))}
  </section>`;
}

function historyOf(zip: string, periods: readonly HeldPeriod[], links: Links): Html {
  if (periods.length === 0) {
    return html`<p class="quiet" role="status">No brand of yours has held ${zip}.</p>`;
  }
  const columns: Column<HeldPeriod>[] = [
    { heading: 'Brand', cell: ({ brand }) => brand.name },
    { heading: 'Status', cell: ({ status }) => statusTag(status) },
    {
      heading: 'From',
      cell: ({ from, isStartKnown, started }) =>
        html`${!isStartKnown && 'At the latest '}${minuteTag(from)}${started && html` <span class="quiet">${started.by}</span>`}`,
    },
    {
      heading: 'Until',
      cell: ({ until, ended }) =>
        until === null
          ? 'Now'
          : html`${minuteTag(until)}${ended && html` <span class="quiet">${ended.by}</span>`}`,
    },
  ];
  return html`${records(`Who held ${zip}`, columns, periods)}
    <p><a href="${workspaceLink({ zips: [zip] }, links)}">Show on the map</a></p>`;
}

function daysSection({ days, recorded }: OverTimeContent, links: Links): Html {
  // Before the first day, nobody held anything.
  const queryOf = (day: string) =>
    new URLSearchParams({ ...(day > recorded.first && { from: addDays(day, -1) }), to: day });
  const columns: Column<ChangedDay>[] = [
    {
      heading: 'Day',
      cell: ({ day }) =>
        html`<a href="${links.page(OVER_TIME_PATH)}?${queryOf(day).toString()}"
          >${formatDay(day)}</a
        >`,
    },
    { heading: 'Taken', number: true, cell: ({ taken }) => formatCount(taken) },
    { heading: 'Given up', number: true, cell: ({ givenUp }) => formatCount(givenUp) },
  ];
  return html`<section aria-labelledby="days">
    <h2 id="days">Days of changes</h2>
    ${
      days.length === 0
        ? html`<p class="quiet">Nothing has changed yet.</p>`
        : html`${records('Days of changes', columns, days.slice(0, MAX_DAYS))}
          ${days.length > MAX_DAYS && html`<p class="quiet">The latest ${MAX_DAYS} of ${pluralize(days.length, 'day')}.</p>`}`
    }
  </section>`;
}
