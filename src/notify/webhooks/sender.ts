/** Sends events to webhooks while the process runs. Several processes share the work: see `dispatch.ts`. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { SecretBox } from '../../account/secret-box.ts';
import type { Database } from '../../db/database.ts';
import { publicEvent } from '../../events/public-event.ts';
import { tally } from '../../observe/tally.ts';
import type { ClientFetch } from '../../outside/public-fetch.ts';
import {
  beginRound,
  claimEndpoints,
  endClaimSoon,
  endRound,
  releaseEndpoint,
  type Claim,
  type DueDelivery,
  type Round,
  type RoundOptions,
  type Sent,
} from './dispatch.ts';
import { sendEvent } from './send-event.ts';

export interface WebhookSenderParts extends RoundOptions {
  db: Database;
  fetch: ClientFetch;
  box: SecretBox;
  log: Logger;
}

export interface WebhookSender {
  /** Stops after the attempts under way, but waits at most `graceMs` for them. */
  close(graceMs?: number): Promise<void>;
}

/** Webhooks that a process sends to at the same time */
const AT_ONCE = 10;
const POLL_MS = 1_000;
/** While the database is unavailable */
const PAUSE_MS = 5_000;
/** A busy webhook then waits until others had a turn. */
const TURN_MS = 30_000;
const CLOSE_MS = 3_000;

export function startWebhookSender(parts: WebhookSenderParts, pollMs = POLL_MS): WebhookSender {
  const { db, log } = parts;
  const closing = new AbortController();
  const { signal } = closing;
  const turns = new Set<Promise<void>>();
  let isDatabaseAway = false;

  function takeTurn(held: Claim): void {
    const turn = runTurn(parts, held, signal)
      .catch((error: unknown) => {
        // What wasn't recorded is repeated.
        log.warn({ err: error, webhook: held.endpointId }, 'a webhook’s turn ended early');
        return endClaimSoon(db, held);
      })
      // The claim ends by itself.
      .catch(() => {})
      .finally(() => turns.delete(turn));
    turns.add(turn);
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      let ms = pollMs;
      try {
        const free = AT_ONCE - turns.size;
        for (const held of free > 0 ? await claimEndpoints(db, free) : []) takeTurn(held);
        isDatabaseAway = false;
      } catch (error) {
        if (!isDatabaseAway) log.warn({ err: error }, 'webhooks can’t be read; retrying');
        isDatabaseAway = true;
        ms = PAUSE_MS;
      }
      await delay(ms, undefined, { signal }).catch(() => {});
    }
    await Promise.all(turns);
  }

  const running = run();
  return {
    async close(graceMs = CLOSE_MS) {
      closing.abort();
      await Promise.race([running, delay(graceMs, undefined, { ref: false })]);
    },
  };
}

/** Sends what is due to one webhook, round after round. */
async function runTurn(
  parts: WebhookSenderParts,
  held: Claim,
  closing: AbortSignal,
): Promise<void> {
  const until = performance.now() + TURN_MS;
  while (!closing.aborted && performance.now() < until) {
    const round = await beginRound(parts.db, held);
    if (!round || (round.due.length === 0 && !round.hasMore)) break;
    const sent = await Promise.all(round.due.map((delivery) => send(parts, round, delivery)));
    const results = await endRound(parts.db, held, sent, parts);
    for (const [i, result] of results.entries()) {
      tally.webhooks[result]++;
      logAttempt(parts.log, held, sent[i]!, result);
    }
  }
  await releaseEndpoint(parts.db, held);
}

async function send(
  parts: Pick<WebhookSenderParts, 'fetch' | 'box'>,
  round: Pick<Round, 'url' | 'secrets'>,
  delivery: DueDelivery,
): Promise<Sent> {
  return { delivery, attempt: await sendEvent(parts, round, publicEvent(delivery.event)) };
}

function logAttempt(
  log: Logger,
  { organizationId, endpointId }: Claim,
  { delivery, attempt: { status, problem, ms } }: Sent,
  result: string,
): void {
  const fields = { organization: organizationId, webhook: endpointId, delivery: delivery.id };
  const level = result === 'delivered' ? 'debug' : 'warn';
  log[level]({ ...fields, status, problem, ms, result }, 'webhook attempt');
}
