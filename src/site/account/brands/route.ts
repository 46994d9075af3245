/** The brands of an organisation, and a new one. */
import { requireRole } from '../../../account/access.ts';
import { checkedName } from '../../../account/names.ts';
import { checkedSlug } from '../../../slug.ts';
import { brandPath, BRANDS_PATH } from './brand/frame.ts';
import { brandsPage } from './view.ts';
import { createBrand, listBrands } from '../../../territory/brands.ts';
import { flagCounts } from '../../../territory/flag-counts.ts';
import { MANAGERS } from '../../../account/managers.ts';
import { changeHindrance, requireChange } from '../../../account/may-change.ts';
import type { PersonPage } from '../../framework/page.ts';
import { beside, checkedFields } from '../../framework/form-problems.ts';
import { residentOf } from '../viewer.ts';
import type { MemberVisit, PeopleParts } from '../../framework/visit.ts';

const PAGE_SIZE = 24;

export const brands = ({ db }: PeopleParts): PersonPage<MemberVisit> => ({
  path: BRANDS_PATH,
  show: async (visit, form) => {
    const { caller, query, links } = visit;
    const { tenant, brandScope, role } = caller;
    const cursor = query.get('cursor') ?? undefined;
    const [common, page] = await Promise.all([
      residentOf(db, visit),
      listBrands(tenant, brandScope, { cursor, limit: PAGE_SIZE }),
    ]);
    const flags = await flagCounts(
      tenant,
      page.rows.map(({ id }) => id),
    );
    const mayManage = role !== null && MANAGERS.includes(role);
    const hindrance = mayManage ? changeHindrance(caller) : 'Owners and admins create brands.';
    return brandsPage({ ...common, form, page, cursor, flags, hindrance }, links);
  },
  forms: [
    {
      path: BRANDS_PATH,
      submit: async ({ caller }, fields) => {
        requireRole(caller, MANAGERS, 'Creating a brand');
        requireChange(caller);
        const slug = fields.get('slug')?.trim() || undefined;
        const given = checkedFields({
          name: () => checkedName('A brand', fields.get('name') ?? ''),
          slug: () => slug && checkedSlug(slug),
        });
        const isTaken = ({ status }: { status: number }) => status === 409;
        const created = createBrand(caller.tenant, { name: given.name, slug });
        return { to: brandPath(await beside('name', isTaken, created)), notice: 'brand-created' };
      },
    },
  ],
});
