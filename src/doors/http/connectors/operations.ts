/**
 * Declares the authorization server's endpoints, so that limits and CORS apply to them as to other
 * operations. `forward.ts` forwards their requests.
 */
import { z } from 'zod';
import type { PolicyName } from '../../../base/contract/limits.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { ROUTES } from '../../../people/oauth/connector-terms.ts';
import { unlisted } from '../unlisted.ts';

const { authorization, token, registration, revocation } = ROUTES;

/** For programs, including scripts of other origins */
const FOR_PROGRAMS: [Operation['method'], string, PolicyName][] = [
  ['post', token, 'token'],
  ['post', revocation, 'token'],
  ['post', registration, 'register'],
  ['get', `${registration}/{clientId}`, 'token'],
];

/** For people in browsers */
const FOR_PEOPLE: [Operation['method'], string, PolicyName][] = [
  ['get', authorization, 'authorize'],
  ['get', `${authorization}/{uid}`, 'site'],
];

export const connectorOperations: readonly Operation[] = [
  ...FOR_PROGRAMS.map((declared) => endpoint(...declared)),
  ...FOR_PEOPLE.map((declared) => ({ ...endpoint(...declared), private: true as const })),
];

function endpoint(method: Operation['method'], path: string, limit: PolicyName): Operation {
  return operation({
    ...unlisted(method, path),
    limit,
    answers: { 200: { description: path, schema: z.unknown(), example: {} } },
    handle: () => Promise.reject(new Error(`${path} is answered by the authorization server`)),
  });
}
