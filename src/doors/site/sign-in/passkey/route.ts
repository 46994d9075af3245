import { personByPasskey, requestOptions } from '../../../../people/account/passkeys.ts';
import { finishSignIn, pathAfterSignIn } from '../../entrance/start-session.ts';
import type { Page } from '../../framework/page.ts';
import { PASSKEY_FIELD } from '../../passkey-button.ts';
import { PASSKEY_SIGN_IN_PATH, passkeySignInPage } from './view.ts';

export const passkeySignInRoute: Page<'anyone'> = {
  audience: 'anyone',
  path: PASSKEY_SIGN_IN_PATH,
  async show({ db, roots, query, links }, form) {
    const options = await requestOptions(db, roots().site, null);
    return passkeySignInPage({ query, form, options }, links);
  },
  forms: [
    {
      async submit(visit, fields) {
        const { db, roots } = visit;
        const response = fields.get(PASSKEY_FIELD) ?? '';
        const personId = await personByPasskey(db, roots().site, null, response);
        return finishSignIn(visit, personId, { to: pathAfterSignIn(fields.get('next')) });
      },
    },
  ],
};
