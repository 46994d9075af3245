/**
 * Checks company sign-ins at their providers in the background. Each process does; a claim in the database keeps two of
 * them from making the same check. If a process dies after the provider has replaced a refresh token, the next check
 * finds the old one used, and the person signs in again.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { cacheOf } from '../../../base/cache/cache.ts';
import type { Configuration } from 'openid-client';
import { everyFew, type Loop } from '../../../base/workers/loops.ts';
import { tally } from '../../../base/observe/tally.ts';
import { placesFor } from '../../../base/outside/places.ts';
import { tenantOf } from '../tenant.ts';
import {
  claimGrant,
  confirmGrant,
  dropGrant,
  endLostGrant,
  postponeGrants,
  type DueGrant,
} from './grants.ts';
import type { CompanyParts } from './parts.ts';
import { ProviderFailure } from './provider-failure.ts';
import { connectToProvider, refreshSignIn } from './provider.ts';
import { providerClientOf, recordProblem } from './settings.ts';

const POLL_MS = 10_000;
/**
 * Checks at the same time, of which each takes at most three requests of 10 seconds. At 0.2 s each, a process makes 30,000
 * of them within 20 minutes.
 */
const PLACES = { count: 5, share: 3, ms: 90_000 };
/** Providers that this process knows, and how long it uses what they say about themselves */
const KNOWN = { ttl: 300_000 };
const PROVIDER_BYTES = 20_000;

export function startCompanyChecker(parts: CompanyParts, pollMs = POLL_MS, limits = PLACES): Loop {
  const { db, log, fetch, secrets } = parts;
  const places = placesFor('companyChecks', limits);
  const checks = new Set<Promise<void>>();

  const providers = cacheOf<Configuration>(() => PROVIDER_BYTES, KNOWN);
  const providerOf = async (organizationId: string) => {
    const client = await providerClientOf(tenantOf(db, organizationId), secrets);
    if (!client) throw new ProviderFailure('setup', 'Company sign-in was removed.');
    return connectToProvider(client, fetch, { isSigning: false });
  };

  async function check(grant: DueGrant): Promise<void> {
    const { id, organizationId, subject, settings, isUsed } = grant;
    if (!isUsed) return dropGrant(db, id);
    const fields = { organization: organizationId, signIn: id };
    try {
      const key = `${organizationId} ${settings}`;
      const config = await providers.find(key, () => providerOf(organizationId));
      const token = secrets.open(grant.refreshToken, id);
      const next = await refreshSignIn(config, token, subject);
      await confirmGrant(db, id, secrets.seal(next, id));
      tally.companyChecks.confirmed++;
    } catch (error) {
      const isProviders = error instanceof ProviderFailure;
      if (isProviders && error.kind === 'gone') {
        await endLostGrant(db, id);
        tally.companyChecks.ended++;
        log.info(fields, 'the provider ended a company sign-in');
        return;
      }
      tally.companyChecks.failed++;
      log.warn({ ...fields, err: error }, 'a company sign-in could not be checked; retrying');
      // The check is due again when its claim ends. Without the provider's fault, such as with a missing SECRET_KEY,
      // owners can do nothing.
      if (!isProviders) return;
      await recordProblem(tenantOf(db, organizationId), error.message);
      // Other failures concern only this sign-in.
      if (error.kind === 'away' || error.kind === 'setup') {
        await postponeGrants(db, organizationId);
      }
    }
  }

  function start(grant: DueGrant): void {
    const running = places
      .run(grant.organizationId, () => check(grant))
      .catch((error: unknown) => {
        // The check is due again when its claim ends.
        const fields = { err: error, organization: grant.organizationId, signIn: grant.id };
        log.warn(fields, 'a check of a company sign-in ended early');
      })
      .finally(() => checks.delete(running));
    checks.add(running);
  }

  async function startDue(signal: AbortSignal): Promise<number> {
    while (!signal.aborted && places.free() > 0) {
      const grant = await claimGrant(db, places.full());
      if (!grant) break;
      start(grant);
    }
    // Processes that start at the same time take different moments.
    const ms = pollMs * (0.5 + Math.random());
    if (checks.size === 0) return ms;
    // A check that ends makes room for another.
    await Promise.race([delay(ms, undefined, { signal }).catch(() => {}), ...checks]);
    return 0;
  }
  return everyFew(pollMs, startDue, {
    log,
    failed: 'company sign-ins can’t be read; retrying',
    atEnd: () => Promise.all(checks),
  });
}
