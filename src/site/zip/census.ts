/** The census figures of a ZIP code. */
import { FIGURE_TEXTS } from '../../ingest/figure-texts.ts';
import type { ZipDetails } from '../../market/public/zip-details.ts';
import { SQUARE_METERS_PER_SQUARE_MILE } from '../../spatial/miles.ts';
import { formatCount, formatPercent, formatTenths, joinWithAnd } from '../../text/words.ts';
import { html, type Html } from '../html.ts';
import { definition } from '../parts.ts';

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
