/** The subscription in the words of its owner: what it includes, who can change it, and what units pay for. */
import { hasAccess } from '../../../../people/account/access.ts';
import type { Subscription } from '../../../../people/account/caller.ts';
import type { Member } from '../../../../people/account/members.ts';
import { EXHIBIT_UNITS } from '../../../tools/support/territory-exhibit.ts';
import { dataLimitsOf } from '../../../../territories/own-data/limits.ts';
import { EXPORT_PRICE_TEXT } from '../../../../people/metering/exports.ts';
import type { FiguresMeter } from '../../../../people/metering/figures.ts';
import type { Meter } from '../../../../people/metering/meter.ts';
import { day } from '../../format.ts';
import { html, type Html, type HtmlValue } from '../../html.ts';
import type { Links } from '../../links.ts';
import { definition } from '../../parts.ts';
import type { AccountContent } from '../frame.ts';
import { SUBSCRIPTION_LABELS } from '../labels.ts';
import { records } from '../../records.ts';
import { formatCount, joinWithAnd, pluralize } from '../../../../base/text/words.ts';

export const SUBSCRIPTION_PATH = '/account/subscription';

interface SubscriptionContent {
  subscription: Subscription;
  meter: Meter;
  figures: FiguresMeter;
  members: readonly Member[];
  dataSets: number;
  /** The viewer's person id */
  viewerId: string;
}

export function subscriptionPage(content: SubscriptionContent, links: Links): AccountContent {
  const { subscription, meter, members } = content;
  const { status, trialEndsAt, seats, monthlyUnits } = subscription;
  const main = html`${!hasAccess(subscription) && html`<p class="notice bad">${LAPSED[status]}</p>`}
    <dl class="figures">
      ${definition('Subscription', SUBSCRIPTION_LABELS[status])}
      ${trialEndsAt && definition(hasEnded(subscription) ? 'Trial ended' : 'Trial ends', day(trialEndsAt))}
      ${definition('Seats taken', `${members.length} of ${seats}`)}
      ${definition('Units left this month', `${formatCount(meter.unitsRemaining)} of ${formatCount(monthlyUnits)}`)}
    </dl>
    <div class="columns">
      <section>
        <h2>What it includes</h2>
        ${included(content, links)}
      </section>
      <section>${howToChange(content)} ${afterEnd(content)}</section>
    </div>
    ${prices(content, links)}`;
  return { path: SUBSCRIPTION_PATH, main };
}

function included({ subscription, figures, members, dataSets }: SubscriptionContent, links: Links) {
  const { writeEntitlement, seats } = subscription;
  const limits = dataLimitsOf(subscription);
  return html`<dl class="columns-list">
    ${definition(
      'People',
      html`${pluralize(seats, 'seat')}, one for each member.
      ${
        members.length < seats
          ? html`<a href="${links.page('/account/members')}">Invite someone</a>`
          : 'All are taken.'
      }`,
    )}
    ${definition(
      'Territories',
      writeEntitlement
        ? 'Brands, the map, plans, reviews, and share links, as many as you need.'
        : 'You can view territories, but not change them or share maps.',
    )}
    ${definition('Figures', figuresText(figures))}
    ${definition(
      'Your data',
      `${formatCount(dataSets)} of ${pluralize(limits.dataSets, 'data set')}, and up to ${formatCount(limits.monthlyRows)} rows a month.`,
    )}
    ${definition(
      'Exports, exhibits, and programs',
      html`${pluralize(subscription.monthlyUnits, 'unit')} a month. See
        <a href="#units">what units pay for</a>.`,
    )}
  </dl>`;
}

/** Describes the figures that the subscription includes and how many are left. */
const figuresText = ({ zipsIncluded, zipsSeen, zipsRemaining, resetsAt }: FiguresMeter) =>
  zipsIncluded === null
    ? 'Census figures and scores of all ZIP codes.'
    : `Census figures and scores of ${formatCount(zipsIncluded)} different ZIP codes a month, on all ` +
      `pages, tools, and exports. You have seen ${formatCount(zipsSeen)}; ${formatCount(zipsRemaining)} ` +
      `are left until ${day(resetsAt)}.`;

const LAPSED: Readonly<Record<Subscription['status'], string>> = {
  trial: 'Your trial has ended. API keys and connectors don’t work until you subscribe.',
  active: '',
  past_due: 'A payment is overdue. API keys and connectors don’t work until it is paid.',
  cancelled: 'Your subscription was canceled. API keys and connectors don’t work.',
};

const hasEnded = (subscription: Subscription) =>
  subscription.status === 'trial' && !hasAccess(subscription);

function afterEnd({ subscription }: SubscriptionContent): Html {
  const title =
    subscription.status === 'trial' && !hasEnded(subscription)
      ? 'When the trial ends'
      : 'Without an active subscription';
  return html`<h2>${title}</h2>
    <ul>
      <li>Nothing is deleted: territories, reviews, and the activity log stay as they are.</li>
      <li>You can still view all these pages, and share links work until they expire.</li>
      <li>
        You can’t change brands, territories, share links, or weights, decide reviews, export
        territories, or preview targeting.
      </li>
      <li>Agents and programs that use your API keys or connectors are refused.</li>
    </ul>`;
}

function howToChange({ members, viewerId }: SubscriptionContent): Html {
  const owners = members.filter(({ role }) => role === 'owner');
  const others = owners
    .filter(({ id }) => id !== viewerId)
    .map(({ name, email }) => `${name} (${email})`);
  const isOwner = others.length < owners.length;
  return html`<h2>Changing your subscription</h2>
    <p>
      ${
        isOwner
          ? 'You are an owner: contact the operator of this service.'
          : `Ask ${others.length > 0 ? joinWithAnd(others) : 'an owner of the organization'} to contact the operator of this service.`
      }
      You can’t pay here, and no card is stored.
    </p>`;
}

/** What the units pay for, in the order in which people meet it */
function prices({ subscription, meter }: SubscriptionContent, links: Links): Html {
  const table = records(
    'What units pay for',
    [
      { heading: 'What you do', cell: ([what]) => what },
      { heading: 'Units', cell: ([, units]) => units },
    ],
    [
      ['View, plan, review, and share on these pages', 'None'],
      ['Export a territory', `${EXPORT_PRICE_TEXT}. The same ZIP codes again in a month: none`],
      ['Make an exhibit for an agreement', `${EXHIBIT_UNITS} more than the export`],
      [
        'Let an agent or a program work for you',
        html`1 to 10 for each call.
          <a href="${links.page('/docs/limits')}#units">Units of each tool</a>`,
      ],
    ] satisfies [string, HtmlValue][],
  );
  return html`<section id="units">
    <h2>What units pay for</h2>
    <p>
      ${formatCount(meter.unitsRemaining)} of ${formatCount(subscription.monthlyUnits)} are left
      until ${day(meter.resetsAt)}. Then the count starts again, and unused units expire. Previews
      and calls that fail cost nothing.
      <a href="${links.page('/account/usage')}">Units used this month</a>
    </p>
    ${table}
  </section>`;
}
