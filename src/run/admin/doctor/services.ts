/** Checks the servers and keys in the settings: Redis, SMTP, the routing server, the geocoder, and SECRET_KEY. */
import { Redis } from 'ioredis';
import type { SecretCounts } from '../../../people/account/stored-secrets.ts';
import type { Config } from '../../../config.ts';
import type { Database } from '../../../base/db/database.ts';
import { routingServerOf } from '../../start/servers.ts';
import { countAllStored, SECRET_COLUMNS } from '../../start/stored-secrets.ts';
import type { ZipCenter } from '../../../data/market/zip-centers.ts';
import { placeName, joinWithAnd, pluralize } from '../../../base/text/words.ts';
import { failed, ok, skipped, warning, type CheckResult } from './check-result.ts';

const CONNECT_MS = 5_000;
/** `base/db/redis.ts` needs it for options such as `socketTimeout`. */
const OLDEST_REDIS = 6;

export async function checkRedis({ redisUrl }: Config): Promise<CheckResult> {
  if (redisUrl === undefined) {
    return skipped('REDIS_URL is not set: each process counts rate limits on its own');
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
    reason ||= (error as Error).message;
    const isRefused = /^(NOAUTH|WRONGPASS)/.test(reason);
    return failed(
      `Redis at ${hostOf(redisUrl)} can’t be used: ${isRefused ? 'it refuses the password' : reason}`,
      'Check REDIS_URL and that Redis runs. Until then, each process counts limits on its own.',
    );
  } finally {
    redis.disconnect();
  }
}

/** Connects and signs in, without sending email. */
export async function checkSmtp({ smtpUrl, mailFrom }: Config): Promise<CheckResult> {
  if (smtpUrl === undefined) {
    return skipped('SMTP_URL is not set: the service sends no email, and operators pass links on');
  }
  const where = `SMTP at ${hostOf(smtpUrl)}`;
  const { smtpAt } = await import('../../../people/mail/smtp.ts');
  try {
    const limits = { connect: CONNECT_MS, silence: CONNECT_MS, send: CONNECT_MS };
    await smtpAt(smtpUrl, mailFrom!, limits).verify();
    return ok(`${where} accepts the sign-in`);
  } catch (error) {
    return failed(
      `${where} can’t be used: ${(error as Error).message.trim()}`,
      'Check SMTP_URL and the mail server. smtps:// uses TLS from the start; smtp:// switches to TLS if the server offers it.',
    );
  }
}

const MINUTES = 10;

/** Computes a drive from a ZIP code, in a launched metro if possible. */
export async function checkRouting(db: Database, config: Config): Promise<CheckResult> {
  const server = routingServerOf(config);
  if (!server) return skipped('ROUTING_URL is not set: people search by radius, not by drive time');
  const { url, engine } = server;
  const where = `${engine} at ${hostOf(url)}`;
  const origin = await someZip(db);
  if (!origin) return skipped(`${where}: there are no ZIP codes to start from yet`);
  const { askServer } = await import('../../../data/routing/drive-times.ts');
  try {
    const zips = await askServer(db, server, origin, MINUTES);
    const drive = `a ${MINUTES}-minute drive from ${origin.zip} reaches ${pluralize(zips.length, 'ZIP code')}`;
    return zips.includes(origin.zip)
      ? ok(`${where}: ${drive}`)
      : warning(`${where}: ${drive}, but not itself`, 'Check that its map covers your area.');
  } catch (error) {
    return failed(
      `${where} can’t compute a drive from ${origin.zip}: ${(error as Error).message}`,
      'Check that ROUTING_URL is correct, that ROUTING_ENGINE matches the server’s type, and that the server’s map covers your area.',
    );
  }
}

/** Searches for a city, in a launched metro if possible. */
export async function checkGeocoder(
  db: Database,
  { geocoderUrl: url, geocoderEngine: engine }: Config,
): Promise<CheckResult> {
  if (url === undefined) return skipped('GEOCODER_URL is not set: the search finds no addresses');
  const where = `${engine} at ${hostOf(url)}`;
  const place = await someZip(db);
  const city = place?.city && placeName(place.city, place.state);
  if (!city) return skipped(`${where}: there are no cities to search for yet`);
  const { geocoderFrom } = await import('../../../data/geocoding/geocoder.ts');
  try {
    const found = await geocoderFrom({ url, engine }).find(city);
    return found.length > 0
      ? ok(`${where} finds ${city}`)
      : warning(`${where} doesn’t find ${city}`, 'Check that its map covers your area.');
  } catch (error) {
    return failed(
      `${where} can’t search for ${city}: ${(error as Error).message}`,
      'Check that GEOCODER_URL is correct, that GEOCODER_ENGINE matches the server’s type, and that the server’s map covers your area.',
    );
  }
}

interface KnownZip extends ZipCenter {
  city: string | null;
  state: string | null;
}

async function someZip(db: Database): Promise<KnownZip | undefined> {
  const [row] = await db.query<KnownZip & Record<string, unknown>>(
    `select zip, st_x(centroid) as lng, st_y(centroid) as lat, city, state
     from zips left join metro_counties using (county_fips)
     where centroid is not null order by metro_slug is null, metro_slug, city is null, zip limit 1`,
  );
  return row;
}

/** Checks whether stored secrets are encrypted and readable. */
export async function checkSecrets(
  db: Database,
  { secretKeys, databaseUrl }: Config,
): Promise<CheckResult> {
  const tables = await db.query<{ isMissing: boolean }>(
    `select to_regclass(name) is null as "isMissing" from unnest($1::text[]) as name`,
    [SECRET_COLUMNS.map(({ table }) => table)],
  );
  if (tables.some(({ isMissing }) => isMissing)) {
    return skipped('The database is empty, or of an earlier version');
  }
  const stored = await countAllStored(db, secretKeys);
  const list = (state: keyof SecretCounts) =>
    joinWithAnd(
      stored.flatMap(({ noun, [state]: count }) => (count > 0 ? pluralize(count, noun) : [])),
    );
  const [plain, encrypted, unreadable] = [list('plain'), list('encrypted'), list('unreadable')];
  if (unreadable !== '') {
    return failed(
      `SECRET_KEY lacks the key of ${unreadable}`,
      'Add the former key to the list. If it is lost, run `territory-admin user reset-second-factor`, replace the ' +
        'secrets of webhooks and signed URLs, and enter client secrets again.',
    );
  }
  if (secretKeys.length === 0) {
    const what = plain === '' ? 'secrets are' : plain;
    const finding = `SECRET_KEY is not set: ${what} stored unencrypted`;
    return plain === '' && databaseUrl === undefined
      ? skipped(finding)
      : warning(
          finding,
          'Set SECRET_KEY to a key from `openssl rand -base64 32`, and start the service.',
        );
  }
  if (plain !== '') {
    return warning(`Stored unencrypted: ${plain}`, 'Start the service, which encrypts them.');
  }
  return ok(encrypted === '' ? 'No stored secrets yet' : `${encrypted}, encrypted`);
}

/** Returns the host of a URL, without the password. */
const hostOf = (url: string) => new URL(url).host;
