/** Sends events to webhooks while the process runs. Several processes share the work: see `dispatch.ts`. */
import type { Logger } from 'pino';
import type { SecretBox } from '../../../people/account/secret-box.ts';
import type { Database } from '../../../base/db/database.ts';
import { publicEvent } from '../../../people/events/public-event.ts';
import { everyFew, type Loop } from '../../../base/workers/loops.ts';
import { tally } from '../../../base/observe/tally.ts';
import { placesFor } from '../../../base/outside/places.ts';
import type { ClientFetch } from '../../../base/outside/public-fetch.ts';
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

interface WebhookSenderParts extends RoundOptions {
  db: Database;
  fetch: ClientFetch;
  box: SecretBox;
  log: Logger;
}

/** Webhooks that a process sends to at the same time. A turn takes at most 50 seconds. */
const PLACES = { count: 10, share: 3, ms: 120_000 };
const POLL_MS = 1_000;
/** While the database is unavailable */
const PAUSE_MS = 5_000;
/** A busy webhook then waits until others had a turn. */
const TURN_MS = 30_000;

export function startWebhookSender(
  parts: WebhookSenderParts,
  pollMs = POLL_MS,
  limits = PLACES,
): Loop {
  const { db, log } = parts;
  const places = placesFor('webhooks', limits);
  const turns = new Set<Promise<void>>();

  function takeTurn(held: Claim, signal: AbortSignal): void {
    const turn = places
      .run(held.organizationId, (lost) => runTurn(parts, held, [signal, lost]))
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

  async function claim(signal: AbortSignal): Promise<void> {
    const room = { free: places.free(), share: limits.share, held: places.held() };
    for (const held of room.free > 0 ? await claimEndpoints(db, room) : []) takeTurn(held, signal);
  }
  return everyFew(pollMs, claim, {
    log,
    failed: 'webhooks can’t be read; retrying',
    retryMs: PAUSE_MS,
    atEnd: () => Promise.all(turns),
  });
}

/** Sends what is due to one webhook, round after round. */
async function runTurn(
  parts: WebhookSenderParts,
  held: Claim,
  ends: readonly AbortSignal[],
): Promise<void> {
  const until = performance.now() + TURN_MS;
  while (ends.every(({ aborted }) => !aborted) && performance.now() < until) {
    const round = await beginRound(parts.db, held);
    if (!round || (round.due.length === 0 && !round.hasMore)) break;
    const sent = await Promise.all(round.due.map((delivery) => send(parts, round, delivery)));
    const results = await endRound(parts.db, held, sent, parts);
    for (const [i, result] of results.entries()) {
      tally.webhooks[result]++;
      logAttempt(parts.log, held, sent[i]!, result);
    }
    // A receiver that doesn't answer takes the longest, so others get a turn first.
    if (sent.some(({ attempt }) => attempt.status === null)) break;
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
