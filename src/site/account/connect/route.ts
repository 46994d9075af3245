import type { Operation } from '../../../contract/operation.ts';
import { page, type Page } from '../../framework/page.ts';
import type { SiteParts } from '../../framework/visit.ts';
import { loadFrame } from '../load-frame.ts';
import { connectPage } from './view.ts';

export function connectRoutes(parts: SiteParts): Operation[] {
  const connect: Page<'member'> = {
    audience: 'member',
    path: '/account/connect',
    show: async (visit) => connectPage(await loadFrame(parts.db, visit), visit.links),
  };
  return [page(connect, parts)];
}
