import { isManager, MANAGERS } from '../../../../people/account/access.ts';
import { signingSince } from '../../../../people/account/signing-secret.ts';
import { badRequest } from '../../../../errors.ts';
import { endSignedUrls } from '../../../../territories/static/end-signed-urls.ts';
import { checkedFields } from '../../framework/form-problems.ts';
import type { Page } from '../../framework/page.ts';
import { SIGNED_URLS_PATH, signedUrlsPage } from './view.ts';

export const signedUrlsRoute: Page<'account'> = {
  audience: 'account',
  path: SIGNED_URLS_PATH,
  async show({ caller, links }, form) {
    const since = await signingSince(caller.tenant);
    const { organization } = caller;
    return signedUrlsPage({ organization, since, form, mayEnd: isManager(caller) }, links);
  },
  forms: [
    {
      roles: MANAGERS,
      allBrands: true,
      async submit({ caller, signingSecrets }, fields) {
        checkedFields({
          confirm: () => {
            if (fields.get('confirm') === 'end') return;
            throw badRequest('No signed URLs were ended. Check the box to confirm.');
          },
        });
        await endSignedUrls(caller.tenant, caller.actor, signingSecrets);
        return { to: SIGNED_URLS_PATH, notice: 'signed-urls-ended' };
      },
    },
  ],
};
