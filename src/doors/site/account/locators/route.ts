/** Lists the locators, and creates one. */
import { refusalFor } from '../../../../people/account/access.ts';
import type { Rights } from '../../../../people/account/access.ts';
import { brandsInScope } from '../../../../territories/brands/brands.ts';
import { listGroups } from '../../../../territories/brands/groups/groups.ts';
import { countAsked } from '../../../../territories/serving/locator-questions.ts';
import { createLocator, listLocators } from '../../../../territories/serving/locators.ts';
import type { Page } from '../../framework/page.ts';
import type { MemberVisit } from '../../framework/visit.ts';
import { NEW_LOCATOR, type LocatorChoices } from './fields.ts';
import { locatorAddress, locatorsPage, LOCATORS_PATH } from './view.ts';

/** Locators may answer for all brands. */
export const LOCATOR_READER = { needs: 'reader', allBrands: true } as const satisfies Rights;
export const LOCATOR_WRITER = { needs: 'writer', allBrands: true } as const satisfies Rights;

export const locatorsRoute: Page<'account'> = {
  audience: 'account',
  path: LOCATORS_PATH,
  async show(visit, form) {
    const { caller, links } = visit;
    const { tenant } = caller;
    const hidden = refusalFor(caller, LOCATOR_READER);
    const [locators, asked, choices] = await Promise.all([
      hidden === undefined ? listLocators(tenant) : [],
      countAsked(tenant),
      locatorChoices(visit),
    ]);
    const refusal = refusalFor(caller, LOCATOR_WRITER);
    return locatorsPage({ form, locators, asked, hidden, refusal, ...choices }, links);
  },
  forms: [
    {
      ...LOCATOR_WRITER,
      async submit({ caller }, fields) {
        const { tenant, actor } = caller;
        const { answering, ...given } = NEW_LOCATOR.read(fields);
        const locator = await tenant.transaction((tx) =>
          createLocator(tx, actor, { ...given, ...answering }),
        );
        return { to: locatorAddress(locator), notice: 'locator-created' };
      },
    },
  ],
};

export async function locatorChoices({ caller, geocoder }: MemberVisit): Promise<LocatorChoices> {
  const { tenant, brandScope } = caller;
  const [brands, groups] = await Promise.all([
    brandsInScope(tenant, brandScope),
    listGroups(tenant, brandScope),
  ]);
  return { brands, groups, geocodes: geocoder !== undefined };
}
