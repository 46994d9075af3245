import { WRITER, refusalFor } from '../../../../people/account/access.ts';
import { listShares, mintShare, SHARE_STATUSES } from '../../../../territories/share/links.ts';
import { findPlan } from '../../../../territories/plans/plans.ts';
import { listSharedPlans, revokePlanShare } from '../../../../territories/plans/shares.ts';
import { findBrand } from '../../../../territories/brands/brands.ts';
import { listBrands } from '../../../../territories/brands/list-brands.ts';
import { isConflict, showAtField } from '../../framework/form-problems.ts';
import type { Page } from '../../framework/page.ts';
import { PLAN_READER } from '../../workspace/data/place.ts';
import { shareAddress } from './share/view.ts';
import { REVOKE_PLAN_LINK_PATH, SHARE, sharesPage, SHARES_PATH } from './view.ts';

/** Maximum number of brands in the form, as on the page of API keys. Beyond that, use the API. */
const OFFERED_BRANDS = 200;

export const sharesRoute: Page<'account'> = {
  audience: 'account',
  path: SHARES_PATH,
  async show({ caller, query, links }, form) {
    const { tenant, brandScope } = caller;
    const chosen = query.get('status') ?? 'active';
    const status = SHARE_STATUSES.find((one) => one === chosen);
    const cursor = query.get('cursor') ?? undefined;
    const [page, { rows: brands }, plans] = await Promise.all([
      listShares(tenant, brandScope, { status }, { cursor }),
      listBrands(tenant, brandScope, { limit: OFFERED_BRANDS }),
      // Plans span all brands.
      refusalFor(caller, PLAN_READER) === undefined ? listSharedPlans(tenant, status) : null,
    ]);
    const refusal = refusalFor(caller, WRITER);
    const content = { form, status: status ?? 'all', page, query, brands, plans, refusal } as const;
    return sharesPage(content, links);
  },
  forms: [
    {
      needs: 'writer',
      async submit({ caller }, fields) {
        const { tenant, brandScope, actor } = caller;
        const { brand: named, vertical, ...entered } = SHARE.read(fields);
        const found = findBrand(tenant, brandScope, named);
        const brand = await showAtField('brand', () => true, found);
        const minted = tenant.transaction((tx) =>
          mintShare(tx, actor, brand, { ...entered, ...(vertical !== '' && { vertical }) }),
        );
        const { link } = await showAtField('kind', isConflict, minted);
        return { to: shareAddress(link.code), notice: 'share-minted' };
      },
    },
    {
      path: REVOKE_PLAN_LINK_PATH,
      needs: 'writer',
      allBrands: true,
      async submit({ caller }, fields) {
        const { tenant, actor } = caller;
        await tenant.transaction(async (tx) =>
          revokePlanShare(
            tx,
            actor,
            await findPlan(tx, fields.get('plan') ?? ''),
            fields.get('link') ?? '',
          ),
        );
        return { to: SHARES_PATH, notice: 'share-revoked' };
      },
    },
  ],
};
