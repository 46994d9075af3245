/** Who the server says it is. */
import { TITLE } from '../contract/openapi/about.ts';
import { SERVICE_VERSION } from '../contract/version.ts';

export const SERVER_IDENTITY = {
  name: 'territory-intelligence',
  title: TITLE,
  version: SERVICE_VERSION,
};

/** For a model, before it has seen any tool. */
export const INSTRUCTIONS = [
  'Scores every US ZIP from 0 to 100 for demand in home-services verticals, and keeps the territories (ZIPs) of an organisation’s brands.',
  'Start with service_get_capabilities or service_list_brands. Brands are named by slug, name or id.',
  'Writes do nothing without confirm: true; without it they answer a preview to show the person. Applied ZIPs wait for a human review, which no tool can decide.',
  'Each call costs units (score 10, render and share 5, others 1); failed calls and previews cost none. Lists are paged: give nextCursor as cursor.',
].join(' ');
