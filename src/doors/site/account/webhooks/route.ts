import { refusalFor, MANAGER } from '../../../../people/account/access.ts';
import { listEndpoints } from '../../../../territories/notify/webhooks/endpoints.ts';
import { createWebhook } from '../../../../territories/notify/webhooks/manage.ts';
import { brandsInScope } from '../../../../territories/brands/brands.ts';
import { FormState } from '../../form-state.ts';
import { showAtField } from '../../framework/form-problems.ts';
import type { Page } from '../../framework/page.ts';
import type { MemberVisit } from '../../framework/visit.ts';
import type { AccountContent } from '../frame.ts';
import { WEBHOOK } from './fields.ts';
import { WEBHOOKS_PATH, webhooksPage, type WebhooksContent } from './view.ts';

async function show(
  { caller, links }: MemberVisit,
  form: FormState,
  created?: WebhooksContent['created'],
): Promise<AccountContent> {
  const { tenant, brandScope } = caller;
  const refusal = refusalFor(caller, MANAGER);
  const [webhooks, brands] = await Promise.all([
    refusal === undefined ? listEndpoints(tenant) : [],
    brandsInScope(tenant, brandScope),
  ]);
  return webhooksPage({ form, webhooks, brands, refusal, created }, links);
}

export const webhooksRoute: Page<'account'> = {
  audience: 'account',
  path: WEBHOOKS_PATH,
  show,
  forms: [
    {
      ...MANAGER,
      // Events of the organization go to the new address.
      asksPassword: true,
      async submit(visit, fields) {
        const entered = WEBHOOK.read(fields);
        const created = await showAtField(
          'url',
          ({ status }) => status === 400,
          createWebhook(visit.caller, visit.webhooks, entered),
        );
        return { page: await show(visit, FormState.EMPTY, created) };
      },
    },
  ],
};
