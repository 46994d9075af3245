/** The way of a request, top to bottom. */
import Koa from 'koa';
import type { Logger } from 'pino';
import { contextTiles } from './basemap/tiles-context.ts';
import { SERVICE_VERSION } from './contract/version.ts';
import type { Database } from './db/database.ts';
import { errorAnswers } from './http/errors.ts';
import { fontOperation } from './http/fonts.ts';
import { healthOperation } from './http/health.ts';
import { mapContextOperation } from './http/map-context.ts';
import { requestLog } from './http/request-log.ts';
import { contractRoutes, type RouterOptions } from './http/routes.ts';
import { styleOperation } from './http/styles.ts';
import { tileOperations } from './http/tiles.ts';
import { zipTiles } from './market/zip-tiles.ts';

export interface AppParts {
  db: Database;
  log: Logger;
  /** Where people reach the interface, base path and all, without a slash at the end */
  apiRoot(): string;
}

const tilesets = [contextTiles, zipTiles];

/** Every operation of the REST interface. */
export const operations = ({ db, apiRoot }: Omit<AppParts, 'log'>) => [
  healthOperation(db),
  mapContextOperation(db),
  ...tilesets.flatMap((tileset) => tileOperations(db, tileset, apiRoot)),
  styleOperation(tilesets, apiRoot),
  fontOperation(),
];

export function createApp(parts: AppParts, options: RouterOptions): Koa {
  const app = new Koa();
  app.on('error', (error) => parts.log.error({ err: error }, 'answer could not be sent'));
  app.use(requestLog(parts.log));
  app.use((ctx, next) => {
    ctx.set('Service-Version', SERVICE_VERSION);
    return next();
  });
  app.use(errorAnswers(parts.log));
  app.use(contractRoutes(operations(parts), options));
  return app;
}
