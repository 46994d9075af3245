/** Requests that the service sends, in the `webhooks` section of the OpenAPI document. */
import type { z } from 'zod';
import { jsonSchema, type Json, type Schemas } from './schema.ts';

export interface WebhookDeclaration {
  /** Key in the section, such as `territory.approved` */
  name: string;
  /** One line */
  summary: string;
  /** Markdown */
  description: string;
  body: z.ZodType;
  example: unknown;
}

export const WEBHOOK_TAG = 'Webhooks';

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  example,
  schema: { type: 'string' },
});

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
const PARAMETERS = [
  header(
    'webhook-id',
    'Id of the event, the same in repeated deliveries. Ignore an id that you have handled.',
    'evt_9d2c1b7f4e6a4c0f8b3a5d7e9f1a2b3c',
  ),
  header(
    'webhook-timestamp',
    'Time of this attempt, in seconds since 1970. The libraries refuse old ones.',
    '1795946400',
  ),
  header(
    'webhook-signature',
    'Signatures of the id, the timestamp, and the body, separated by spaces. Verify them with a library of Standard Webhooks.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

const RESPONSES = {
  '2XX': { description: 'The event is accepted. The body is ignored.' },
  '410': { description: 'Nothing more is sent: the webhook is turned off.' },
  default: {
    description:
      'Anything else, also a redirect or no answer within 10 seconds, is a failure. The delivery is repeated for three days.',
  },
};

export function describeWebhook(
  { name, summary, description, body, example }: WebhookDeclaration,
  schemas: Schemas,
): Json {
  return {
    post: {
      operationId: name.replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase()),
      tags: [WEBHOOK_TAG],
      summary,
      description,
      security: [],
      parameters: PARAMETERS,
      requestBody: {
        required: true,
        content: { 'application/json': { schema: jsonSchema(body, 'output', schemas), example } },
      },
      responses: RESPONSES,
    },
  };
}
