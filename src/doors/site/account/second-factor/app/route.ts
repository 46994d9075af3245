import { confirmApp, setUpApp } from '../../../../../people/account/authenticator-app.ts';
import { badRequest } from '../../../../../errors.ts';
import { checkedFields } from '../../../framework/form-problems.ts';
import type { Page } from '../../../framework/page.ts';
import { showAdded } from '../route.ts';
import { APP_PATH } from '../view.ts';
import { appPage } from './view.ts';

export const appRoute: Page<'account'> = {
  audience: 'account',
  isOwnSignIn: true,
  path: APP_PATH,
  opensWithoutFactor: true,
  async show({ db, secrets, session, links }, form) {
    return appPage(await setUpApp(db, secrets, session.person), form, links);
  },
  forms: [
    {
      asksPassword: true,
      async submit(visit, fields) {
        const { secrets, session } = visit;
        const code = fields.get('code') ?? '';
        return showAdded(visit, 'app', async (tx) => {
          const isRight = await confirmApp(tx, secrets, session.person.id, code);
          checkedFields({
            code: () => {
              if (isRight) return;
              throw badRequest('This code is wrong. Enter the six digits that the app shows now.');
            },
          });
        });
      },
    },
  ],
};
