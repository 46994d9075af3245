import type { Page } from '../../framework/page.ts';
import { connectPage } from './view.ts';

export const connectRoute: Page<'account'> = {
  audience: 'account',
  path: '/account/connect',
  show: ({ caller, links }) => connectPage(caller.organization.name, links),
};
