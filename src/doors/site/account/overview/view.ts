/** Where a manager's day starts: the map of all territories, what waits, what has changed, and next steps. */
import { hasAccess } from '../../../../people/account/access.ts';
import type { Caller } from '../../../../people/account/caller.ts';
import type { Meter } from '../../../../people/metering/meter.ts';
import type { Brand } from '../../../../territories/brands/brands.ts';
import type { Overlap } from '../../../../territories/brands/overlaps.ts';
import type { WaitingRequest } from '../../../../territories/brands/review-queue.ts';
import { formatCount, joinFirst, joinWithAnd, pluralize } from '../../../../base/text/words.ts';
import { formatDay } from '../../../../territories/brands/groups/refusal-words.ts';
import { actorKey } from '../../../../territories/brands/actor-key.ts';
import { group as groupBy } from 'd3-array';
import { minute } from '../../format.ts';
import type { FormState } from '../../form-state.ts';
import { firstTerritoryFields } from '../../first-territory.ts';
import { wholeProblem } from '../../forms.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { dayTag, minuteTag } from '../../parts.ts';
import { MAX_ZIPS_IN_LINK, workspaceLink, WORKSPACE_PATH } from '../../workspace/link.ts';
import { actorText } from '../actor.ts';
import { brandPath, BRANDS_PATH } from '../brands/brand/frame.ts';
import type { AccountContent } from '../frame.ts';
import { GROUP_PATH, groupAddress } from '../groups/view.ts';
import { SUBSCRIPTION_LABELS } from '../labels.ts';
import { pictureUnder, territoryPicture } from '../map/status-picture.ts';
import { ago, QUEUE_PATH, requestAddress } from '../reviews/queue/view.ts';
import { USAGE_PATH } from '../usage/view.ts';
import type { NextStep, Overview } from './load.ts';

export const OVERVIEW_PATH = '/account';
export const FIRST_TERRITORY_PATH = '/account/first-territory';
export const TERRITORIES_PATH = '/account/territories';

interface OverviewContent extends Overview {
  form: FormState;
  caller: Pick<Caller, 'subscription' | 'actor'>;
  meter: Meter;
  /** Whether to propose a first territory, because none of the brands has one */
  isNew: boolean;
  now: Date;
}

export function overviewPage(content: OverviewContent, links: Links): AccountContent {
  const { form, caller, statuses, isNew } = content;
  const { subscription } = caller;
  const waiting = [
    toReviewSection(content, links),
    ownSection(content, links),
    attentionSection(content, links),
  ];
  const main = html`${wholeProblem(form)}
    ${
      !hasAccess(subscription) &&
      html`<p class="notice bad">
        Your subscription isn’t active (${SUBSCRIPTION_LABELS[subscription.status].toLowerCase()}).
        API keys and connectors don’t work.
        <a href="${links.page('/account/subscription')}">See your subscription</a>
      </p>`
    }
    ${isNew && firstTerritory(form, links)}
    <div class="overview">
      ${statuses.size > 0 && mapSection(content, links)}
      <div class="waiting">${waiting}</div>
    </div>
    ${changesSection(content, links)} ${stepsSection(content, links)} ${usageLine(content, links)}`;
  const assets = ['account/brands/style.css', 'account/overview/style.css'] as const;
  return { path: OVERVIEW_PATH, assets, main };
}

function firstTerritory(form: FormState, links: Links): Html {
  const state = form.of(FIRST_TERRITORY_PATH);
  return html`<section aria-labelledby="first-territory">
    <h2 id="first-territory">Start with a territory</h2>
    <form method="post" action="${links.page(FIRST_TERRITORY_PATH)}">
      ${firstTerritoryFields(state, { isOptional: false })}
      <button class="button">Propose a territory</button>
    </form>
  </section>`;
}

function mapSection({ brands, statuses }: OverviewContent, links: Links): Html {
  const pending = [...statuses.values()].filter((status) => status === 'pending').length;
  const live = statuses.size - pending;
  const counts = `${pluralize(live, 'live ZIP code')} and ${formatCount(pending)} pending review`;
  const picture = territoryPicture(
    (name, style) => links.page(TERRITORIES_PATH + pictureUnder(name, style)),
    `Map of your territories: ${counts}`,
  );
  return html`<section class="territories" aria-label="Map of your territories">
    <a href="${links.page(WORKSPACE_PATH)}">${picture}</a>
    <p>
      <a href="${links.page(BRANDS_PATH)}">${pluralize(brands.length, 'brand')}</a> with ${counts}.
    </p>
  </section>`;
}

function toReviewSection({ toReview, caller, now }: OverviewContent, links: Links): Html | false {
  if (toReview === null) return false;
  const { requests, zips, changes } = toReview;
  return html`<section aria-labelledby="to-review">
    <h2 id="to-review">To review</h2>
    ${
      changes > 0 &&
      html`<p>
        <a href="${links.page('/account/reviews/changes')}?status=waiting"
          >${pluralize(changes, 'change')}</a
        >
        ${changes === 1 ? 'waits' : 'wait'} to be decided as one.
      </p>`
    }
    ${
      requests.length === 0
        ? changes === 0 && html`<p class="quiet">No requests wait for a review.</p>`
        : html`<ul class="trail">
              ${requests.map((request) => {
                const isOwn = actorKey(request.requestedBy) === actorKey(caller.actor);
                const by = isOwn ? 'you' : actorText(request.requestedBy);
                return requestItem(
                  request,
                  requestAddress(request.batchId),
                  `by ${by}`,
                  now,
                  links,
                );
              })}
            </ul>
            <p>
              <a class="button" href="${links.page(QUEUE_PATH)}"
                >Review ${pluralize(zips, 'ZIP code')}</a
              >
            </p>`
    }
  </section>`;
}

const ownSection = ({ own, now }: OverviewContent, links: Links): Html | false =>
  own.length > 0 &&
  html`<section aria-labelledby="own-requests">
    <h2 id="own-requests">Your requests</h2>
    <p class="quiet">They wait for a reviewer.</p>
    <ul class="trail">
      ${own.map((request) => {
        const pending = `${brandPath(request.brand)}?status=pending#zips`;
        return requestItem(request, pending, 'requested', now, links);
      })}
    </ul>
  </section>`;

const requestItem = (
  { brand, total, requestedAt, note }: WaitingRequest,
  path: string,
  by: string,
  now: Date,
  links: Links,
): Html =>
  html`<li>
    <a href="${links.page(path)}">${pluralize(total, 'ZIP code')} for ${brand.name}</a>
    <span class="quiet"
      >${by}
      <time datetime="${requestedAt.toISOString()}" title="${minute(requestedAt)}"
        >${ago(requestedAt, now)}</time
      >${note !== null && html`: ${note}`}</span
    >
  </li>`;

function attentionSection(content: OverviewContent, links: Links): Html | false {
  const { overlaps, gaps, reserves } = content;
  if (overlaps.length + gaps.length + reserves.length === 0) return false;
  return html`<section aria-labelledby="attention">
    <h2 id="attention">Worth a look</h2>
    <ul class="trail">
      ${overlapItems(overlaps, links)} ${gaps.length > 0 && gapItem(gaps, links)}
      ${reserves.map(
        ({ group, zips, reason, until }) =>
          html`<li>
            <a href="${links.page(groupAddress(group, GROUP_PATH))}"
              >The reserve of ${pluralize(zips.length, 'ZIP code')} in ${group.name} ends on
              ${formatDay(until)}</a
            >
            <span class="quiet">${reason}</span>
          </li>`,
      )}
    </ul>
  </section>`;
}

/** Largest number of pairs of brands that are listed */
const LISTED_PAIRS = 3;

/** The brands that hold the same ZIP codes, most of these first */
function overlapItems(overlaps: readonly Overlap[], links: Links): Html[] {
  const names = ({ brands, others }: Overlap) =>
    joinWithAnd([
      ...brands.map(({ name }) => name),
      ...(others > 0 ? [others === 1 ? 'another brand' : `${others} other brands`] : []),
    ]);
  const groups = [...groupBy(overlaps, names)].sort(([, a], [, b]) => b.length - a.length);
  const rest = groups.slice(LISTED_PAIRS);
  const item = (text: string, [first]: readonly Brand[], zips: readonly string[]) =>
    html`<li>
      <a href="${links.page(`${brandPath(first!)}?flag=shared#zips`)}">${text}</a>
      <span class="quiet">${joinFirst(zips, 6)}</span>
    </li>`;
  return [
    ...groups.slice(0, LISTED_PAIRS).map(([held, zips]) =>
      item(
        `${held} hold the same ${zips.length === 1 ? 'ZIP code' : pluralize(zips.length, 'ZIP code')}`,
        zips[0]!.brands,
        zips.map(({ zip }) => zip),
      ),
    ),
    ...(rest.length > 0
      ? [
          item(
            `${pluralize(rest.flatMap(([, zips]) => zips).length, 'more ZIP code')} of several brands`,
            rest[0]![1][0]!.brands,
            rest.flatMap(([, zips]) => zips.map(({ zip }) => zip)),
          ),
        ]
      : []),
  ];
}

const gapItem = (gaps: readonly string[], links: Links): Html =>
  html`<li>
    <a href="${workspaceLink({ zips: gaps.slice(0, MAX_ZIPS_IN_LINK) }, links)}"
      >${gaps.length === 1 ? 'One gap' : `${formatCount(gaps.length)} gaps`} inside or between your
      territories</a
    >
    <span class="quiet">${joinFirst(gaps, 6)}</span>
  </li>`;

function changesSection({ changes: { since, entries } }: OverviewContent, links: Links): Html {
  const title = since ? 'Since your last visit' : 'Recent activity';
  const none = since
    ? html`Nobody else has changed anything since ${minuteTag(since)}.`
    : 'No activity yet.';
  return html`<section aria-labelledby="changes">
    <h2 id="changes">${title}</h2>
    ${
      entries.length > 0
        ? html`<ul class="trail">
            ${entries.map(
              ({ summary, actor, at, action, brand, zips }) =>
                html`<li>
                  ${summary}
                  ${
                    action === 'territory_approved' &&
                    brand &&
                    html`<a
                      href="${workspaceLink({ brand: brand.slug, zips: zips.slice(0, MAX_ZIPS_IN_LINK) }, links)}"
                      >See ${zips.length === 1 ? 'it' : 'them'} on the map</a
                    >`
                  }
                  <span class="quiet">${actorText(actor)}, ${dayTag(at)}</span>
                </li>`,
            )}
          </ul>`
        : html`<p class="quiet">${none}</p>`
    }
    <p><a href="${links.page('/account/activity')}">All activity</a></p>
  </section>`;
}

const STEPS: Readonly<Record<NextStep, [path: string, label: string, why: string]>> = {
  invite: ['/account/members', 'Invite someone', 'So that another person reviews your requests'],
  upload: [
    '/account/data',
    'Upload your jobs or revenue',
    'To see where demand is high and you sell little',
  ],
  share: ['/account/shares', 'Share a map', 'With a link that anyone can open, until you end it'],
  streets: [
    '/docs/guides/import-data#streets',
    'Choose streets for your maps',
    'The operator of this service adds them once, and then all maps show them up close',
  ],
};

/** What would help next. Each step vanishes when it's done. */
const stepsSection = ({ steps }: OverviewContent, links: Links): Html | false =>
  steps.length > 0 &&
  html`<section aria-labelledby="steps">
    <h2 id="steps">Next steps</h2>
    <ul class="steps">
      ${steps.map((step) => {
        const [path, label, why] = STEPS[step];
        return html`<li>
          <a href="${links.page(path)}">${label}</a>
          <span class="quiet">${why}</span>
        </li>`;
      })}
    </ul>
  </section>`;

const usageLine = (
  { meter: { unitsUsed, unitsIncluded }, caller: { subscription } }: OverviewContent,
  links: Links,
): Html =>
  html`<p class="quiet">
    ${
      subscription.status === 'trial' && subscription.trialEndsAt
        ? html`Your trial ends on ${dayTag(subscription.trialEndsAt)}. `
        : ''
    }${formatCount(unitsUsed)}
    of ${formatCount(unitsIncluded)} units used this month.
    <a href="${links.page(USAGE_PATH)}">Usage</a>
  </p>`;
