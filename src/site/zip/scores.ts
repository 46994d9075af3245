/** The scores of a ZIP code, and what raises and lowers them. */
import type { ZipDetails } from '../../market/public/zip-details.ts';
import type { Drivers } from '../../scoring/drivers.ts';
import { formatCount, joinWithAnd } from '../../text/words.ts';
import { html, type Html } from '../html.ts';
import type { Links } from '../links.ts';
import { scoreChip, tableHead } from '../parts.ts';

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
