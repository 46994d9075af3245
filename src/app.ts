/** The way of a request, top to bottom. */
import Koa from 'koa';
import type { Logger } from 'pino';
import { SERVICE_VERSION } from './contract/version.ts';
import type { Database } from './db/database.ts';
import { errorAnswers } from './http/errors.ts';
import { healthOperation } from './http/health.ts';
import { mapContextOperation } from './http/map-context.ts';
import { requestLog } from './http/request-log.ts';
import { contractRoutes, type RouterOptions } from './http/routes.ts';

export interface AppParts {
  db: Database;
  log: Logger;
}

/** Every operation of the REST interface. */
export const operations = ({ db }: Pick<AppParts, 'db'>) => [
  healthOperation(db),
  mapContextOperation(db),
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
