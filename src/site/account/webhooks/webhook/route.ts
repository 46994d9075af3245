import {
  DELIVERY_STATES,
  listDeliveries,
  resendDelivery,
} from '../../../../notify/webhooks/deliveries.ts';
import {
  deleteEndpoint,
  findEndpoint,
  rotateSecret,
} from '../../../../notify/webhooks/endpoints.ts';
import { asWebhookManager, editWebhook, testWebhook } from '../../../../notify/webhooks/manage.ts';
import { brandsInScope } from '../../../../territory/brands.ts';
import { FormState } from '../../../form-state.ts';
import { oneOf, showAtField } from '../../../framework/form-problems.ts';
import type { Page } from '../../../framework/page.ts';
import type { MemberVisit } from '../../../framework/visit.ts';
import type { AccountContent } from '../../frame.ts';
import { readWebhook } from '../fields.ts';
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
  const { tenant, brandScope } = asWebhookManager(caller);
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
      path: EDIT_PATH,
      // Events of the organization may go to another address.
      asksPassword: true,
      async submit({ caller, params, webhooks }, fields) {
        const entered = readWebhook(fields);
        const endpoint = await showAtField(
          'url',
          ({ status }) => status === 400,
          editWebhook(caller, webhooks, params.webhook!, entered),
        );
        return { to: webhookAddress(endpoint), notice: 'webhook-saved' };
      },
    },
    {
      path: SWITCH_PATH,
      async submit({ caller, params, webhooks }, fields) {
        const on = oneOf(['yes', 'no'], fields.get('on')) === 'yes';
        const endpoint = await editWebhook(caller, webhooks, params.webhook!, { on });
        return { to: webhookAddress(endpoint), notice: on ? 'webhook-on' : 'webhook-off' };
      },
    },
    {
      path: TEST_PATH,
      async submit(visit) {
        const { caller, params, webhooks } = visit;
        const tested = await testWebhook(caller, webhooks, params.webhook!);
        return { page: await show(visit, FormState.EMPTY, { tested }) };
      },
    },
    {
      path: ROTATE_PATH,
      asksPassword: true,
      async submit(visit) {
        const { caller, params, webhooks } = visit;
        const { tenant } = asWebhookManager(caller);
        const { secret } = await tenant.transaction((tx) =>
          rotateSecret(tx, params.webhook!, webhooks.box),
        );
        return { page: await show(visit, FormState.EMPTY, { secret }) };
      },
    },
    {
      path: RESEND_PATH,
      async submit({ caller, params }, fields) {
        const { tenant } = asWebhookManager(caller);
        const endpoint = await tenant.transaction((tx) =>
          resendDelivery(tx, params.webhook!, fields.get('delivery') ?? ''),
        );
        return { to: webhookAddress(endpoint), notice: 'delivery-resent' };
      },
    },
    {
      path: DELETE_WEBHOOK_PATH,
      async submit({ caller, params }) {
        const { tenant } = asWebhookManager(caller);
        await tenant.transaction((tx) => deleteEndpoint(tx, params.webhook!));
        return { to: WEBHOOKS_PATH, notice: 'webhook-deleted' };
      },
    },
  ],
};
