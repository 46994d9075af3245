import { isManager, MANAGERS, requireRole } from '../../../account/access.ts';
import type { Caller } from '../../../account/caller.ts';
import { listKeys, mintKey, revokeKey } from '../../../account/keys.ts';
import { checkedName } from '../../../account/names.ts';
import type { Operation } from '../../../contract/operation.ts';
import { badRequest } from '../../../errors.ts';
import { findBrand, listBrands } from '../../../territory/brands.ts';
import { FormState } from '../../form-state.ts';
import { form } from '../../framework/form.ts';
import { checkedFields, oneOf } from '../../framework/form-problems.ts';
import { page, type Page } from '../../framework/page.ts';
import type { MemberVisit, SiteParts } from '../../framework/visit.ts';
import { loadFrame } from '../load-frame.ts';
import { KEYS_PATH, keysPage, REVOKE_KEY_PATH, type KeysContent } from './view.ts';

/** With more brands, limit keys to brands with territory-admin. */
const SHOWN_BRANDS = 200;

export function keysRoutes(parts: SiteParts): Operation[] {
  const { db } = parts;
  const show = async (visit: MemberVisit, state: FormState, created?: KeysContent['created']) => {
    const { tenant, brandScope } = visit.caller;
    const [frame, all, brands] = await Promise.all([
      loadFrame(db, visit),
      listKeys(tenant),
      listBrands(tenant, brandScope, { limit: SHOWN_BRANDS }),
    ]);
    return keysPage(
      {
        ...frame,
        form: state,
        keys: all,
        brands: brands.rows,
        mayManage: isManager(visit.caller),
        ...(created && { created }),
      },
      visit.links,
    );
  };
  const keys: Page<'member'> = { audience: 'member', path: KEYS_PATH, show };
  const create = form(
    keys,
    {
      async submit(visit, fields) {
        const { caller } = visit;
        requireRole(caller, MANAGERS, 'Creating an API key');
        const { name, access, scope } = checkedFields({
          name: () => checkedName('A key', fields.get('name') ?? ''),
          access: () => oneOf(['read', 'write'], fields.get('access')),
          scope: () => readScope(fields),
        });
        const { key } = await mintKey(db, {
          organization: caller.organization,
          name,
          brands: scope === 'all' ? 'all' : await brandIds(caller, scope),
          mayWrite: access === 'write',
          createdBy: caller.actor.id!,
        });
        return { page: await show(visit, FormState.EMPTY, { key, name }) };
      },
    },
    parts,
  );
  const revoke = form(
    keys,
    {
      path: REVOKE_KEY_PATH,
      async submit({ caller }, fields) {
        requireRole(caller, MANAGERS, 'Revoking an API key');
        await revokeKey(caller.tenant, fields.get('key') ?? '');
        return { to: KEYS_PATH, notice: 'key-revoked' };
      },
    },
    parts,
  );
  return [page(keys, parts), create, revoke];
}

/** @returns `all`, or the ids of the chosen brands */
function readScope(fields: URLSearchParams): 'all' | string[] {
  if (oneOf(['all', 'some'], fields.get('scope')) === 'all') return 'all';
  const chosen = fields.getAll('brand');
  if (chosen.length === 0)
    throw badRequest('Choose at least one brand below, or choose all brands.');
  return chosen;
}

/** @throws ServiceError 404 for a brand that the organization doesn't have */
async function brandIds(
  { tenant, brandScope }: Caller,
  refs: readonly string[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const ref of refs) ids.push((await findBrand(tenant, brandScope, ref)).id);
  return ids;
}
