/** What the organization has used this month: units by day and tool, and ZIP codes with figures. */
import type { FiguresMeter } from '../../../../people/metering/figures.ts';
import type { Meter, Period } from '../../../../people/metering/meter.ts';
import type { UsageDay } from '../../../../people/metering/usage-days.ts';
import { formatCount } from '../../../../base/text/words.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { bar, dayTag } from '../../parts.ts';
import type { AccountContent } from '../frame.ts';
import { usageChart } from './chart.ts';

export const USAGE_PATH = '/account/usage';

interface UsageContent {
  meter: Meter;
  figures: FiguresMeter;
  period: Period;
  days: readonly UsageDay[];
}

export function usagePage(
  { meter, figures, period, days }: UsageContent,
  links: Links,
): AccountContent {
  const main = html`<p>
      What <a href="${links.page('/account/subscription')}">your subscription</a> includes each
      month, and what you have used of it.
    </p>
    <section>
      <h2>Units</h2>
      <p>
        <strong>${formatCount(meter.unitsUsed)}</strong> of ${formatCount(meter.unitsIncluded)}
        used. ${formatCount(meter.unitsRemaining)} are left until ${dayTag(meter.resetsAt)}.
      </p>
      <div class="meter">${bar(shareOf(meter.unitsUsed, meter.unitsIncluded), 'fill-4')}</div>
      ${
        days.length > 0
          ? usageChart(days, period)
          : html`<p class="quiet">
              No units used yet. API and tool calls appear here by day. They need an
              <a href="${links.page('/account/keys')}">API key</a>.
            </p>`
      }
    </section>
    ${figures.zipsIncluded !== null && figuresSection(figures, figures.zipsIncluded)}`;
  return { path: USAGE_PATH, main };
}

const figuresSection = (
  { zipsSeen, zipsRemaining, resetsAt }: FiguresMeter,
  included: number,
): Html =>
  html`<section>
    <h2>ZIP codes with figures</h2>
    <p>
      You have seen the census figures or scores of <strong>${formatCount(zipsSeen)}</strong> of
      ${formatCount(included)} ZIP codes. ${formatCount(zipsRemaining)} are left until
      ${dayTag(resetsAt)}.
    </p>
    <div class="meter">${bar(shareOf(zipsSeen, included), 'fill-4')}</div>
  </section>`;

/** 0 to 1 */
const shareOf = (used: number, included: number) =>
  included === 0 ? 1 : Math.min(used / included, 1);
