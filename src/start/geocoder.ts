/** Connects to the configured geocoder. */
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Geocoder } from '../outside/geocoding/geocoder.ts';

/** Returns undefined without a geocoder. */
export async function geocoderOf(
  { geocoderUrl: url, geocoderEngine: engine }: Config,
  log: Logger,
): Promise<Geocoder | undefined> {
  if (url === undefined) return undefined;
  const { geocoderFrom } = await import('../outside/geocoding/geocoder.ts');
  return geocoderFrom({ url, engine }, (down) =>
    down === undefined
      ? log.info('the geocoder answers again')
      : log.warn({ err: down }, 'geocoder lost; the search finds no addresses'),
  );
}
