/** Other servers in the settings: routing, geocoder, and replica. Each is undefined without a setting. */
import type { Logger } from 'pino';
import type { DatabaseOptions } from '../../base/db/database.ts';
import { replicaDeadlines } from '../../base/db/deadlines.ts';
import type { Config } from '../../config.ts';
import type { Geocoder } from '../../data/geocoding/geocoder.ts';
import type { DriveTimes, RoutingServer } from '../../data/routing/drive-times.ts';

/** Returns a function that logs when a server is lost, and when it answers again. */
const reporter = (log: Logger, lostText: string, backText: string) => (lost?: unknown) =>
  lost === undefined ? log.info(backText) : log.warn({ err: lost }, lostText);

export const routingServerOf = ({
  routingUrl: url,
  routingEngine: engine,
  routingTimeoutMs: timeoutMs,
}: Config): RoutingServer | undefined =>
  url === undefined ? undefined : { url, engine, timeoutMs };

export async function driveTimesOf(config: Config, log: Logger): Promise<DriveTimes | undefined> {
  const server = routingServerOf(config);
  if (!server) return undefined;
  const { driveTimesFrom } = await import('../../data/routing/drive-times.ts');
  return driveTimesFrom(
    server,
    reporter(
      log,
      'routing server lost; there are no drive times',
      'the routing server answers again',
    ),
  );
}

export async function geocoderOf(
  { geocoderUrl: url, geocoderEngine: engine }: Config,
  log: Logger,
): Promise<Geocoder | undefined> {
  if (url === undefined) return undefined;
  const { geocoderFrom } = await import('../../data/geocoding/geocoder.ts');
  return geocoderFrom(
    { url, engine },
    reporter(log, 'geocoder lost; the search finds no addresses', 'the geocoder answers again'),
  );
}

export const readReplicaOf = (
  { databaseReadUrl: url, databaseTimeoutMs }: Config,
  log: Logger,
): DatabaseOptions['replica'] =>
  url === undefined
    ? undefined
    : {
        url,
        deadlines: replicaDeadlines(databaseTimeoutMs),
        changed: reporter(
          log,
          'replica lost; the primary serves its reads',
          'the replica answers again',
        ),
      };
