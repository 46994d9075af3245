/** All tools in the order of the contract: reads, then writes. */
import type { Tool } from './tool.ts';
import { applyTerritory } from './apply-territory.ts';
import { compareBrandToScores } from './compare-brand-to-scores.ts';
import { discoverZips } from './discover-zips.ts';
import { getActivity } from './get-activity.ts';
import { getBrandHealth } from './get-brand-health.ts';
import { getBrandTerritory } from './get-brand-territory.ts';
import { getCapabilities } from './get-capabilities.ts';
import { getZipProfile } from './get-zip-profile.ts';
import { listBrands } from './list-brands.ts';
import { listPendingReview } from './list-pending-review.ts';
import { listShareLinks } from './list-share-links.ts';
import { queryTargetingTool } from './query-targeting.ts';
import { removeTerritory } from './remove-territory.ts';
import { renderTerritoryMap } from './render-territory-map.ts';
import { revokeShareLink } from './revoke-share-link.ts';
import { scoreTerritory } from './score-territory.ts';
import { shareTerritoryMap } from './share-territory-map.ts';

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
