/** A group: its rule, the overlaps between its brands, and its reserved ZIP codes. */
import type { Page } from '../../../../../base/contract/paging.ts';
import type { Brand } from '../../../../../territories/brands/brands.ts';
import {
  resolutionOf,
  type GroupOverlap,
} from '../../../../../territories/brands/groups/existing-overlaps.ts';
import type { BrandGroup } from '../../../../../territories/brands/groups/groups.ts';
import { formatDay } from '../../../../../territories/brands/groups/refusal-words.ts';
import {
  MAX_REASON_LENGTH,
  type Reserve,
} from '../../../../../territories/brands/groups/reserves.ts';
import type { Rule } from '../../../../../territories/brands/groups/rules.ts';
import { joinWithAnd, pluralize } from '../../../../../base/text/words.ts';
import type { FormState } from '../../../form-state.ts';
import { buttonForm, textArea, textField, wholeProblem } from '../../../forms.ts';
import { html, type Html } from '../../../html.ts';
import type { Links } from '../../../links.ts';
import { dayTag } from '../../../parts.ts';
import { records } from '../../../records.ts';
import { actorText } from '../../actor.ts';
import { brandPath } from '../../brands/brand/frame.ts';
import { pager } from '../../filters.ts';
import type { AccountContent } from '../../frame.ts';
import { brandNames, editedGroup, GROUP, GROUP_PATH, groupAddress, GROUPS_PATH } from '../view.ts';
import { GROUP_PICTURE_PATH, GROUP_PICTURES } from './picture.ts';

export const GROUP_FORMS = {
  change: `${GROUP_PATH}/change`,
  delete: `${GROUP_PATH}/delete`,
  reserve: `${GROUP_PATH}/reserve`,
  end: `${GROUP_PATH}/end-reserve`,
} as const;

interface GroupContent {
  form: FormState;
  group: BrandGroup;
  /** Null unless the viewer may see all brands */
  overlaps: Page<GroupOverlap> | null;
  reserves: readonly Reserve[];
  /** Brands that the viewer may see */
  brands: readonly Brand[];
  query: URLSearchParams;
  /** The earliest last day of a reserve */
  today: string;
  /** Reason why the viewer can't change the group; undefined if they can */
  refusal: string | undefined;
}

export function groupPage(content: GroupContent, links: Links): AccountContent {
  const { form, group, refusal } = content;
  const main = html`<p><a href="${links.page(GROUPS_PATH)}">All groups</a></p>
    ${wholeProblem(form)}
    <p class="lead">${RULE_SENTENCES[group.rule]}</p>
    <p>
      ${brandNames(group)}.
      <span class="quiet"
        >Last changed by ${actorText(group.changedBy)}, ${dayTag(group.changedAt)}</span
      >
    </p>
    ${overlapSection(content, links)} ${reserveSection(content, links)}
    ${refusal === undefined ? settings(content, links) : html`<p class="quiet">${refusal}</p>`}`;
  return { path: GROUPS_PATH, title: group.name, assets: ['account/groups/style.css'], main };
}

const RULE_SENTENCES: Readonly<Record<Rule, string>> = {
  allow: 'Several brands of this group can hold a ZIP code, and it isn’t flagged.',
  warn: 'Several brands of this group can hold a ZIP code, and it’s flagged as shared.',
  block:
    'Once a ZIP code is live for one brand of this group, no other can request it or get it approved.',
};

function overlapSection({ group, overlaps, query }: GroupContent, links: Links): Html | null {
  if (!overlaps) return null;
  const isEmpty = overlaps.rows.length === 0 && !query.has('cursor');
  return html`<section aria-labelledby="overlaps">
    <h2 id="overlaps">Held by several brands</h2>
    ${
      isEmpty
        ? html`<p class="quiet">No ZIP code is held by several brands of this group.</p>`
        : html`${
            group.rule === 'block' &&
            html`<p>
              The rule doesn’t change these. To resolve one, leave the ZIP code with the brand that
              got it first.
            </p>`
          }
          ${picture(group, links)} ${overlapTable(overlaps.rows, links)}
          ${pager(groupAddress(group), query, overlaps.nextCursor, links, '#overlaps')}`
    }
  </section>`;
}

function picture(group: BrandGroup, links: Links): Html {
  const at = (size: keyof typeof GROUP_PICTURES, style: 'light' | 'dark') =>
    links.page(
      groupAddress(group, GROUP_PICTURE_PATH).replace('{size}', size).replace('{style}', style),
    );
  const { width, height } = GROUP_PICTURES.wide;
  return html`<picture class="group-picture">
    <source
      media="(max-width: 640px) and (prefers-color-scheme: dark)"
      srcset="${at('narrow', 'dark')}"
    />
    <source media="(max-width: 640px)" srcset="${at('narrow', 'light')}" />
    <source media="(prefers-color-scheme: dark)" srcset="${at('wide', 'dark')}" />
    <img
      src="${at('wide', 'light')}"
      width="${width}"
      height="${height}"
      alt="Map of the territories of the group. The table lists the ZIP codes that several brands hold."
    />
  </picture>`;
}

function overlapTable(overlaps: readonly GroupOverlap[], links: Links): Html {
  return records(
    'Overlaps',
    [
      { heading: 'ZIP code', cell: ({ zip }) => zip },
      {
        heading: 'Held by',
        cell: ({ holders }) =>
          html`<ul class="overlap-holders">
            ${holders.map(
              ({ brand, status, since }) =>
                html`<li>
                  ${brand.name}
                  <span class="quiet"
                    >${status === 'live' ? 'since' : 'requested'} ${dayTag(since)}</span
                  >
                </li>`,
            )}
          </ul>`,
      },
      { heading: 'How to resolve it', cell: (overlap) => resolution(overlap, links) },
    ],
    overlaps,
  );
}

/** How to resolve an overlap, with links to where a person can do it. */
function resolution(overlap: GroupOverlap, links: Links): Html {
  const { zip, holders } = overlap;
  const [, ...later] = holders.filter(({ status }) => status === 'live');
  const hasPending = holders.some(({ status }) => status === 'pending');
  return html`<span
    >${resolutionOf(overlap)}
    ${later.map(
      ({ brand }) =>
        html`<a href="${links.page(brandPath(brand, '/remove'))}?zips=${zip}"
          >Remove…<span class="visually-hidden"> ${zip} from ${brand.name}</span></a
        > `,
    )}
    ${hasPending && html`<a href="${links.page('/account/reviews')}">Review…</a>`}</span
  >`;
}

function reserveSection({ form, group, reserves, today, refusal }: GroupContent, links: Links) {
  const endCell = ({ id, zips, open }: Reserve) =>
    open &&
    buttonForm(
      links.page(groupAddress(group, GROUP_FORMS.end)),
      { reserve: id },
      { label: 'End now', about: `the reserve of ${pluralize(zips.length, 'ZIP code')}` },
    );
  return html`<section aria-labelledby="reserves">
    <h2 id="reserves">Reserved ZIP codes</h2>
    <p>
      No brand of the group can request these through the last day. Brands that hold one keep it.
    </p>
    ${
      reserves.length > 0
        ? records(
            'Reserves',
            [
              { heading: 'ZIP codes', cell: ({ zips }) => zipsText(zips) },
              { heading: 'Reason', cell: ({ reason }) => reason },
              { heading: 'Until', cell: ({ until }) => formatDay(until) },
              { heading: 'State', cell: stateText },
              { heading: 'Reserved by', cell: ({ createdBy }) => actorText(createdBy) },
              ...(refusal === undefined
                ? [{ heading: 'End', hidden: true as const, cell: endCell }]
                : []),
            ],
            reserves,
          )
        : html`<p class="quiet">No reserved ZIP codes.</p>`
    }
    ${refusal === undefined && reserveForm(form, group, today, links)}
  </section>`;
}

/** Number of ZIP codes that a row of a table shows */
const SHOWN_ZIPS = 8;

const zipsText = (zips: readonly string[]) =>
  zips.length <= SHOWN_ZIPS
    ? zips.join(', ')
    : html`<details>
        <summary>${pluralize(zips.length, 'ZIP code')}</summary>
        <p class="zip-list">${zips.join(' ')}</p>
      </details>`;

const stateText = ({ open, endedBy, endedAt }: Reserve) =>
  open
    ? 'Reserved'
    : endedBy && endedAt
      ? html`Ended by ${actorText(endedBy)}, ${dayTag(endedAt)}`
      : 'Ended';

function reserveForm(form: FormState, group: BrandGroup, today: string, links: Links): Html {
  const action = groupAddress(group, GROUP_FORMS.reserve);
  const state = form.of(GROUP_FORMS.reserve);
  return html`<h3>Reserve ZIP codes</h3>
    <form method="post" action="${links.page(action)}">
      ${textArea({ name: 'zips', label: 'ZIP codes', rows: 3, hint: 'ZIP codes, ranges such as 75201-75205, and prefixes such as 752*.' }, state)}
      ${textField(
        {
          name: 'reason',
          label: 'Reason',
          maxlength: MAX_REASON_LENGTH,
          autocomplete: 'off',
          hint: 'People whose requests are refused see it, such as “Sale in progress”.',
        },
        state,
      )}
      ${textField({ name: 'until', label: 'Last day', type: 'date', min: today }, state)}
      <button class="button">Reserve</button>
    </form>`;
}

function settings({ form, group, brands }: GroupContent, links: Links): Html {
  const action = groupAddress(group, GROUP_FORMS.change);
  const joined = joinWithAnd(group.brands.map(({ name }) => name));
  return html`<section aria-labelledby="settings">
    <h2 id="settings">Rule and brands</h2>
    <form method="post" action="${links.page(action)}">
      ${GROUP.html(form.of(GROUP_FORMS.change), { brands }, editedGroup(group))}
      <button class="button">Save</button>
    </form>
    <details class="ending">
      <summary>Delete this group…</summary>
      <form method="post" action="${links.page(groupAddress(group, GROUP_FORMS.delete))}">
        <p>
          Its rule and its reserves no longer apply to ${joined}. Their territories stay as they
          are.
        </p>
        <button class="button grave">Delete group</button>
      </form>
    </details>
  </section>`;
}
