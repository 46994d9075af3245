import { isManager, MANAGERS } from '../../../../people/account/access.ts';
import type { Caller } from '../../../../people/account/caller.ts';
import { listKeys, mintKey, recordMinting, revokeKey } from '../../../../people/account/keys.ts';
import { sendKeyAlerts } from '../../../../people/account/alerts.ts';
import { findBrand } from '../../../../territories/brands/brands.ts';
import { listBrands } from '../../../../territories/brands/list-brands.ts';
import { FormState } from '../../form-state.ts';
import type { Page } from '../../framework/page.ts';
import type { MemberVisit } from '../../framework/visit.ts';
import type { AccountContent } from '../frame.ts';
import { KEY, KEYS_PATH, keysPage, REVOKE_KEY_PATH, SHOWN_KEYS, type KeysContent } from './view.ts';

/** Maximum number of brands in the form. Beyond that, use territory-admin to limit keys to brands. */
const SHOWN_BRANDS = 200;

async function show(
  { caller, links }: MemberVisit,
  form: FormState,
  created?: KeysContent['created'],
): Promise<AccountContent> {
  const { tenant, brandScope, organization } = caller;
  const [keys, { rows: brands }] = await Promise.all([
    // The names of keys may tell about other brands.
    brandScope === 'all' ? listKeys(tenant, SHOWN_KEYS) : [],
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
      roles: MANAGERS,
      allBrands: true,
      async submit(visit, fields) {
        const { caller, sendsMail } = visit;
        const { name, access, brands: chosen } = KEY.read(fields);
        const brands = chosen === null ? 'all' : await brandIds(caller, chosen);
        const createdBy = caller.actor.id!;
        const mayWrite = access === 'write';
        const { key } = await caller.tenant.transaction(async (tx) => {
          const minted = await mintKey(tx, { name, brands, mayWrite, createdBy });
          recordMinting(tx, minted, caller.actor);
          if (sendsMail) await sendKeyAlerts(tx.common, caller.organization, minted, createdBy);
          return minted;
        });
        return { page: await show(visit, FormState.EMPTY, { key, name }) };
      },
    },
    {
      path: REVOKE_KEY_PATH,
      roles: MANAGERS,
      allBrands: true,
      async submit({ caller }, fields) {
        await revokeKey(caller.tenant, fields.get('key') ?? '', caller.actor);
        return { to: KEYS_PATH, notice: 'key-revoked' };
      },
    },
  ],
};

/** @throws ServiceError 404 for a brand that the organization doesn't have */
async function brandIds(
  { tenant, brandScope }: Caller,
  refs: readonly string[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const ref of refs) ids.push((await findBrand(tenant, brandScope, ref)).id);
  return ids;
}
