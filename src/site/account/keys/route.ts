/** Keys, as people mint and revoke them. */
import { requireRole } from '../../../account/access.ts';
import type { Caller } from '../../../account/caller.ts';
import { listKeys, mintKey, revokeKey } from '../../../account/keys.ts';
import { checkedName } from '../../../account/names.ts';
import { badRequest } from '../../../errors.ts';
import { FormState } from '../../form-state.ts';
import { keysPage, REVOKE_KEY_PATH, type KeysContent } from './view.ts';
import { brandNamed, listBrands } from '../../../territory/brands.ts';
import { MANAGERS } from '../../../account/managers.ts';
import type { PersonPage } from '../../framework/page.ts';
import type { MemberVisit, PeopleParts } from '../../framework/visit.ts';
import { checkedFields } from '../../framework/form-problems.ts';
import { residentOf } from '../viewer.ts';

/** More than these are chosen with territory-admin. */
const SHOWN_BRANDS = 200;

export function keys({ db }: PeopleParts): PersonPage<MemberVisit> {
  const show = async (visit: MemberVisit, form: FormState, minted?: KeysContent['minted']) => {
    const { tenant, role, brandScope } = visit.caller;
    const [common, all, brands] = await Promise.all([
      residentOf(db, visit),
      listKeys(tenant),
      listBrands(tenant, brandScope, { limit: SHOWN_BRANDS }),
    ]);
    return keysPage(
      {
        ...common,
        form,
        keys: all,
        brands: brands.rows,
        mayManage: role !== null && MANAGERS.includes(role),
        ...(minted && { minted }),
      },
      visit.links,
    );
  };
  return {
    path: '/account/keys',
    show,
    forms: [
      {
        path: '/account/keys',
        submit: async (visit, fields) => {
          const { caller } = visit;
          requireRole(caller, MANAGERS, 'Minting a key');
          const { name, scope } = checkedFields({
            name: () => checkedName('A key', fields.get('name') ?? ''),
            access: () => oneOf(['read', 'write'], fields.get('access')),
            scope: () => chosenScope(fields),
          });
          const { key } = await mintKey(db, {
            organization: caller.organization,
            name,
            brands: scope === 'all' ? 'all' : await brandIds(caller, scope),
            mayWrite: fields.get('access') === 'write',
            createdBy: caller.actor.id!,
          });
          return { page: await show(visit, FormState.EMPTY, { key, name }) };
        },
      },
      {
        path: REVOKE_KEY_PATH,
        submit: async ({ caller }, fields) => {
          requireRole(caller, MANAGERS, 'Revoking a key');
          await revokeKey(caller.tenant, fields.get('key') ?? '');
          return { to: '/account/keys', notice: 'key-revoked' };
        },
      },
    ],
  };
}

function oneOf(choices: readonly string[], chosen: string | null): string {
  if (chosen !== null && choices.includes(chosen)) return chosen;
  throw badRequest('Choose one of these.');
}

/** All, or ids */
function chosenScope(fields: URLSearchParams): 'all' | string[] {
  if (oneOf(['all', 'some'], fields.get('scope')) === 'all') return 'all';
  const chosen = fields.getAll('brand');
  if (chosen.length === 0) throw badRequest('Choose at least one brand below, or all.');
  return chosen;
}

/** @throws ServiceError 404 for one that the organisation does not have */
async function brandIds(
  { tenant, brandScope }: Caller,
  refs: readonly string[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const ref of refs) ids.push((await brandNamed(tenant, brandScope, ref)).id);
  return ids;
}
