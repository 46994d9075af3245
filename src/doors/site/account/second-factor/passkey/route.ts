import { checkedName } from '../../../../../people/account/names.ts';
import {
  addPasskey,
  creationOptions,
  verifyNewPasskey,
} from '../../../../../people/account/passkeys.ts';
import { checkedFields } from '../../../framework/form-problems.ts';
import type { Page } from '../../../framework/page.ts';
import { PASSKEY_FIELD } from '../../../passkey-button.ts';
import { showAdded } from '../route.ts';
import { PASSKEY_PATH } from '../view.ts';
import { passkeyPage } from './view.ts';

export const passkeyRoute: Page<'account'> = {
  audience: 'account',
  isOwnSignIn: true,
  path: PASSKEY_PATH,
  opensWithoutFactor: true,
  async show({ db, roots, session, links }, form) {
    return passkeyPage(await creationOptions(db, roots().site, session.person), form, links);
  },
  forms: [
    {
      asksPassword: true,
      async submit(visit, fields) {
        const { db, roots, session } = visit;
        const { name } = checkedFields({
          name: () => checkedName('A passkey', fields.get('name') ?? ''),
        });
        const response = fields.get(PASSKEY_FIELD) ?? '';
        const { id } = session.person;
        const passkey = await verifyNewPasskey(db, roots().site, id, { name, response });
        return showAdded(visit, 'passkey', (tx) => addPasskey(tx, id, passkey));
      },
    },
  ],
};
