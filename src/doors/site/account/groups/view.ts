/** The groups of brands with their rules, and the form that creates one. */
import type { Brand } from '../../../../territories/brands/brands.ts';
import type { BrandGroup } from '../../../../territories/brands/groups/groups.ts';
import type { Rule } from '../../../../territories/brands/groups/rules.ts';
import { formatCount, pluralize } from '../../../../base/text/words.ts';
import type { FormState } from '../../form-state.ts';
import { checkedName } from '../../../../people/account/names.ts';
import { wholeProblem } from '../../forms.ts';
import { box, brandChoices, formOf, oneChoice, someChoices, text } from '../../framework/fields.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { records } from '../../records.ts';
import type { AccountContent } from '../frame.ts';

export const GROUPS_PATH = '/account/groups';
export const GROUP_PATH = '/account/groups/{group}';

export const groupAddress = ({ id }: Pick<BrandGroup, 'id'>, path: string = GROUP_PATH) =>
  path.replace('{group}', id);

interface GroupsContent {
  form: FormState;
  groups: readonly BrandGroup[];
  /** Brands that the viewer may see */
  brands: readonly Brand[];
  /** Number of overlaps by the group's id; null unless the viewer may see all brands */
  overlaps: ReadonlyMap<string, number> | null;
  /** Reason why the viewer can't change groups; undefined if they can */
  refusal: string | undefined;
}

export function groupsPage(content: GroupsContent, links: Links): AccountContent {
  const { form, groups, brands, refusal } = content;
  const main = html`<p>
      Brands of a group follow a common rule about ZIP codes that several of them want, such as the
      franchisees of one franchisor.
      <a href="${links.page('/docs/territories')}#groups">How groups work</a>
    </p>
    ${wholeProblem(form)}
    ${
      groups.length > 0
        ? groupTable(content, links)
        : html`<p class="quiet">
            No groups yet. Without one, a ZIP code that two brands hold is flagged as shared.
          </p>`
    }
    ${
      refusal === undefined
        ? html`<section aria-labelledby="create-title">
            <h2 id="create-title">Create a group</h2>
            <form method="post" action="${links.page(GROUPS_PATH)}">
              ${GROUP.html(form.of(GROUPS_PATH), { brands })}
              <button class="button">Create group</button>
            </form>
          </section>`
        : html`<p class="quiet">${refusal}</p>`
    }`;
  return { path: GROUPS_PATH, assets: ['account/groups/style.css'], main };
}

function groupTable({ groups, overlaps }: GroupsContent, links: Links): Html {
  return records<BrandGroup>(
    'Groups',
    [
      {
        heading: 'Group',
        cell: (group) => html`<a href="${links.page(groupAddress(group))}">${group.name}</a>`,
      },
      { heading: 'Overlaps', cell: ({ rule }) => RULE_LABELS[rule] },
      { heading: 'Brands', cell: brandNames },
      ...(overlaps
        ? [
            {
              heading: 'Held by several',
              number: true as const,
              cell: ({ id }: BrandGroup) => formatCount(overlaps.get(id) ?? 0),
            },
          ]
        : []),
    ],
    groups,
  );
}

const RULE_LABELS: Readonly<Record<Rule, string>> = {
  allow: 'Allowed',
  warn: 'Flagged',
  block: 'Blocked',
};

const RULE_HINTS: Readonly<Record<Rule, string>> = {
  allow: 'Several brands can hold a ZIP code, and it isn’t flagged.',
  warn: 'Several brands can hold a ZIP code, and it’s flagged as shared.',
  block:
    'Once a ZIP code is live for one brand, no other can request it or get it approved. Existing overlaps stay until you resolve them.',
};

/** Largest number of brands that a table names */
const MAX_NAMED = 4;

/** `North, South, and 3 more` */
export function brandNames({ brands, others }: Pick<BrandGroup, 'brands' | 'others'>): string {
  const named = brands.slice(0, MAX_NAMED).map(({ name }) => name);
  const more = brands.length - named.length + others;
  return [...named, ...(more > 0 ? [pluralize(more, 'other brand')] : [])].join(', ');
}

/** The fields of a group, in the form that creates one and in the form that changes one */
export const GROUP = formOf({
  name: text({ name: 'name', label: 'Name', maxlength: 120 }, (name) =>
    checkedName('A group', name),
  ),
  rule: oneChoice(
    { name: 'rule', legend: 'Overlaps between its brands', value: 'block' },
    (['block', 'warn', 'allow'] as const).map((rule) => ({
      value: rule,
      label: RULE_LABELS[rule],
      hint: RULE_HINTS[rule],
    })),
  ),
  brands: someChoices(
    { name: 'brands', legend: 'Brands', missing: 'Choose the brands of the group.' },
    brandChoices,
  ),
  showsNames: box(
    { name: 'names', legend: 'People with some brands' },
    {
      label: 'See which brand of the group holds a ZIP code',
      hint: 'Otherwise, a franchisee learns only that another brand holds it.',
    },
  ),
});

/** The values to edit */
export const editedGroup = ({ name, rule, showsNames, brands }: BrandGroup) => ({
  name,
  rule,
  showsNames,
  brands: brands.map(({ id }) => id),
});
