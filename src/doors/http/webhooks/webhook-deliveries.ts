/** The deliveries of a webhook. */
import { z } from 'zod';
import {
  deliveryBody,
  DeliveryListBody,
  deliveryParams,
  ResentBody,
  webhookParams,
} from './schema.ts';
import { exactQuery, oneOf } from '../../../base/contract/exact-query.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { MAX_LIMIT, pageFields } from '../../../base/contract/paging.ts';
import { wholeNumber } from '../../../base/contract/whole-number.ts';
import {
  DELIVERY_STATES,
  listDeliveries,
  resendDelivery,
} from '../../../territories/notify/webhooks/deliveries.ts';
import { findEndpoint } from '../../../territories/notify/webhooks/endpoints.ts';
import { NO_STORE } from '../agent/shared.ts';
import { WEBHOOKS } from './webhooks.ts';

export const deliveryOperations = (): Operation[] => [
  operation({
    ...WEBHOOKS,
    id: 'listWebhookDeliveries',
    method: 'get',
    path: '/agent/webhooks/{webhook}/deliveries',
    summary: 'List the deliveries of a webhook',
    description:
      'Returns sent and waiting deliveries, latest event first, each with its last answer.',
    params: webhookParams,
    query: exactQuery({
      state: z
        .enum(DELIVERY_STATES, oneOf(DELIVERY_STATES))
        .optional()
        .meta({ description: 'Default: all' }),
      cursor: pageFields().cursor,
      limit: wholeNumber(1, MAX_LIMIT)
        .optional()
        .meta({ description: pageFields().limit.description }),
    }),
    answers: { 200: { description: 'The deliveries', schema: DeliveryListBody } },
    errors: [402, 403, 404],
    handle: async ({ caller, params, query: { state, ...page } }) => {
      const { tenant } = caller;
      const endpoint = await findEndpoint(tenant, params.webhook);
      const { rows, nextCursor } = await listDeliveries(tenant, endpoint, { state }, page);
      return {
        status: 200,
        headers: NO_STORE,
        body: { deliveries: rows.map(deliveryBody), nextCursor },
      };
    },
  }),
  operation({
    ...WEBHOOKS,
    id: 'resendWebhookDelivery',
    method: 'post',
    path: '/agent/webhooks/{webhook}/deliveries/{delivery}/resend',
    summary: 'Send a delivery again',
    description:
      'Sends the same event with the same id, within seconds. One that was delivered or given up gets one further ' +
      'attempt; one that is being repeated is tried now. Refused with 409 while the webhook is off, or while an earlier ' +
      'event of the brand waits.',
    params: deliveryParams,
    answers: { 200: { description: 'The delivery is sent within seconds', schema: ResentBody } },
    errors: [402, 403, 404, 409],
    handle: async ({ caller, params }) => {
      const { tenant } = caller;
      await tenant.transaction((tx) => resendDelivery(tx, params.webhook, params.delivery));
      return { status: 200, headers: NO_STORE, body: { resending: params.delivery } };
    },
  }),
];
