/** Name and instructions of the MCP server. */
import { SIGNATURE_NOTATION } from '../tools/support/signature.ts';
import { TITLE } from '../../base/contract/openapi/about.ts';
import { SERVICE_VERSION } from '../../base/contract/version.ts';

export const SERVER_IDENTITY = {
  name: 'territory-intelligence',
  title: TITLE,
  version: SERVICE_VERSION,
};

/** Instructions that a model reads before the tools */
export const INSTRUCTIONS = [
  'Scores every US ZIP code from 0 to 100 for demand in home-services verticals, and manages the territories (ZIP codes) of an organization’s brands.',
  'Start with service_get_capabilities or service_list_brands. Refer to brands by slug, name, or id.',
  'Write tools change nothing without confirm: true; they return a preview (status: preview) to show the person. Requested ZIP codes go live after a human review, which no tool can perform.',
  'Each call costs units (score 10, render and share 5, others 1); failed calls and previews are free. Lists are paged: pass nextCursor as cursor.',
  `A failed call returns code and error. In descriptions of output, ${SIGNATURE_NOTATION}.`,
].join(' ');
