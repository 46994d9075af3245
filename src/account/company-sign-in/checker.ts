/**
 * Checks company sign-ins at their providers in the background. Each process does; a claim in the database keeps two of
 * them from making the same check. If a process dies after the provider has replaced a refresh token, the next check
 * finds the old one used, and the person signs in again.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Configuration } from 'openid-client';
import { tally } from '../../observe/tally.ts';
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

export interface CompanyChecker {
  /** Stops after the checks under way, but waits at most `graceMs` for them. */
  close(graceMs?: number): Promise<void>;
}

const POLL_MS = 10_000;
/** Checks at the same time. At 0.2 s each, a process makes 30,000 of them within 20 minutes. */
const AT_ONCE = 5;
const CLOSE_MS = 3_000;
/** Providers that this process knows, and how long it uses what they say about themselves */
const KNOWN = { max: 200, ttl: 300_000 };

export function startCompanyChecker(parts: CompanyParts, pollMs = POLL_MS): CompanyChecker {
  const { db, log, fetch, secrets } = parts;
  const closing = new AbortController();
  const { signal } = closing;
  let isDatabaseAway = false;

  const providers = new LRUCache<string, Configuration, DueGrant>({
    ...KNOWN,
    async fetchMethod(_key, _stale, { context: { organizationId } }) {
      const client = await providerClientOf(tenantOf(db, organizationId), secrets);
      if (!client) throw new ProviderFailure('setup', 'Company sign-in was removed.');
      return connectToProvider(client, fetch, { isSigning: false });
    },
  });

  async function check(grant: DueGrant): Promise<void> {
    const { id, organizationId, subject, settings, isUsed } = grant;
    if (!isUsed) return dropGrant(db, id);
    const fields = { organization: organizationId, signIn: id };
    try {
      const key = `${organizationId} ${settings}`;
      const config = await providers.forceFetch(key, { context: grant });
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

  /** Makes all due checks, one after another. */
  async function work(): Promise<void> {
    while (!signal.aborted) {
      const grant = await claimGrant(db);
      if (!grant) return;
      await check(grant);
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await Promise.all(Array.from({ length: AT_ONCE }, work));
        isDatabaseAway = false;
      } catch (error) {
        // Claimed checks become due again when their claim ends.
        if (!isDatabaseAway) log.warn({ err: error }, 'company sign-ins can’t be read; retrying');
        isDatabaseAway = true;
      }
      // Processes that start at the same time take different moments.
      await delay(pollMs * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
    }
  }

  const running = run();
  return {
    async close(graceMs = CLOSE_MS) {
      closing.abort();
      await Promise.race([running, delay(graceMs, undefined, { ref: false })]);
    },
  };
}
