/**
 * Prepared answers and pictures that all processes share in Redis. The first process that needs one makes
 * it while the others wait. Redis is optional: whenever it is slow, full, or down, each process makes its
 * own answers.
 */
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { Redis, Result } from 'ioredis';
import type { Logger } from 'pino';
import { openRedis } from '../../../base/db/redis.ts';
import { tally } from '../../../base/observe/tally.ts';
import { redisRoom } from './redis-room.ts';

export interface SharedAnswers {
  /**
   * Returns the content for a key, and makes it if no process has made it yet.
   * @param key everything that the content depends on except the program
   * @throws the error of `make`, which isn't shared
   */
  find(key: readonly string[], make: () => Promise<Uint8Array>): Promise<Uint8Array>;
  close(): Promise<void>;
}

interface SharedAnswersOptions {
  /** Maximum time that an answer waits for Redis */
  timeoutMs: number;
  /** Prefix of all keys. It depends on the program, the rendering engine, and the addresses in answers. */
  namespace(): Promise<string>;
}

/** Unused answers, such as those from earlier data, are removed after this time. */
const KEEP_MS = 6 * 3_600_000;
/** Larger answers aren't shared. */
const MAX_BYTES = 4 * 1024 * 1024;
/**
 * A process renews its claim on an answer while making it. After this time without a renewal, another takes
 * over.
 */
const CLAIM_MS = 3_000;
/** If another process takes longer to make an answer, this process makes it, too. */
const WAIT_MS = 30_000;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 100;
/** Redis isn't used for this long after a failure. */
const REST_MS = 2_000;

/** The claim on an answer that is too large to share */
const TOO_LARGE = 'too large';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /** Claims an answer, unless it exists or another process has claimed it. */
    takeOrClaimBuffer(
      ...args: [content: string, claim: string, owner: string, claimMs: number, keepMs: number]
    ): Result<[0 | 1 | 2 | 3, Buffer?], Context>;
    /** Renews the owner's claim. */
    keepClaim(claim: string, owner: string, claimMs: number): Result<number, Context>;
    /** Ends the owner's claim. */
    endClaim(claim: string, owner: string): Result<number, Context>;
  }
}

const WAIT = 0;
const FOUND = 1;
const CLAIMED = 2;

function define(redis: Redis): void {
  redis.defineCommand('takeOrClaim', {
    numberOfKeys: 2,
    lua: `local content = redis.call('GET', KEYS[1])
      if content then redis.call('PEXPIRE', KEYS[1], ARGV[3]) return { ${FOUND}, content } end
      if redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[2]) then return { ${CLAIMED} } end
      if redis.call('GET', KEYS[2]) == '${TOO_LARGE}' then return { ${CLAIMED} } end
      return { ${WAIT} }`,
  });
  redis.defineCommand('keepClaim', {
    numberOfKeys: 1,
    lua: `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
      return redis.call('PEXPIRE', KEYS[1], ARGV[2])`,
  });
  redis.defineCommand('endClaim', {
    numberOfKeys: 1,
    lua: `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
      return redis.call('DEL', KEYS[1])`,
  });
}

/**
 * Logs when each outage starts and ends.
 * @returns once Redis is connected or known to be down
 */
export async function openSharedAnswers(
  url: string,
  { timeoutMs, namespace }: SharedAnswersOptions,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<SharedAnswers> {
  const redis = openRedis(url);
  define(redis);
  const hasRoom = redisRoom(redis);
  let restUntil = 0;
  let away = false;
  /** Running calls of `store`, for which answers don't wait */
  const storing = new Set<Promise<void>>();

  function recordFailure(error: unknown): void {
    restUntil = performance.now() + REST_MS;
    if (!away) log.warn({ err: error }, 'Redis is unavailable: each process makes its own answers');
    away = true;
  }
  function recordSuccess(): void {
    if (away) log.info('Redis is available again: processes share answers');
    away = false;
  }
  redis.on('error', recordFailure);
  await once(redis, 'ready').catch(() => {});

  /** Runs a command. Returns undefined if it fails or takes too long. */
  async function withinTimeout<T>(command: () => Promise<T>): Promise<T | undefined> {
    const running = command();
    running.catch(() => {});
    // If this process was busy, the reply may have arrived already. The next turn reads it.
    const late = delay(timeoutMs, undefined, { ref: false }).then(() => nextTurn());
    try {
      const reply = await Promise.race([running, late]);
      if (reply === undefined) throw new Error(`Redis took more than ${timeoutMs} ms`);
      recordSuccess();
      return reply;
    } catch (error) {
      recordFailure(error);
      return undefined;
    }
  }

  /** Stores the content for other processes, or ends the claim if there is none. Never fails. */
  async function store(place: AnswerKeys, content?: Uint8Array): Promise<void> {
    const { key, claim, owner } = place;
    try {
      if (content && content.length > MAX_BYTES) {
        await redis.set(claim, TOO_LARGE, 'PX', KEEP_MS);
        return;
      }
      if (content && (await hasRoom())) await redis.set(key, asBuffer(content), 'PX', KEEP_MS);
      await redis.endClaim(claim, owner);
    } catch (error) {
      recordFailure(error);
    }
  }

  async function makeForAll(
    place: AnswerKeys,
    make: () => Promise<Uint8Array>,
  ): Promise<Uint8Array> {
    const { claim, owner } = place;
    const renewal = setInterval(() => {
      redis.keepClaim(claim, owner, CLAIM_MS).catch(() => {});
    }, CLAIM_MS / 6);
    let content: Uint8Array | undefined;
    try {
      content = await make();
      return content;
    } finally {
      clearInterval(renewal);
      const stored = store(place, content).finally(() => storing.delete(stored));
      storing.add(stored);
    }
  }

  function makeHere(make: () => Promise<Uint8Array>): Promise<Uint8Array> {
    tally.sharedCache.alone++;
    return make();
  }

  return {
    async find(parts, make) {
      if (redis.status !== 'ready' || performance.now() < restUntil) return makeHere(make);
      const place = keysOf(await namespace(), parts);
      const waitUntil = performance.now() + WAIT_MS;
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
        const reply = await withinTimeout(() =>
          redis.takeOrClaimBuffer(place.key, place.claim, place.owner, CLAIM_MS, KEEP_MS),
        );
        if (reply === undefined) return makeHere(make);
        const [outcome, content] = reply;
        if (outcome === FOUND) {
          tally.sharedCache.hit++;
          // Copy it, because the reply is part of a larger buffer of the connection.
          return Buffer.from(content!);
        }
        if (outcome === CLAIMED) {
          tally.sharedCache.miss++;
          return makeForAll(place, make);
        }
        if (performance.now() > waitUntil) return makeHere(make);
        await delay(pauseMs);
      }
    },
    async close() {
      await Promise.all(storing);
      redis.off('error', recordFailure).on('error', () => {});
      await redis.quit().catch(() => redis.disconnect());
    },
  };
}

/** Keys of an answer and of the claim on it, with the owner of one attempt to make it */
interface AnswerKeys {
  key: string;
  claim: string;
  owner: string;
}

function keysOf(namespace: string, parts: readonly string[]): AnswerKeys {
  const hash = createHash('sha256').update(JSON.stringify([namespace, ...parts]));
  // The braces place both keys on the same node of a Redis Cluster.
  const key = `answer:{${hash.digest('base64url')}}`;
  return { key, claim: `${key}:claim`, owner: randomUUID() };
}

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength);
