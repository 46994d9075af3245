/** The trade and the home ZIP code of a business, for which the workspace proposes a first territory. */
import type { Queryable } from '../../base/db/database.ts';
import { findHomeZip, type HomeZip } from '../../data/market/home-zip.ts';
import type { Actor } from '../../people/account/caller.ts';
import { changeReviewSettings } from '../../people/account/review-settings.ts';
import type { TenantDatabase } from '../../people/account/tenant.ts';
import { ensureBrand } from '../../territories/brands/first-brand.ts';
import { VERTICALS } from '../../data/scoring/verticals.ts';
import type { FormState } from './form-state.ts';
import { selectField, textField } from './forms.ts';
import { oneOf, showAtField } from './framework/form-problems.ts';
import { html, type Html } from './html.ts';

const WORKSPACE_PATH = '/account/map';

/** @param initial values, such as those in a link */
export function firstTerritoryFields(
  form: FormState,
  { isOptional, initial }: { isOptional: boolean; initial?: URLSearchParams },
): Html {
  const valueOf = (name: string) => {
    const value = initial?.get(name);
    return value ? { value } : {};
  };
  return html`${selectField(
    { name: 'trade', label: 'Your trade', ...valueOf('trade') },
    VERTICALS.map(({ slug, label }) => ({ value: slug, label })),
    form,
  )}
  ${textField(
    {
      name: 'home',
      label: isOptional ? 'ZIP code of your business (optional)' : 'ZIP code of your business',
      hint: 'We propose a territory around it, which you can change before anything is saved.',
      autocomplete: 'postal-code',
      maxlength: 10,
      ...(isOptional && { optional: true }),
      ...valueOf('home'),
    },
    form,
  )}`;
}

/**
 * Returns the path of the workspace that proposes a first territory, or null if no ZIP code was entered.
 * @throws FormProblems with the problem at its field
 */
export async function firstTerritoryPath(
  db: Queryable,
  fields: URLSearchParams,
): Promise<string | null> {
  const text = fields.get('home')?.trim() ?? '';
  if (text === '') return null;
  const trades = VERTICALS.map(({ slug }) => slug);
  const trade = await showAtField(
    'trade',
    () => true,
    (async () => oneOf(trades, fields.get('trade')))(),
  );
  const home = await showAtField('home', ({ status }) => status === 400, findHomeZip(db, text));
  return pathOf(home, trade);
}

function pathOf({ zip, metro, state }: HomeZip, trade: string): string {
  const query = new URLSearchParams({
    ...(metro === null ? { state } : { metro }),
    color: `score:${trade}`,
    proposal: 'first',
    home: zip,
  });
  return `${WORKSPACE_PATH}?${query}`;
}

/** Prepares an organization for such a path: with a brand to propose a territory for, and with the trade as its own. */
export async function prepareFirstTerritory(
  tenant: TenantDatabase,
  actor: Actor,
  organization: Parameters<typeof ensureBrand>[2],
  path: string,
): Promise<void> {
  const color = new URLSearchParams(path.slice(WORKSPACE_PATH.length)).get('color');
  const trade = color?.replace('score:', '');
  await ensureBrand(tenant, actor, organization);
  if (VERTICALS.some(({ slug }) => slug === trade)) {
    await changeReviewSettings(tenant, actor, { trade: trade! });
  }
}

/** Whether `firstTerritoryPath` returns such a path. */
export const isFirstTerritory = (path: string) =>
  path.startsWith(`${WORKSPACE_PATH}?`) &&
  new URLSearchParams(path.slice(WORKSPACE_PATH.length)).get('proposal') === 'first';
