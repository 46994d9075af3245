/**
 * Data: everything that the site serves besides pages, such as JSON for a page's script, tiles, downloads,
 * stylesheets, and files for crawlers. It isn't part of the REST API.
 */
import { type Role } from '../../../people/account/caller.ts';
import { type Rights } from '../../../people/account/access.ts';
import { checkRights } from './rights.ts';
import { z } from 'zod';
import type { PolicyName } from '../../../base/contract/limits.ts';
import { operation, type Operation, type Request } from '../../../base/contract/operation.ts';
import { FormFields } from '../../http/requests/form-fields.ts';
import { ANY_QUERY, unlisted } from '../../http/unlisted.ts';
import { cached, type CachedFile } from './cached.ts';
import { checkSender, FORM_BODY } from './form.ts';
import {
  asMember,
  PRIVATE,
  readVisit,
  requireSameOrganization,
  secondFactorMissing,
  signedOut,
} from './visit.ts';
import type { MemberVisit, SiteParts } from './visit.ts';

/** A file that is the same for everyone and is cached */
interface PublicData<Params extends z.ZodObject = z.ZodObject> extends CachedFile<Params> {
  audience: 'public';
  /** Media type */
  type: string;
}

export interface MemberData extends Rights {
  audience: 'member';
  /** Use `post` for a form with fields that may not fit into an address. Default: `get` */
  method?: 'get' | 'post';
  /** From the site's root, with parameters in braces */
  path: string;
  /** Roles that may ask for it. Default: all */
  roles?: readonly Role[];
  /** Default: `site` */
  limit?: PolicyName;
  /** Media type of bytes, a text, or a stream. Default: JSON */
  type?: string;
  /** Whether the body is a `PreparedAnswer`, sent compressed and with an ETag */
  prepared?: true;
  /**
   * @param fields fields of the form; empty for a `get`
   * @returns JSON, or a body of the type in `headers`
   * @throws ServiceError, sent as the Error object
   */
  answer(
    visit: MemberVisit,
    fields: FormFields,
  ): Promise<{ body: unknown; headers?: Record<string, string> }>;
}

/** Headers of a file that browsers save. */
export const attachment = (type: string, filename: string) => ({
  'Content-Type': type,
  'Content-Disposition': `attachment; filename="${filename}"`,
});

export function data<Params extends z.ZodObject>(sent: PublicData<Params>): Operation;
export function data(sent: MemberData, parts: SiteParts): Operation;
export function data(sent: PublicData | MemberData, parts?: SiteParts): Operation {
  const { path } = sent;
  if (sent.audience === 'public') {
    return operation({ ...unlisted('get', path), ...cached(sent, sent.type) });
  }
  const { method = 'get', limit = 'site', type, prepared, answer } = sent;
  return operation({
    ...unlisted(method, path),
    private: true,
    limit,
    query: ANY_QUERY,
    ...(method === 'post' && {
      body: FORM_BODY,
      form: true as const,
      beforeBody: (request: Pick<Request, 'headers'>) => checkSender(request, parts!),
    }),
    answers: {
      200: {
        description: path,
        ...(prepared && { cached: true }),
        ...(type ? { type } : { schema: z.unknown(), example: {} }),
      },
    },
    errors: [401, 402, 403, 404, 409, 503],
    async handle(request) {
      const visit = await asMember(await readVisit(request as Request, parts!), request as Request);
      if (!visit) throw signedOut();
      if (visit.caller.lacksSecondFactor) throw secondFactorMissing(visit);
      const fields = (method === 'post' ? request.body : new FormFields()) as FormFields;
      requireSameOrganization(visit, fields);
      checkRights(visit.caller, sent);
      const { body, headers } = await answer(visit, fields);
      return { status: 200, headers: { ...PRIVATE, ...headers }, body };
    },
  });
}
