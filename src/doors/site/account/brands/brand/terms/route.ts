/** Shows what agreements grant a brand, and until when, and sets it. */
import { WRITER, refusalFor } from '../../../../../../people/account/access.ts';
import { recordedDays } from '../../../../../../people/account/days/as-of.ts';
import { heldZipStatuses } from '../../../../../../territories/brands/brand-zips.ts';
import { setTerms, termsOf } from '../../../../../../territories/brands/terms/terms.ts';
import type { Page } from '../../../../framework/page.ts';
import { brandPath } from '../frame.ts';
import { loadBrand } from '../load-brand.ts';
import { TERMS, TERMS_PATH, termsPage } from './view.ts';

export const termsRoute: Page<'account'> = {
  audience: 'account',
  path: TERMS_PATH,
  async show(visit, form) {
    const { caller, links } = visit;
    const brand = await loadBrand(visit);
    const [terms, { today }] = await Promise.all([
      termsOf(caller.tenant, brand),
      recordedDays(caller.tenant),
    ]);
    return termsPage({ form, brand, terms, today, refusal: refusalFor(caller, WRITER) }, links);
  },
  forms: [
    {
      ...WRITER,
      async submit(visit, fields) {
        const { tenant, actor } = visit.caller;
        const brand = await loadBrand(visit);
        const { zips, ...given } = TERMS.read(fields);
        const statuses = await heldZipStatuses(tenant, brand);
        const live = [...statuses.keys()].filter((zip) => statuses.get(zip) === 'live');
        await tenant.transaction((tx) =>
          setTerms(tx, actor, brand, { zips: zips.length > 0 ? zips : live, ...given }),
        );
        return { to: brandPath(brand, '/terms'), notice: 'terms-saved' };
      },
    },
  ],
};
