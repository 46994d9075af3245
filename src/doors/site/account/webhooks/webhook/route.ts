import { MANAGER, requireRights } from '../../../../../people/account/access.ts';
import {
  DELIVERY_STATES,
  listDeliveries,
  resendDelivery,
} from '../../../../../territories/notify/webhooks/deliveries.ts';
import { findEndpoint } from '../../../../../territories/notify/webhooks/endpoints.ts';
import {
  deleteWebhook,
  editWebhook,
  replaceWebhookSecret,
  testWebhook,
} from '../../../../../territories/notify/webhooks/manage.ts';
import { brandsInScope } from '../../../../../territories/brands/brands.ts';
import { FormState } from '../../../form-state.ts';
import { oneOf, showAtField } from '../../../framework/form-problems.ts';
import type { Page } from '../../../framework/page.ts';
import type { MemberVisit } from '../../../framework/visit.ts';
import type { AccountContent } from '../../frame.ts';
import { WEBHOOK } from '../fields.ts';
import { WEBHOOK_PATH, webhookAddress, WEBHOOKS_PATH } from '../view.ts';
import {
  DELETE_WEBHOOK_PATH,
  EDIT_PATH,
  RESEND_PATH,
  ROTATE_PATH,
  SWITCH_PATH,
  TEST_PATH,
  webhookPage,
  type WebhookContent,
} from './view.ts';

async function show(
  { caller, params, query, links }: MemberVisit,
  form: FormState,
  once: WebhookContent['once'] = {},
): Promise<AccountContent> {
  requireRights(caller, MANAGER);
  const { tenant, brandScope } = caller;
  const endpoint = await findEndpoint(tenant, params.webhook!);
  const state = DELIVERY_STATES.find((one) => one === query.get('state'));
  const cursor = query.get('cursor') ?? undefined;
  const [deliveries, brands] = await Promise.all([
    listDeliveries(tenant, endpoint, { state }, { cursor, limit: 25 }),
    brandsInScope(tenant, brandScope),
  ]);
  return webhookPage({ form, endpoint, deliveries, state, query, brands, once }, links);
}

export const webhookRoute: Page<'account'> = {
  audience: 'account',
  path: WEBHOOK_PATH,
  show,
  forms: [
    {
      ...MANAGER,
      path: EDIT_PATH,
      // Events of the organization may go to another address.
      asksPassword: true,
      async submit({ caller, params, webhooks }, fields) {
        const entered = WEBHOOK.read(fields);
        const endpoint = await showAtField(
          'url',
          ({ status }) => status === 400,
          editWebhook(caller, webhooks, params.webhook!, entered),
        );
        return { to: webhookAddress(endpoint), notice: 'webhook-saved' };
      },
    },
    {
      ...MANAGER,
      path: SWITCH_PATH,
      async submit({ caller, params, webhooks }, fields) {
        const on = oneOf(['yes', 'no'], fields.get('on')) === 'yes';
        const endpoint = await editWebhook(caller, webhooks, params.webhook!, { on });
        return { to: webhookAddress(endpoint), notice: on ? 'webhook-on' : 'webhook-off' };
      },
    },
    {
      ...MANAGER,
      path: TEST_PATH,
      async submit(visit) {
        const { caller, params, webhooks } = visit;
        const tested = await testWebhook(caller, webhooks, params.webhook!);
        return { page: await show(visit, FormState.EMPTY, { tested }) };
      },
    },
    {
      ...MANAGER,
      path: ROTATE_PATH,
      asksPassword: true,
      async submit(visit) {
        const { caller, params, webhooks } = visit;
        const { secret } = await replaceWebhookSecret(caller, webhooks, params.webhook!);
        return { page: await show(visit, FormState.EMPTY, { secret }) };
      },
    },
    {
      ...MANAGER,
      path: RESEND_PATH,
      async submit({ caller, params }, fields) {
        const { tenant } = caller;
        const endpoint = await tenant.transaction((tx) =>
          resendDelivery(tx, params.webhook!, fields.get('delivery') ?? ''),
        );
        return { to: webhookAddress(endpoint), notice: 'delivery-resent' };
      },
    },
    {
      ...MANAGER,
      path: DELETE_WEBHOOK_PATH,
      async submit({ caller, params }) {
        await deleteWebhook(caller, params.webhook!);
        return { to: WEBHOOKS_PATH, notice: 'webhook-deleted' };
      },
    },
  ],
};
