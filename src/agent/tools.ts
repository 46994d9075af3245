/** All tools in the order of the contract: reads, then writes. */
import type { Tool } from './tool.ts';
import { applyTerritory } from './tools/apply-territory.ts';
import { compareBrandToScores } from './tools/compare-brand-to-scores.ts';
import { discoverZips } from './tools/discover-zips.ts';
import { getActivity } from './tools/get-activity.ts';
import { getBrandHealth } from './tools/get-brand-health.ts';
import { getBrandTerritory } from './tools/get-brand-territory.ts';
import { getCapabilities } from './tools/get-capabilities.ts';
import { getZipProfile } from './tools/get-zip-profile.ts';
import { listBrands } from './tools/list-brands.ts';
import { listPendingReview } from './tools/list-pending-review.ts';
import { listShareLinks } from './tools/list-share-links.ts';
import { queryTargetingTool } from './tools/query-targeting.ts';
import { removeTerritory } from './tools/remove-territory.ts';
import { renderTerritoryMap } from './tools/render-territory-map.ts';
import { revokeShareLink } from './tools/revoke-share-link.ts';
import { scoreTerritory } from './tools/score-territory.ts';
import { shareTerritoryMap } from './tools/share-territory-map.ts';

export const TOOLS: readonly Tool[] = [
  getCapabilities(() => TOOLS),
  listBrands,
  scoreTerritory,
  getBrandTerritory,
  compareBrandToScores,
  queryTargetingTool,
  getZipProfile,
  discoverZips,
  listPendingReview,
  getBrandHealth,
  getActivity,
  listShareLinks,
  renderTerritoryMap,
  applyTerritory,
  removeTerritory,
  shareTerritoryMap,
  revokeShareLink,
];
