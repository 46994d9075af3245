/** The operations for AI agents and integrations. */
import type { Roots } from '../../contract/openapi/about.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Database } from '../../db/database.ts';
import type { Geocoder } from '../../outside/geocoding/geocoder.ts';
import type { DriveTimes } from '../../outside/routing/drive-times.ts';
import type { WebhookParts } from '../../notify/webhooks/manage.ts';
import type { MapRenderer } from '../../cartography/map-renderer.ts';
import type { Documents } from '../service/openapi.ts';
import { brandGroupOperations } from './brand-groups.ts';
import { capabilitiesOperation } from './capabilities.ts';
import { contractAliasOperation, manifestOperation } from './documents.ts';
import { dataSetOperations } from './data-sets.ts';
import { designOperation } from './design.ts';
import { eventsOperation } from './events.ts';
import { planOperations } from './plans.ts';
import { planMeasureOperations } from './plan-measures.ts';
import { planShareOperations } from './plan-shares.ts';
import { territoryExhibitOperation } from './territory-exhibit.ts';
import { territoryExportOperation } from './territory-export.ts';
import { territoryPlanOperation } from './territory-plan.ts';
import { deliveryOperations } from './webhook-deliveries.ts';
import { webhookOperations } from './webhooks.ts';

export interface AgentParts {
  db: Database;
  renderer: MapRenderer;
  driveTimes: DriveTimes | undefined;
  geocoder: Geocoder | undefined;
  roots: () => Roots;
  /** The OpenAPI documents */
  documents: Documents;
  webhooks: WebhookParts;
}

export const agentOperations = ({
  db,
  renderer,
  driveTimes,
  geocoder,
  roots,
  documents,
  webhooks,
}: AgentParts): Operation[] => [
  capabilitiesOperation(),
  territoryPlanOperation(db),
  ...planOperations(db, renderer, driveTimes),
  ...planMeasureOperations(),
  ...dataSetOperations(geocoder),
  ...brandGroupOperations(),
  ...planShareOperations(roots),
  eventsOperation(),
  ...webhookOperations(webhooks),
  ...deliveryOperations(),
  designOperation(db, driveTimes),
  territoryExhibitOperation(db, renderer),
  territoryExportOperation(),
  contractAliasOperation(documents),
  manifestOperation(roots),
];
