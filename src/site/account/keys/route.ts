import { isManager, MANAGERS, requireRole } from '../../../account/access.ts';
import type { Caller } from '../../../account/caller.ts';
import { listKeys, mintKey, revokeKey } from '../../../account/keys.ts';
import { checkedName } from '../../../account/names.ts';
import { sendKeyAlerts } from '../../../account/alerts.ts';
import { badRequest } from '../../../errors.ts';
import { findBrand } from '../../../territory/brands.ts';
import { listBrands } from '../../../territory/list-brands.ts';
import { FormState } from '../../form-state.ts';
import { checkedFields, oneOf } from '../../framework/form-problems.ts';
import type { Page } from '../../framework/page.ts';
import type { MemberVisit } from '../../framework/visit.ts';
import type { AccountContent } from '../frame.ts';
import { KEYS_PATH, keysPage, REVOKE_KEY_PATH, SHOWN_KEYS, type KeysContent } from './view.ts';

/** Maximum number of brands in the form. Beyond that, use territory-admin to limit keys to brands. */
const SHOWN_BRANDS = 200;

async function show(
  { caller, links }: MemberVisit,
  form: FormState,
  created?: KeysContent['created'],
): Promise<AccountContent> {
  const { tenant, brandScope, organization } = caller;
  const [keys, { rows: brands }] = await Promise.all([
    listKeys(tenant, SHOWN_KEYS),
    listBrands(tenant, brandScope, { limit: SHOWN_BRANDS }),
  ]);
  const mayManage = isManager(caller);
  return keysPage({ organization, form, keys, brands, mayManage, created }, links);
}

export const keysRoute: Page<'account'> = {
  audience: 'account',
  path: KEYS_PATH,
  show,
  forms: [
    {
      asksPassword: true,
      async submit(visit, fields) {
        const { caller, sendsMail } = visit;
        requireRole(caller, MANAGERS, 'Creating an API key');
        const { name, access, scope } = checkedFields({
          name: () => checkedName('A key', fields.get('name') ?? ''),
          access: () => oneOf(['read', 'write'], fields.get('access')),
          scope: () => readScope(fields),
        });
        const brands = scope === 'all' ? 'all' : await brandIds(caller, scope);
        const createdBy = caller.actor.id!;
        const mayWrite = access === 'write';
        const { key } = await caller.tenant.transaction(async (tx) => {
          const minted = await mintKey(tx, { name, brands, mayWrite, createdBy });
          if (sendsMail) await sendKeyAlerts(tx.common, caller.organization, minted, createdBy);
          return minted;
        });
        return { page: await show(visit, FormState.EMPTY, { key, name }) };
      },
    },
    {
      path: REVOKE_KEY_PATH,
      async submit({ caller }, fields) {
        requireRole(caller, MANAGERS, 'Revoking an API key');
        await revokeKey(caller.tenant, fields.get('key') ?? '');
        return { to: KEYS_PATH, notice: 'key-revoked' };
      },
    },
  ],
};

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
