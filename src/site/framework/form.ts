/** What the operations of the account area have in common, whatever they answer. */
import type { PolicyName } from '../../contract/limits.ts';
import type { Operation } from '../../contract/operation.ts';
import { ANY_QUERY, FORM, siteOperation } from '../../http/unlisted.ts';
import { beforeForm, type PeopleParts } from './visit.ts';

export interface PersonOperation extends Pick<Operation, 'path' | 'answers' | 'errors' | 'handle'> {
  /** A `post` is sent a form. */
  method: 'get' | 'post';
  /** How often; left out: `site` */
  limit?: PolicyName | undefined;
  /** Of a form: it may hold files, of so many bytes in all */
  uploadBytes?: number | undefined;
}

export function personOperation(op: PersonOperation, parts: PeopleParts): Operation {
  const { limit = 'site', uploadBytes, ...declared } = op;
  return siteOperation({
    ...declared,
    private: true,
    limit,
    query: ANY_QUERY,
    ...(op.method === 'post' && { ...FORM, ...beforeForm(parts, uploadBytes) }),
    ...(uploadBytes && { uploadBytes }),
  });
}
