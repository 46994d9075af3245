/** The webhooks of an organization. */
import { MANAGER } from '../../../people/account/access.ts';
import {
  DeletedWebhookBody,
  EditWebhookRequest,
  NewWebhookRequest,
  requestExample,
  TestBody,
  testBody,
  TestRequest,
  WebhookBody,
  webhookBody,
  WebhookListBody,
  webhookParams,
  WebhookSecretBody,
} from './schema.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { findEndpoint, listEndpoints } from '../../../territories/notify/webhooks/endpoints.ts';
import {
  createWebhook,
  deleteWebhook,
  editWebhook,
  replaceWebhookSecret,
  testWebhook,
  type WebhookParts,
} from '../../../territories/notify/webhooks/manage.ts';
import { OVERLAP_HOURS } from '../../../territories/notify/webhooks/secrets.ts';
import { AGENTS, NO_STORE } from '../agent/shared.ts';

export const WEBHOOKS = { ...AGENTS, ...MANAGER, tag: 'Webhooks' } as const;

export const webhookOperations = (parts: WebhookParts): Operation[] => [
  operation({
    ...WEBHOOKS,
    id: 'listWebhooks',
    method: 'get',
    path: '/agent/webhooks',
    summary: 'List webhooks',
    description:
      'Returns the addresses that get the organization’s events, with their health, oldest first. Webhooks need an ' +
      'owner or admin, or a key that can write, with access to all brands.',
    answers: { 200: { description: 'The webhooks', schema: WebhookListBody } },
    errors: [402, 403],
    handle: async ({ caller }) => {
      const { tenant } = caller;
      const webhooks = (await listEndpoints(tenant)).map(webhookBody);
      return { status: 200, headers: NO_STORE, body: { webhooks } };
    },
  }),
  operation({
    ...WEBHOOKS,
    id: 'createWebhook',
    method: 'post',
    path: '/agent/webhooks',
    summary: 'Create a webhook',
    description:
      'Sends events from now on to an address. The response has the secret that signs them, which isn’t shown again.',
    body: NewWebhookRequest,
    bodyExamples: {
      crm: { summary: 'A CRM that follows territories', value: requestExample(NewWebhookRequest) },
    },
    answers: { 200: { description: 'The webhook and its secret', schema: WebhookSecretBody } },
    errors: [402, 403, 404, 409],
    handle: async ({ caller, body }) => {
      const { endpoint, secret } = await createWebhook(caller, parts, body);
      return { status: 200, headers: NO_STORE, body: { webhook: webhookBody(endpoint), secret } };
    },
  }),
  operation({
    ...WEBHOOKS,
    id: 'getWebhook',
    method: 'get',
    path: '/agent/webhooks/{webhook}',
    summary: 'Get a webhook',
    description: 'Returns a webhook with its health, without its secret.',
    params: webhookParams,
    answers: { 200: { description: 'The webhook', schema: WebhookBody } },
    errors: [402, 403, 404],
    handle: async ({ caller, params }) => {
      const { tenant } = caller;
      const endpoint = await findEndpoint(tenant, params.webhook);
      return { status: 200, headers: NO_STORE, body: webhookBody(endpoint) };
    },
  }),
  operation({
    ...WEBHOOKS,
    id: 'editWebhook',
    method: 'post',
    path: '/agent/webhooks/{webhook}',
    summary: 'Change a webhook',
    description:
      'Changes the given fields, or turns the webhook off or on. A webhook that is turned on continues with the events ' +
      'that it missed, up to 90 days back.',
    params: webhookParams,
    body: EditWebhookRequest,
    bodyExamples: {
      description: { summary: 'A new description', value: requestExample(EditWebhookRequest) },
    },
    answers: { 200: { description: 'The webhook', schema: WebhookBody } },
    errors: [402, 403, 404],
    handle: async ({ caller, params, body }) => {
      const endpoint = await editWebhook(caller, parts, params.webhook, body);
      return { status: 200, headers: NO_STORE, body: webhookBody(endpoint) };
    },
  }),
  operation({
    ...WEBHOOKS,
    id: 'deleteWebhook',
    method: 'post',
    path: '/agent/webhooks/{webhook}/delete',
    summary: 'Delete a webhook',
    description: 'Stops sending, and deletes the list of deliveries.',
    params: webhookParams,
    answers: { 200: { description: 'The webhook is deleted', schema: DeletedWebhookBody } },
    errors: [402, 403, 404],
    handle: async ({ caller, params }) => {
      const { id } = await deleteWebhook(caller, params.webhook);
      return { status: 200, headers: NO_STORE, body: { deleted: id } };
    },
  }),
  operation({
    ...WEBHOOKS,
    id: 'rotateWebhookSecret',
    method: 'post',
    path: '/agent/webhooks/{webhook}/rotate-secret',
    summary: 'Replace the secret of a webhook',
    description:
      `Creates a new secret, which isn’t shown again. For ${OVERLAP_HOURS} hours, requests are also signed with the ` +
      'replaced one, so that you can change the receiver.',
    params: webhookParams,
    answers: { 200: { description: 'The webhook and its new secret', schema: WebhookSecretBody } },
    errors: [402, 403, 404],
    handle: async ({ caller, params }) => {
      const { endpoint, secret } = await replaceWebhookSecret(caller, parts, params.webhook);
      return { status: 200, headers: NO_STORE, body: { webhook: webhookBody(endpoint), secret } };
    },
  }),
  operation({
    ...WEBHOOKS,
    id: 'testWebhook',
    method: 'post',
    path: '/agent/webhooks/{webhook}/test',
    summary: 'Send a test event',
    description:
      'Sends an example event at once, with `test: true`, and returns what the receiver answered. The event isn’t listed anywhere.',
    params: webhookParams,
    body: TestRequest,
    bodyExamples: { approved: { summary: 'An approval', value: requestExample(TestRequest) } },
    answers: { 200: { description: 'What the receiver answered', schema: TestBody } },
    errors: [402, 403, 404],
    handle: async ({ caller, params, body }) => {
      const result = await testWebhook(caller, parts, params.webhook, body.type);
      return { status: 200, headers: NO_STORE, body: testBody(result) };
    },
  }),
];
