/** The account at a glance: plan, usage, and recent activity. */
import { actorName, type Plan } from '../../../account/caller.ts';
import { hasAccess } from '../../../account/access.ts';
import type { FiguresMeter } from '../../../metering/figures.ts';
import type { Meter, Period } from '../../../metering/meter.ts';
import type { UsageDay } from '../../../metering/usage-days.ts';
import type { ActivityEntry } from '../../../territory/activity.ts';
import { day } from '../../format.ts';
import type { FormState } from '../../form-state.ts';
import { firstTerritoryFields } from '../../first-territory.ts';
import { wholeProblem } from '../../forms.ts';
import { html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { bar, dayTag, definition } from '../../parts.ts';
import type { AccountContent } from '../frame.ts';
import { PLAN_LABELS } from '../labels.ts';
import { usageChart } from './usage-chart.ts';
import { formatCount } from '../../../text/words.ts';

export interface Overview {
  form: FormState;
  plan: Plan;
  seatsTaken: number;
  meter: Meter;
  figures: FiguresMeter;
  period: Period;
  usage: readonly UsageDay[];
  /** Whether to propose a first territory, because none of the brands has one */
  isNew: boolean;
  /** Newest first */
  activity: readonly ActivityEntry[];
}

export function overviewPage(overview: Overview, links: Links): AccountContent {
  const { form, plan, seatsTaken, meter, figures, usage, period, activity, isNew } = overview;
  const main = html`${wholeProblem(form)}
    ${
      !hasAccess(plan) &&
      html`<p class="notice bad">
        Your plan isn’t active (${PLAN_LABELS[plan.status].toLowerCase()}). API keys and connectors
        don’t work.
      </p>`
    }
    ${isNew && firstTerritory(form, links)}
    <dl class="figures">
      ${definition('Plan', PLAN_LABELS[plan.status])}
      ${plan.trialEndsAt && definition('Trial ends', day(plan.trialEndsAt))}
      ${definition('Seats', `${seatsTaken} of ${plan.seats}`)}
      ${definition('Changes', plan.writeEntitlement ? 'Included' : 'Not included')}
    </dl>
    <section>
      <h2>Units this month</h2>
      <p>
        <strong>${formatCount(meter.unitsUsed)}</strong> of ${formatCount(meter.unitsIncluded)}
        used. ${formatCount(meter.unitsRemaining)} are left until ${dayTag(meter.resetsAt)}.
      </p>
      <div class="meter">${bar(shareOf(meter.unitsUsed, meter.unitsIncluded), 'fill-4')}</div>
      ${
        usage.length > 0
          ? usageChart(usage, period)
          : html`<p class="quiet">
              No units used yet. API and tool calls appear here by day. They need an
              <a href="${links.page('/account/keys')}">API key</a>.
            </p>`
      }
    </section>
    ${figures.zipsIncluded !== null && figuresSection(figures, figures.zipsIncluded)}
    <section>
      <h2>Recent activity</h2>
      ${
        activity.length > 0
          ? html`<ul class="trail">
                ${activity.map(
                  ({ summary, actor, at }) =>
                    html`<li>
                      ${summary}
                      <span class="quiet">${actorName(actor)}, ${dayTag(at)}</span>
                    </li>`,
                )}
              </ul>
              <p><a href="${links.page('/account/activity')}">All activity</a></p>`
          : html`<p class="quiet">No activity yet.</p>`
      }
    </section>`;
  return { path: '/account', main };
}

export const FIRST_TERRITORY_PATH = '/account/first-territory';

function firstTerritory(form: FormState, links: Links) {
  const state = form.of(FIRST_TERRITORY_PATH);
  return html`<section aria-labelledby="first-territory">
    <h2 id="first-territory">Start with a territory</h2>
    <form method="post" action="${links.page(FIRST_TERRITORY_PATH)}">
      ${firstTerritoryFields(state, { isOptional: false })}
      <button class="button">Propose a territory</button>
    </form>
  </section>`;
}

const figuresSection = ({ zipsSeen, zipsRemaining, resetsAt }: FiguresMeter, included: number) =>
  html`<section>
    <h2>Figures this month</h2>
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
