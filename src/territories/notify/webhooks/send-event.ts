/** Signs and sends an event. */
import type { SecretBox } from '../../../people/account/secret-box.ts';
import type { PublicEvent } from '../../../people/events/public-event.ts';
import type { ClientFetch } from '../../../base/outside/public-fetch.ts';
import { attempt, type Attempt } from './attempt.ts';
import { signedHeaders, type StoredSecrets } from './secrets.ts';

/** Makes one attempt to send an event. Never fails: the result says what went wrong. */
export async function sendEvent(
  { fetch, box }: { fetch: ClientFetch; box: SecretBox },
  { url, secrets }: { url: string; secrets: StoredSecrets },
  event: PublicEvent,
): Promise<Attempt> {
  const body = JSON.stringify(event);
  let headers: Record<string, string>;
  try {
    headers = signedHeaders(secrets, box, event.id, body);
  } catch {
    return {
      isDelivered: false,
      status: null,
      answer: null,
      ms: 0,
      retryAfter: null,
      problem: 'The secret can’t be read. Rotate it, and store the new one in the receiver.',
    };
  }
  return attempt(fetch, { url, headers, body });
}
