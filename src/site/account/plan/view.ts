/** The plan: its limits, what uses units, what happens when it ends, and who can change it. */
import { hasAccess } from '../../../account/access.ts';
import type { Plan } from '../../../account/caller.ts';
import type { Member } from '../../../account/members.ts';
import { EXHIBIT_UNITS } from '../../../agent/territory-exhibit.ts';
import type { Tool } from '../../../agent/tool.ts';
import { EXPORT_PRICE_TEXT } from '../../../metering/exports.ts';
import type { FiguresMeter } from '../../../metering/figures.ts';
import type { Meter } from '../../../metering/meter.ts';
import { day } from '../../format.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { definition } from '../../parts.ts';
import type { AccountContent } from '../frame.ts';
import { PLAN_LABELS } from '../labels.ts';
import { records } from '../../records.ts';
import { formatCount, joinWithAnd, pluralize } from '../../../text/words.ts';

export const PLAN_PATH = '/account/plan';

export interface PlanContent {
  plan: Plan;
  meter: Meter;
  figures: FiguresMeter;
  members: readonly Member[];
  /** The viewer's person id */
  viewerId: string;
  tools: readonly Pick<Tool, 'title' | 'summary' | 'units' | 'write'>[];
}

export function planPage(content: PlanContent, links: Links): AccountContent {
  const { plan, meter, figures, members } = content;
  const main = html`${!hasAccess(plan) && html`<p class="notice bad">${LAPSED[plan.status]}</p>`}
    <dl class="figures">
      ${definition('Plan', PLAN_LABELS[plan.status])}
      ${plan.trialEndsAt && definition(hasEnded(plan) ? 'Trial ended' : 'Trial ends', day(plan.trialEndsAt))}
      ${definition('Seats', `${members.length} of ${plan.seats}`)}
      ${definition('Units per month', formatCount(plan.monthlyUnits))}
      ${definition('ZIP codes per month', plan.monthlyZips === null ? 'All' : formatCount(plan.monthlyZips))}
      ${definition('Changes', plan.writeEntitlement ? 'Included' : 'Not included')}
    </dl>
    <div class="columns">
      <section>
        <h2>What it includes</h2>
        <dl class="columns-list">
          ${definition('Seats', `One for each member. ${members.length} of ${plan.seats} are taken.`)}
          ${definition(
            'Units',
            `API and tool calls use units. ${formatCount(meter.unitsRemaining)} are left until ${day(meter.resetsAt)}. Then the count restarts. Unused units expire.`,
          )}
          ${definition('Figures', figuresText(figures))}
          ${definition(
            'Changes',
            plan.writeEntitlement
              ? 'Included: members and API keys with write access can request and remove ZIP codes and share maps.'
              : 'Not included: you can view territories, but not change them or share maps.',
          )}
        </dl>
      </section>
      <section>${afterEnd(content)} ${howToChange(content)}</section>
    </div>
    ${unitPrices(content, links)}`;
  return { path: PLAN_PATH, main };
}

/** Describes the figures that the plan includes and how many are left. */
const figuresText = ({ zipsIncluded, zipsSeen, zipsRemaining, resetsAt }: FiguresMeter) =>
  zipsIncluded === null
    ? 'Census figures and scores of all ZIP codes.'
    : `Census figures and scores of ${formatCount(zipsIncluded)} different ZIP codes a month, on all ` +
      `pages, tools, and exports. You have seen ${formatCount(zipsSeen)}; ${formatCount(zipsRemaining)} ` +
      `are left until ${day(resetsAt)}.`;

const LAPSED: Readonly<Record<Plan['status'], string>> = {
  trial: 'Your trial has ended. API keys and connectors don’t work until you subscribe.',
  active: '',
  past_due: 'A payment is overdue. API keys and connectors don’t work until it is paid.',
  cancelled: 'Your plan was canceled. API keys and connectors don’t work.',
};

const hasEnded = (plan: Plan) => plan.status === 'trial' && !hasAccess(plan);

function afterEnd({ plan }: PlanContent): Html {
  const title =
    plan.status === 'trial' && !hasEnded(plan) ? 'When the trial ends' : 'Without an active plan';
  return html`<h2>${title}</h2>
    <ul>
      <li>
        API keys and connectors get HTTP status 402 until a plan is active. Only
        <code>GET /agent/capabilities</code> still works.
      </li>
      <li>
        You can’t change brands, territories, share links, or weights, decide reviews, export
        territories, or preview targeting.
      </li>
      <li>You can still view all these pages.</li>
      <li>Share links work until they expire.</li>
      <li>Nothing is deleted: territories, reviews, and the activity log stay as they are.</li>
    </ul>`;
}

function howToChange({ members, viewerId }: PlanContent): Html {
  const owners = members.filter(({ role }) => role === 'owner');
  const others = owners
    .filter(({ id }) => id !== viewerId)
    .map(({ name, email }) => `${name} (${email})`);
  const isOwner = others.length < owners.length;
  return html`<h2>Changing your plan</h2>
    <p>
      ${
        isOwner
          ? 'You are an owner: contact the operator of this service.'
          : `Ask ${others.length > 0 ? joinWithAnd(others) : 'an owner of the organization'} to contact the operator of this service.`
      }
      You can’t pay here, and no card is stored.
    </p>`;
}

function unitPrices({ tools }: PlanContent, links: Links): Html {
  const table = records(
    'Units by tool',
    [
      { heading: 'Tool', cell: ({ title }) => title },
      { heading: 'What it does', cell: ({ summary }) => summary },
      { heading: 'Changes', cell: ({ write }) => (write ? 'With confirmation' : '–') },
      { heading: 'Units', number: true, cell: ({ units }) => units },
    ],
    tools,
  );
  return html`<section>
    <h2>Units per call</h2>
    <p>
      Failed calls and previews of changes cost nothing. A territory plan over REST costs as much as
      scoring a territory. An export costs ${EXPORT_PRICE_TEXT}; exporting the same ZIP codes again
      in the same month is free. An exhibit costs ${pluralize(EXHIBIT_UNITS, 'unit')} more than an
      export. Everything else on these pages costs no units. See the
      <a href="${links.page('/account')}">units used this month</a>.
    </p>
    ${table}
  </section>`;
}
