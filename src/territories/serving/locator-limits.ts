/**
 * Limits of the questions that a visitor asks an organization's locators. They leave room for a family's addresses, and
 * none for finding out a territory ZIP code by ZIP code. Asking the same again is free.
 */
import { POLICIES, type PolicyName } from '../../base/contract/limits.ts';
import { TooManyRequests } from '../../errors.ts';
import { networkAround } from '../../base/text/networks.ts';
import type { Limiter } from '../../people/metering/limiter.ts';
import type { OpenLocator } from './locators.ts';

interface Visitor {
  limiter: Limiter;
  /** Network of the visitor */
  client: string;
}

/**
 * Counts a question unless the visitor asked the same within a day.
 * @param question in one spelling
 * @returns whether it was counted
 * @throws TooManyRequests
 */
export async function countAsking(
  { limiter, client }: Visitor,
  { organizationId }: Pick<OpenLocator, 'organizationId'>,
  question: string,
): Promise<boolean> {
  const visitor = `${organizationId} ${client}`;
  const same = `${visitor} ${question}`;
  if ((await limiter.read('locator-repeat', same)).remaining === 0) return false;
  await countOrRefuse(limiter, 'locator', visitor, TOO_MANY_PLACES);
  await countOrRefuse(limiter, 'locator-day', visitor, TOO_MANY_PLACES);
  // The owner of a network could use another address for each question.
  const network = `${organizationId} ${networkAround(client)}`;
  await countOrRefuse(limiter, 'locator-network', network, TOO_MANY_PLACES);
  // Only answered questions are free the second time.
  await limiter.count('locator-repeat', same);
  return true;
}

/** @throws TooManyRequests */
export const countForm = (
  { limiter, client }: Visitor,
  { organizationId }: Pick<OpenLocator, 'organizationId'>,
): Promise<void> =>
  countOrRefuse(
    limiter,
    'locator-form',
    `${organizationId} ${client}`,
    'You have sent this form several times.',
  );

const TOO_MANY_PLACES = 'You have asked about many places.';

async function countOrRefuse(
  limiter: Limiter,
  policy: PolicyName,
  visitor: string,
  reason: string,
): Promise<void> {
  const { exceeded, resetSeconds } = await limiter.count(policy, visitor);
  if (!exceeded) return;
  const { quota, windowSeconds } = POLICIES[policy];
  const wait = resetSeconds > 3_600 ? 'tomorrow' : 'in an hour';
  throw new TooManyRequests(`${reason} Try again ${wait}.`, resetSeconds, {
    policy,
    quota,
    windowSeconds,
  });
}
