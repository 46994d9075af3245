/** A territory's contiguity, compactness, balance with other brands, and share of metros. */
import { launchedMetros } from '../../../../../../data/market/metros.ts';
import { isWithheld } from '../../../../../../people/metering/figures.ts';
import { percent } from '../../../../format.ts';
import { html, type Html, type HtmlValue } from '../../../../html.ts';
import type { Links } from '../../../../links.ts';
import { tableHead, wideTable } from '../../../../parts.ts';
import {
  formatCount,
  formatSignedPercent,
  joinFirst,
  pluralize,
} from '../../../../../../base/text/words.ts';
import { MAX_ZIPS_IN_LINK, workspaceLink } from '../../../../workspace/link.ts';
import type { AnalysisContent } from './content.ts';

interface Measure {
  name: string;
  figure: HtmlValue;
  meaning: HtmlValue;
}

export function shapeSection(content: AnalysisContent, links: Links): Html {
  const { counts, shape } = content;
  if (!shape) return html``;
  const measures = [
    ...contiguity(content, links),
    ...compactness(content),
    ...balance(content),
    ...markets(content),
  ];
  const table = html`<table class="measures">
    ${tableHead('Measure', ['Figure', 'number'], 'What it means')}
    <tbody>
      ${measures.map(
        ({ name, figure, meaning }) =>
          html`<tr>
            <th scope="row">${name}</th>
            <td class="number">${figure}</td>
            <td>${meaning}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
  return html`<section aria-labelledby="shape-title">
    <h2 id="shape-title">Balance and contiguity</h2>
    <p class="quiet">
      For all ${formatCount(counts.live + counts.pending)} held ZIP codes, live and pending.
    </p>
    ${wideTable('Balance and contiguity', table)}
  </section>`;
}

const MAX_LISTED = 8;
const MAX_GROUPS = 3;

function contiguity(content: AnalysisContent, links: Links): Measure[] {
  const { shape } = content;
  const { pieces, islands, holes, gaps } = shape!;
  const groups = (lists: readonly string[][]) =>
    [
      ...lists.slice(0, MAX_GROUPS).map((zips) => joinFirst(zips, MAX_LISTED)),
      ...(lists.length > MAX_GROUPS ? [`and ${formatCount(lists.length - MAX_GROUPS)} more`] : []),
    ].join('; ');
  return [
    {
      name: 'Pieces',
      figure: formatCount(pieces),
      meaning:
        pieces === 1
          ? 'The territory is contiguous.'
          : `Separate parts. Outside the largest part: ${groups(islands)}.`,
    },
    {
      name: 'Holes',
      figure: formatCount(holes.length),
      meaning:
        holes.length === 0
          ? 'It surrounds no ZIP code that it doesn’t hold.'
          : html`ZIP codes that it surrounds but doesn’t hold: ${groups(holes)}.
            ${addLink(holes.flat(), 'Select them on the map', content, links)}`,
    },
    {
      name: 'Gaps',
      figure: formatCount(gaps.length),
      meaning:
        gaps.length === 0
          ? 'The territory has no gaps.'
          : html`ZIP codes outside the territory that it mostly surrounds:
            ${joinFirst(gaps, MAX_LISTED)}.
            ${addLink(gaps, 'Select them on the map', content, links)}`,
    },
  ];
}

function addLink(
  zips: readonly string[],
  label: string,
  { brand, refusal }: AnalysisContent,
  links: Links,
): Html | false {
  if (refusal !== undefined || zips.length > MAX_ZIPS_IN_LINK) return false;
  return html`<a href="${workspaceLink({ brand: brand.slug, zips }, links)}"
    >${label}<span class="visually-hidden">: ${joinFirst(zips, 5)}</span></a
  >`;
}

function compactness({ shape }: AnalysisContent): Measure[] {
  const { polsbyPopper, hullRatio } = shape!;
  return [
    {
      name: 'Compactness',
      figure: polsbyPopper.toFixed(2),
      meaning: `Polsby-Popper score: a circle has 1, a square 0.79. The territory fills ${percent(hullRatio)} of its convex hull.`,
    },
  ];
}

function balance({ brand, balance: all }: AnalysisContent): Measure[] {
  const own = all?.territories.find(({ id }) => id === brand.slug);
  if (!all || !own) return [];
  const { deviationPct, total } = own;
  const side =
    deviationPct === 0
      ? 'equal to the mean'
      : deviationPct > 0
        ? 'above the mean'
        : 'below the mean';
  return [
    {
      name: 'Balance',
      figure: formatSignedPercent(deviationPct),
      meaning: `${formatCount(total)} households: ${side} of your ${pluralize(all.territories.length, 'brand')} (${formatCount(all.mean)}).`,
    },
  ];
}

function markets({ health }: AnalysisContent): Measure[] {
  if (isWithheld(health)) return [];
  const { markets: shares, zipsOutsideMetros } = health;
  const labels = new Map(launchedMetros().map(({ slug, label }) => [slug, label]));
  const rows = shares.map(({ metro, zips, heldZips, heldPct }): Measure => ({
    name: `Share of ${labels.get(metro) ?? metro}`,
    figure: `${heldPct}%`,
    meaning: `Share of the metro’s households, in ${formatCount(heldZips)} of its ${pluralize(zips, 'ZIP code')}.`,
  }));
  if (zipsOutsideMetros === 0) return rows;
  return [
    ...rows,
    {
      name: 'Outside metros',
      figure: formatCount(zipsOutsideMetros),
      meaning: 'ZIP codes outside all launched metros.',
    },
  ];
}
