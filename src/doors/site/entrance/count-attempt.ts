/** Limits attempts to sign in. */
import { createHash } from 'node:crypto';
import { isKnownBrowser } from '../../../people/account/known-browsers.ts';
import { tooManyRequests } from '../../http/limits/limits.ts';
import type { Visit } from '../framework/visit.ts';

/**
 * Counts an attempt for an account. A browser in which the person has signed in before is counted
 * separately, so that others' attempts, from anywhere, never lock it. All other attempts count by client
 * address and by account. Addresses without an account count too, so the limit doesn't reveal which
 * addresses have one.
 * @param step the password and the second factor are counted separately
 * @throws TooManyRequests
 */
export async function countAttempt(
  { db, limiter, place, headers, browserCookie }: Visit,
  email: string,
  step: 'password' | 'factor' = 'password',
): Promise<void> {
  const account = hashOf(`${step} ${email.trim().toLowerCase()}`);
  const browser = browserCookie.read(headers);
  const counted = (await isKnownBrowser(db, email, browser))
    ? [hashOf(`${account} ${browser}`)]
    : [place.client, account];
  for (const each of counted) {
    const usage = await limiter.count('sign-in', each);
    if (usage.exceeded) throw tooManyRequests(usage);
  }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
