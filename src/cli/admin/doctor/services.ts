/** Checks of the services that the settings name: Redis and SMTP. */
import { Redis } from 'ioredis';
import type { Config } from '../../../config.ts';
import { failed, ok, skipped, warning, type Finding } from './finding.ts';

const CONNECT_MS = 5_000;
/** `socketTimeout` and others of `redis.ts` need it. */
const OLDEST_REDIS = 6;

export async function checkRedis({ redisUrl }: Config): Promise<Finding> {
  if (redisUrl === undefined) {
    return skipped('REDIS_URL is not set: each machine counts rate limits on its own');
  }
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    commandTimeout: CONNECT_MS,
    retryStrategy: () => null,
  });
  let reason = '';
  redis.on('error', (error: Error) => (reason ||= error.message));
  try {
    await redis.connect();
    const version = /redis_version:(\S+)/.exec(await redis.info('server'))?.[1] ?? 'unknown';
    return Number.parseInt(version, 10) < OLDEST_REDIS
      ? warning(`Redis ${version} at ${hostOf(redisUrl)}`, `Use Redis ${OLDEST_REDIS} or newer.`)
      : ok(`Redis ${version} at ${hostOf(redisUrl)}`);
  } catch (error) {
    return failed(
      `Redis at ${hostOf(redisUrl)} can’t be used: ${reason || (error as Error).message}`,
      'Check REDIS_URL and that Redis runs. Until then, each process counts limits on its own.',
    );
  } finally {
    redis.disconnect();
  }
}

/** Connects and signs in, without sending. */
export async function checkSmtp({ smtpUrl, mailFrom }: Config): Promise<Finding> {
  if (smtpUrl === undefined) {
    return skipped('SMTP_URL is not set: the service sends no email, and operators pass links on');
  }
  const where = `SMTP at ${hostOf(smtpUrl)}`;
  const { smtpAt } = await import('../../../mail/smtp.ts');
  try {
    const limits = { connect: CONNECT_MS, silence: CONNECT_MS, send: CONNECT_MS };
    await smtpAt(smtpUrl, mailFrom!, limits).verify();
    return ok(`${where} accepts the sign-in`);
  } catch (error) {
    return failed(
      `${where} can’t be used: ${(error as Error).message}`,
      'Check SMTP_URL and the mail server.',
    );
  }
}

/** Without the password */
export const hostOf = (url: string) => new URL(url).host;
