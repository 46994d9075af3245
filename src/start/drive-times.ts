/** Connects to the configured routing server. */
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { DriveTimes, RoutingServer } from '../outside/routing/drive-times.ts';

export const routingServerOf = ({
  routingUrl: url,
  routingEngine: engine,
  routingTimeoutMs: timeoutMs,
}: Config): RoutingServer | undefined =>
  url === undefined ? undefined : { url, engine, timeoutMs };

/** Returns undefined without a routing server. */
export async function driveTimesOf(config: Config, log: Logger): Promise<DriveTimes | undefined> {
  const server = routingServerOf(config);
  if (!server) return undefined;
  const { driveTimesFrom } = await import('../outside/routing/drive-times.ts');
  return driveTimesFrom(server, (down) =>
    down === undefined
      ? log.info('the routing server answers again')
      : log.warn({ err: down }, 'routing server lost; there are no drive times'),
  );
}
