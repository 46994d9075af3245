/**
 * The authorization server's addresses, as operations that no document lists: they are limited, and
 * open to pages of other origins or not, like any other; what answers them is in `door.ts`.
 */
import { z } from 'zod';
import type { PolicyName } from '../../contract/limits.ts';
import type { Operation } from '../../contract/operation.ts';
import { ROUTES } from '../../oauth/provider.ts';
import { siteOperation } from '../unlisted.ts';

const { authorization, token, registration, revocation } = ROUTES;

/** Programs ask these, also from pages of other origins. */
const FOR_PROGRAMS: [Operation['method'], string, PolicyName][] = [
  ['post', token, 'token'],
  ['post', revocation, 'token'],
  ['post', registration, 'register'],
  ['get', `${registration}/{clientId}`, 'token'],
];

/** To these people are led in their browsers. */
const FOR_PEOPLE: [Operation['method'], string, PolicyName][] = [
  ['get', authorization, 'authorize'],
  ['get', `${authorization}/{uid}`, 'site'],
];

export const connectorOperations: readonly Operation[] = [
  ...FOR_PROGRAMS.map((declared) => endpoint(...declared)),
  ...FOR_PEOPLE.map((declared) => ({ ...endpoint(...declared), private: true as const })),
];

function endpoint(method: Operation['method'], path: string, limit: PolicyName): Operation {
  return siteOperation({
    method,
    path,
    limit,
    answers: { 200: { description: path, schema: z.unknown(), example: {} } },
    handle: () => Promise.reject(new Error(`${path} is answered by the authorization server`)),
  });
}
