/** The census figures and the scores of a ZIP code, and what raises and lowers the scores. */
import { FIGURE_TEXTS } from '../../../data/ingest/figure-texts.ts';
import type { ZipDetails } from '../../../data/market/public/zip-details.ts';
import { SQUARE_METERS_PER_SQUARE_MILE } from '../../../base/spatial/miles.ts';
import { formatCount, formatPercent, formatTenths, joinWithAnd } from '../../../base/text/words.ts';
import { html, type Html } from '../html.ts';
import { definition, scoreChip, tableHead } from '../parts.ts';
import type { Drivers } from '../../../data/scoring/drivers.ts';
import type { Links } from '../links.ts';

type Row = readonly [name: string, value: number | null, text: string];

const OWN_HOME = 'Own their home';

/** The figures that are largest on the page */
const keyRows = ({ profile: { demographics: d } }: ZipDetails): Row[] => [
  ['Households', d.householdsTotal, formatCount(d.householdsTotal)],
  [OWN_HOME, d.ownerOccupiedPct, formatPercent(d.ownerOccupiedPct)],
  [
    'Median income',
    d.medianHouseholdIncome,
    FIGURE_TEXTS.medianHouseholdIncome.format(d.medianHouseholdIncome),
  ],
  ['Median home value', d.medianHomeValue, FIGURE_TEXTS.medianHomeValue.format(d.medianHomeValue)],
];

export function keyFigures(details: ZipDetails): Html | false {
  const known = keyRows(details).filter(([, value]) => value !== null);
  return (
    known.length > 0 &&
    html`<dl class="figures">${known.map(([name, , text]) => definition(name, text))}</dl>`
  );
}

/** The other figures, and a note about those that the census lacks */
export function censusTable(details: ZipDetails): Html {
  const { profile, county, landAreaM2 } = details;
  const d = profile.demographics;
  const rows: Row[] = [
    ['Land area', landAreaM2, landArea(landAreaM2)],
    ['Population', d.populationTotal, formatCount(d.populationTotal)],
    [
      'Households that own their home',
      d.ownerOccupiedHouseholds,
      formatCount(d.ownerOccupiedHouseholds),
    ],
    [
      'Detached single-family homes',
      d.singleFamilyDetachedPct,
      formatPercent(d.singleFamilyDetachedPct),
    ],
    ['Median age', d.medianAge, formatTenths(d.medianAge)],
    [
      'Median year built',
      d.medianYearBuilt,
      FIGURE_TEXTS.medianYearBuilt.format(d.medianYearBuilt),
    ],
    ['Homes built before 1980', d.homeAgePre1980Pct, formatPercent(d.homeAgePre1980Pct)],
    ['Homes built from 1980 to 1999', d.homeAge19801999Pct, formatPercent(d.homeAge19801999Pct)],
    ['Homes built in 2000 or later', d.homeAge2000PlusPct, formatPercent(d.homeAge2000PlusPct)],
  ];
  const known = rows.filter(([, value]) => value !== null);
  const unknown = [...keyRows(details), ...rows]
    // The table has the number of households that own their home.
    .filter(([name, value]) => value === null && name !== OWN_HOME)
    .map(([name]) => inSentence(name));
  const texts = [
    ...(county ? [['County', county] as const] : []),
    ...known.map(([name, , text]) => [name, text] as const),
  ];
  return html`<table>
      <caption>
        ${d.sourceVintage ?? 'The imported census figures don’t include this ZIP code'}
      </caption>
      <tbody>
        ${texts.map(
          ([name, text]) =>
            html`<tr>
              <th scope="row">${name}</th>
              <td class="number">${text}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${
      d.sourceVintage !== null &&
      unknown.length > 0 &&
      html`<p class="source">The census figures don’t include ${joinWithAnd(unknown)}.</p>`
    }`;
}

const inSentence = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

const landArea = (squareMeters: number | null) =>
  squareMeters === null
    ? formatTenths(null)
    : `${formatTenths(squareMeters / SQUARE_METERS_PER_SQUARE_MILE)} sq mi`;

/** The scores of a ZIP code, and what raises and lowers them. */
export function scoreTable(
  { profile, verticals }: ZipDetails,
  metroLabel: string,
  links: Links,
): Html {
  const metroSlug = profile.metroSlug!;
  return html`<table>
    <caption>
      Positions are among the scored ZIP codes of the ${metroLabel} metro
    </caption>
    ${tableHead('Vertical', ['Score', 'number'], ['Position', 'number'])}
    <tbody>
      ${verticals.map(
        (vertical) =>
          html`<tr>
            <th scope="row">
              <a href="${links.metroVertical(metroSlug, vertical.slug)}">${vertical.label}</a>
            </th>
            <td class="number">${scoreChip(vertical.score)}</td>
            <td class="number">
              ${formatCount(vertical.rank)}
              <span class="quiet">of ${formatCount(vertical.ranked)}</span>
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** Many verticals share a reason, so each reason is listed once, with its verticals. */
export function reasonList({ verticals }: Pick<ZipDetails, 'verticals'>): Html | false {
  const reasons = new Map<string, Record<keyof Drivers, string[]>>();
  for (const { label, drivers } of verticals) {
    for (const effect of ['lifts', 'lowers'] as const) {
      for (const driver of drivers[effect]) {
        const reason = reasons.get(driver) ?? { lifts: [], lowers: [] };
        reason[effect].push(label);
        reasons.set(driver, reason);
      }
    }
  }
  const scoresFor = scoresPhrase(verticals.length);
  const effects = ({ lifts, lowers }: Record<keyof Drivers, string[]>) =>
    joinWithAnd([
      ...(lifts.length > 0 ? [`raises ${scoresFor(lifts)}`] : []),
      ...(lowers.length > 0 ? [`lowers ${scoresFor(lowers)}`] : []),
    ]);
  const verticalsOf = ({ lifts, lowers }: Record<keyof Drivers, string[]>) =>
    lifts.length + lowers.length;
  return (
    reasons.size > 0 &&
    html`<section>
      <h2>What raises and lowers the scores</h2>
      <ul>
        ${Array.from(reasons)
          .sort(([, a], [, b]) => verticalsOf(b) - verticalsOf(a))
          .map(
            ([driver, reason]) => html`<li><strong>${driver}</strong>: ${effects(reason)}.</li>`,
          )}
      </ul>
    </section>`
  );
}

/**
 * Names the scores, or says that they are most or all. It doesn't name the exceptions, because each score lists
 * only its strongest reasons.
 */
const scoresPhrase = (all: number) => (labels: readonly string[]) => {
  if (labels.length === all) return 'all scores';
  if (labels.length > all / 2) return 'most scores';
  return `the ${labels.length === 1 ? 'score' : 'scores'} for ${joinWithAnd(labels)}`;
};
