/**
 * What scripts of the account area ask for, and files that are taken from it: for those who are
 * signed in, like its pages, and no part of the interface.
 */
import { z } from 'zod';
import type { PolicyName } from '../../contract/limits.ts';
import type { Operation } from '../../contract/operation.ts';
import { personOperation, type PersonOperation } from './form.ts';
import { memberOf, PRIVATE, requireSameOrganization, signedOut, visitOf } from './visit.ts';
import type { MemberVisit, PeopleParts } from './visit.ts';

export interface MemberData {
  /** A `post` is sent a form; its answer may depend on more than fits into an address. */
  method: 'get' | 'post';
  /** From the site's root, parameters in braces */
  path: string;
  /** How often; left out: `site` */
  limit?: PolicyName;
  /** Of a form: the most bytes of it, where it may be longer than others */
  uploadBytes?: number;
  /** Media type of bytes, a text or a stream of them; left out: JSON */
  type?: string;
  /** Its body is a `PreparedAnswer`: compressed, and sent with an ETag */
  prepared?: true;
  /**
   * @param fields of the form; empty for a `get`
   * @returns what is sent as JSON, or bytes, a text or a stream of the type that `headers` tell
   * @throws ServiceError, which is sent as the Error object
   */
  answer(
    visit: MemberVisit,
    fields: URLSearchParams,
  ): Promise<{ body: unknown; headers?: Record<string, string> }>;
}

export function memberData(data: MemberData, parts: PeopleParts): Operation {
  const { method, path, limit, type, prepared, uploadBytes, answer } = data;
  const operation: PersonOperation = {
    ...{ method, path, limit, uploadBytes },
    answers: {
      200: {
        description: path,
        ...(prepared && { cached: true }),
        ...(type ? { type } : { schema: z.unknown(), example: {} }),
      },
    },
    errors: [401, 402, 403, 404, 409, 503],
    async handle(request) {
      const visit = await memberOf(await visitOf(request, parts), parts.db);
      if (!visit) throw signedOut();
      const fields = (method === 'post' ? request.body : new URLSearchParams()) as URLSearchParams;
      requireSameOrganization(visit, fields);
      const { body, headers } = await answer(visit, fields);
      return { status: 200, headers: { ...PRIVATE, ...headers }, body };
    },
  };
  return personOperation(operation, parts);
}
