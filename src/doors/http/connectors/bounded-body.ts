/** Reads a connector's body within limits, before the authorization server parses it. */
import type { IncomingMessage } from 'node:http';
import { CONNECTOR_FORM, CONNECTOR_JSON } from '../../../base/contract/bounds.ts';
import { excessOf } from '../../../base/spatial/json-bounds.ts';
import { listUnstorable } from '../../../base/contract/storable-text.ts';
import { badRequest } from '../../../errors.ts';
import { readAtMost } from '../requests/body-bytes.ts';
import { refuseExcess } from '../requests/form-body.ts';
import { refuseUnstorable } from '../requests/form-fields.ts';

/**
 * @param ownSpellings returns the form's `resource` values as the authorization server knows them
 * @returns the request with a body that can be read again
 * @throws ServiceError 413 if the body is too large, 400 if it has too many values or fields
 */
export async function withBoundedBody(
  req: IncomingMessage,
  ownSpellings: (resources: readonly string[]) => string[],
): Promise<IncomingMessage> {
  const type = req.headers['content-type'] ?? '';
  const isJson = /json/i.test(type);
  // The authorization server refuses other types without reading them.
  if (!isJson && !/urlencoded/i.test(type)) return req;
  let bytes = await readAtMost(req, isJson ? CONNECTOR_JSON.bytes : CONNECTOR_FORM.bytes);
  if (isJson) {
    const excess = excessOf(bytes, CONNECTOR_JSON);
    if (excess !== null) throw badRequest(`The body ${excess}`);
    refuseUnstorableJson(bytes);
  } else {
    refuseExcess(bytes, CONNECTOR_FORM);
    const form = new URLSearchParams(bytes.toString());
    refuseUnstorable(form);
    const resources = ownSpellings(form.getAll('resource'));
    form.delete('resource');
    for (const resource of resources) form.append('resource', resource);
    bytes = Buffer.from(form.toString());
  }
  // oidc-provider reads the body with `iterator` if `readable` is true.
  return Object.create(req, {
    headers: { value: { ...req.headers, 'content-length': String(bytes.length) } },
    readable: { value: true },
    iterator: {
      value: async function* body() {
        yield bytes;
      },
    },
  }) as IncomingMessage;
}

/** The authorization server itself refuses malformed JSON. */
function refuseUnstorableJson(bytes: Buffer): void {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch {
    return;
  }
  const problems = listUnstorable(value);
  if (problems.length > 0) throw badRequest(`${problems.join('; ')}.`);
}
