/** What the organisation's plan includes, what uses it up, how it ends and who can change it. */
import { hasAccess } from '../../../account/access.ts';
import type { Plan } from '../../../account/caller.ts';
import type { Member } from '../../../account/members.ts';
import type { Tool } from '../../../agent/tool.ts';
import type { Meter } from '../../../metering/meter.ts';
import { count, day, listed } from '../../format.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { accountPage, type Resident } from '../frame.ts';
import { PLAN_LABELS } from '../plan-labels.ts';
import { records } from '../records.ts';

export const PLAN_PATH = '/account/plan';

export interface PlanContent {
  resident: Resident;
  done: string | null;
  plan: Plan;
  meter: Meter;
  people: readonly Member[];
  /** Of the person who looks */
  me: string;
  tools: readonly Pick<Tool, 'title' | 'summary' | 'units' | 'write'>[];
}

export function planPage(content: PlanContent, links: Links): string {
  const { resident, done, plan, meter, people } = content;
  const main = html`${!hasAccess(plan) && html`<p class="notice bad">${LAPSED[plan.status]}</p>`}
    <dl class="figures">
      ${figure('Plan', PLAN_LABELS[plan.status])}
      ${plan.trialEndsAt && figure(hasEnded(plan) ? 'Trial ended' : 'Trial ends', day(plan.trialEndsAt))}
      ${figure('Seats', `${people.length} of ${plan.seats}`)}
      ${figure('Units a month', count(plan.monthlyUnits))}
      ${figure('Changes', plan.writeEntitlement ? 'Included' : 'Not included')}
    </dl>
    <div class="columns">
      <section>
        <h2>What it includes</h2>
        <dl class="columns-list">
          ${entry('Seats', `One for each person. Of ${plan.seats}, ${people.length} are taken.`)}
          ${entry(
            'Units',
            `Calls of tools and of the API use them up. ${count(meter.unitsRemaining)} are left until ${day(meter.resetsAt)}; then the count begins anew, and nothing is carried over.`,
          )}
          ${entry(
            'Changes',
            plan.writeEntitlement
              ? 'Asking for ZIP codes, removing them, and sharing maps are included, for people and for keys that may write.'
              : 'Not included: territories can be looked at, not changed, and no map can be shared.',
          )}
        </dl>
      </section>
      <section>${ending(content)} ${whomToAsk(content)}</section>
    </div>
    ${prices(content, links)}`;
  return accountPage({ path: PLAN_PATH, done, resident, main }, links);
}

const LAPSED: Readonly<Record<Plan['status'], string>> = {
  trial: 'The trial has ended: keys and connectors are not served until there is a subscription.',
  active: '',
  past_due: 'A payment is missing: keys and connectors are not served until it has come.',
  cancelled: 'The plan was cancelled: keys and connectors are not served.',
};

const hasEnded = (plan: Plan) => plan.status === 'trial' && !hasAccess(plan);

function ending({ plan }: PlanContent): Html {
  const title =
    plan.status === 'trial' && !hasEnded(plan) ? 'When the trial ends' : 'Without a running plan';
  return html`<h2>${title}</h2>
    <ul>
      <li>
        Keys and connectors are refused (402) until there is a plan again. Only what a key may do is
        still told.
      </li>
      <li>
        Brands, territories, share links and weights cannot be changed, reviews not decided,
        territories not exported, and targeting not previewed.
      </li>
      <li>Looking works: all these pages are there as before.</li>
      <li>Share links stay open until they expire.</li>
      <li>Nothing is deleted: territories, reviews and the trail are as you left them.</li>
    </ul>`;
}

function whomToAsk({ people, me }: PlanContent): Html {
  const owners = people.filter(({ role }) => role === 'owner');
  const others = owners
    .filter(({ id }) => id !== me)
    .map(({ name, email }) => `${name} (${email})`);
  const isOwner = others.length < owners.length;
  return html`<h2>To change it</h2>
    <p>
      ${
        isOwner
          ? 'You own the organisation: ask whoever runs this service for you.'
          : `Ask ${others.length > 0 ? listed(others) : 'an owner of the organisation'}, who asks whoever runs this service.`
      }
      Nothing can be paid here, and no card is kept.
    </p>`;
}

function prices({ tools }: PlanContent, links: Links): Html {
  const table = records(
    'Units of each tool',
    [
      { heading: 'Tool', cell: ({ title }) => title },
      { heading: 'What it does', cell: ({ summary }) => summary },
      { heading: 'Changes', cell: ({ write }) => (write ? 'With a confirmation' : '–') },
      { heading: 'Units', number: true, cell: ({ units }) => units },
    ],
    tools,
  );
  return html`<section>
    <h2>What a call costs</h2>
    <p>
      A call that fails costs nothing, nor does the preview of a change. A territory plan over REST
      costs as much as scoring a territory. What people do in these pages costs no units. See the
      <a href="${links.page('/account')}">units used this month</a>.
    </p>
    ${table}
  </section>`;
}

const figure = (term: string, value: string): Html =>
  html`<div>
    <dt>${term}</dt>
    <dd>${value}</dd>
  </div>`;

const entry = (term: string, told: string): Html =>
  html`<div>
    <dt>${term}</dt>
    <dd>${told}</dd>
  </div>`;
