/**
 * Rate limits of all processes of one machine, counted together by the primary process without Redis.
 * Requests that arrive in one turn of the event loop are counted with one message, which costs a busy
 * process a small part of what a message per request would.
 */
import cluster, { type Worker } from 'node:cluster';
import { POLICIES, type PolicyName } from '../contract/limits.ts';
import { memoryLimiter, type Limiter, type Standing } from '../metering/limiter.ts';

const SPEND = 'territory:spend';
const SPENT = 'territory:spent';

interface SpendMessage {
  type: typeof SPEND;
  id: number;
  /** Policy and client of each request, one after the other */
  requests: readonly string[];
}

interface SpentMessage {
  type: typeof SPENT;
  id: number;
  /** What each request leaves, in their order: requests, seconds, and 1 if it exceeds the quota */
  numbers: readonly number[];
}

const isMessage = <Message extends { type: string }>(
  type: Message['type'],
  message: unknown,
): message is Message =>
  typeof message === 'object' && message !== null && 'type' in message && message.type === type;

/** In the primary process: counts for the workers. */
export function countForWorkers(): void {
  const limiter = memoryLimiter();
  cluster.on('message', (worker: Worker, message: unknown) => {
    if (isMessage<SpendMessage>(SPEND, message)) void answer(worker, message);
  });

  async function answer(worker: Worker, { id, requests }: SpendMessage): Promise<void> {
    const spending: Promise<Standing>[] = [];
    for (let i = 0; i < requests.length; i += 2) {
      spending.push(limiter.spend(requests[i] as PolicyName, requests[i + 1]!));
    }
    const numbers: number[] = [];
    for (const { remaining, resetSeconds, exceeded } of await Promise.all(spending)) {
      numbers.push(remaining, resetSeconds, exceeded ? 1 : 0);
    }
    // The worker may have ended since.
    if (worker.isConnected()) {
      worker.send({ type: SPENT, id, numbers } satisfies SpentMessage, () => {});
    }
  }
}

interface Waiting {
  policy: PolicyName;
  client: string;
  resolve(standing: Standing): void;
}

/** In a worker: asks the primary process, without which the worker ends. */
export function workerLimiter(): Limiter {
  let batch: Waiting[] = [];
  let lastId = 0;
  const sent = new Map<number, Waiting[]>();

  const receive = (message: unknown) => {
    if (!isMessage<SpentMessage>(SPENT, message)) return;
    const waiting = sent.get(message.id) ?? [];
    sent.delete(message.id);
    for (const [i, { policy, resolve }] of waiting.entries()) {
      const [remaining, resetSeconds, exceeded] = message.numbers.slice(3 * i, 3 * i + 3) as [
        number,
        number,
        number,
      ];
      resolve({ policy, ...POLICIES[policy], remaining, resetSeconds, exceeded: exceeded === 1 });
    }
  };
  process.on('message', receive);

  function flush(): void {
    const requests = batch.flatMap(({ policy, client }) => [policy, client]);
    sent.set(++lastId, batch);
    batch = [];
    process.send!({ type: SPEND, id: lastId, requests } satisfies SpendMessage);
  }

  return {
    spend: (policy, client) =>
      new Promise((resolve) => {
        if (batch.push({ policy, client, resolve }) === 1) setImmediate(flush);
      }),
    async close() {
      process.off('message', receive);
    },
  };
}
