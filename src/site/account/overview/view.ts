/** The account at a glance: the plan, what is used of it, what was done of late. */
import { actorName, type Plan } from '../../../account/caller.ts';
import { hasAccess } from '../../../account/access.ts';
import type { Meter, Period } from '../../../metering/meter.ts';
import type { UsageDay } from '../../../metering/usage-days.ts';
import type { ActivityEntry } from '../../../territory/activity.ts';
import { count, day } from '../../format.ts';
import type { FormState } from '../../form-state.ts';
import { wholeProblem } from '../../forms.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { bar } from '../../parts.ts';
import { accountPage, type Resident } from '../frame.ts';
import { PLAN_LABELS } from '../plan-labels.ts';
import { usageChart } from './usage-chart.ts';

export interface Overview {
  resident: Resident;
  done: string | null;
  form: FormState;
  plan: Plan;
  /** How many of the plan's seats are taken */
  people: number;
  meter: Meter;
  period: Period;
  usage: readonly UsageDay[];
  /** The latest first */
  activity: readonly ActivityEntry[];
}

export function overviewPage(overview: Overview, links: Links): string {
  const { resident, done, form, plan, people, meter, usage, period, activity } = overview;
  const main = html`${wholeProblem(form)}
    ${
      !hasAccess(plan) &&
      html`<p class="notice bad">
        The plan is ${PLAN_LABELS[plan.status].toLowerCase()}: keys and connectors are not served.
      </p>`
    }
    <dl class="figures">
      ${figure('Plan', PLAN_LABELS[plan.status])}
      ${plan.trialEndsAt && figure('Trial ends', day(plan.trialEndsAt))}
      ${figure('Seats', `${people} of ${plan.seats}`)}
      ${figure('Changes', plan.writeEntitlement ? 'Allowed' : 'Not included')}
    </dl>
    <section>
      <h2>Units this month</h2>
      <p>
        <strong>${count(meter.unitsUsed)}</strong> of ${count(meter.unitsIncluded)} used;
        ${count(meter.unitsRemaining)} are left until
        <time datetime="${meter.resetsAt}">${day(meter.resetsAt)}</time>.
      </p>
      <div class="meter">${bar(part(meter), 'fill-4')}</div>
      ${
        usage.length > 0
          ? usageChart(usage, period)
          : html`<p class="quiet">
              Nothing was charged yet. Calls of tools and of the API appear here by day.
              <a href="${links.page('/account/keys')}">Mint a key</a> to begin.
            </p>`
      }
    </section>
    <section>
      <h2>Recent activity</h2>
      ${
        activity.length > 0
          ? html`<ul class="trail">
                ${activity.map(
                  ({ summary, actor, at }) =>
                    html`<li>
                      ${summary}
                      <span class="quiet"
                        >${actorName(actor)},
                        <time datetime="${at.toISOString()}">${day(at.toISOString())}</time></span
                      >
                    </li>`,
                )}
              </ul>
              <p><a href="${links.page('/account/activity')}">All activity</a></p>`
          : html`<p class="quiet">No territory was changed yet.</p>`
      }
    </section>`;
  return accountPage({ path: '/account', done, resident, main }, links);
}

const part = ({ unitsUsed, unitsIncluded }: Meter) =>
  unitsIncluded === 0 ? 1 : Math.min(unitsUsed / unitsIncluded, 1);

const figure = (term: string, value: string): Html =>
  html`<div>
    <dt>${term}</dt>
    <dd>${value}</dd>
  </div>`;
