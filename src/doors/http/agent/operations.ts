/** The operations for AI agents and integrations. */
import type { Roots } from '../../../base/contract/openapi/about.ts';
import { type Operation, operation } from '../../../base/contract/operation.ts';
import type { Database } from '../../../base/db/database.ts';
import type { Geocoder } from '../../../data/geocoding/geocoder.ts';
import type { DriveTimes } from '../../../data/routing/drive-times.ts';
import type { WebhookParts } from '../../../territories/notify/webhooks/manage.ts';
import type { MapRenderer } from '../../../maps/cartography/map-renderer.ts';
import { type Documents, DOCUMENT_EXAMPLE, OpenApiDocument } from '../service/openapi.ts';
import { changeOperations } from '../changes/operations.ts';
import { brandGroupOperations } from '../groups/brand-groups.ts';
import { boundaryChangesOperation } from '../census/boundary-changes.ts';
import { censusOperations } from '../census/operations.ts';
import { dataSetOperations } from '../own-data/data-sets.ts';
import { placeOperations } from '../places/places.ts';
import { designOperation } from '../plans/design.ts';
import { locatorOperations } from '../locators/manage.ts';
import { eventsOperation } from '../webhooks/events.ts';
import { planOperations } from '../plans/plans.ts';
import { planMeasureOperations } from '../plans/plan-measures.ts';
import { planShareOperations } from '../plans/plan-shares.ts';
import { deliveryOperations } from '../webhooks/webhook-deliveries.ts';
import { webhookOperations } from '../webhooks/webhooks.ts';
import { recordOperations } from '../record/operations.ts';
import { termsOperations } from '../record/terms.ts';
import { servingOperations } from '../serving/operations.ts';
import { planTerritory } from '../../tools/support/territory-plan.ts';
import { TerritoryPlan, TerritoryPlanRequest } from '../../tools/support/territory-plan-schema.ts';
import { scoreTerritory } from '../../tools/score-territory.ts';
import { exampleOf } from '../../../base/contract/resources.ts';
import { runMetered } from '../../../people/metering/units.ts';
import { SUBSCRIBED, NO_STORE, AGENTS, PRIVATE_FOR_A_DAY } from './shared.ts';
import { z } from 'zod';
import { mcpInfo, McpInfo } from '../../mcp/info.ts';
import { Capabilities, capabilitiesOf, summaryOf } from '../../tools/capabilities.ts';
import { TOOLS } from '../../tools/tools.ts';
import type { SecretBox } from '../../../people/account/secret-box.ts';
import type { Limiter } from '../../../people/metering/limiter.ts';
import { FiguresMeter } from '../../../base/contract/figures-meter.ts';
import { UsageMeter } from '../../../base/contract/usage-meter.ts';
import { Readable } from 'node:stream';
import {
  EXHIBIT_PRICE_TEXT,
  PDF,
  territoryExhibit,
  TerritoryExhibitRequest,
} from '../../tools/support/territory-exhibit.ts';
import { territoryExport, TerritoryExportRequest } from '../../tools/support/territory-export.ts';
import { EXPORT_PRICE_TEXT } from '../../../people/metering/exports.ts';
import { EXPORT_TYPES } from '../../../base/contract/export-formats.ts';
import { EXPORT_EXAMPLES } from './export-examples.ts';

interface AgentParts {
  db: Database;
  renderer: MapRenderer;
  driveTimes: DriveTimes | undefined;
  geocoder: Geocoder | undefined;
  roots: () => Roots;
  /** The OpenAPI documents */
  documents: Documents;
  webhooks: WebhookParts;
  limiter: Limiter;
  /** Signs URLs of lookups */
  signingSecrets: SecretBox;
}

export const agentOperations = ({
  db,
  renderer,
  driveTimes,
  geocoder,
  roots,
  documents,
  webhooks,
  limiter,
  signingSecrets,
}: AgentParts): Operation[] => [
  capabilitiesOperation(),
  territoryPlanOperation(db),
  ...planOperations(db, renderer, driveTimes),
  ...planMeasureOperations(),
  ...dataSetOperations(geocoder),
  ...placeOperations(geocoder),
  ...recordOperations(),
  ...termsOperations(),
  ...servingOperations(geocoder, { db, limiter, signingSecrets, apiRoot: () => roots().api }),
  ...censusOperations(db),
  boundaryChangesOperation(),
  ...brandGroupOperations(),
  ...changeOperations(),
  ...planShareOperations(roots),
  ...locatorOperations(roots),
  eventsOperation(),
  ...webhookOperations(webhooks),
  ...deliveryOperations(),
  designOperation(db, driveTimes),
  territoryExhibitOperation(db, renderer),
  territoryExportOperation(),
  contractAliasOperation(documents),
  manifestOperation(roots),
];

/** Name in the usage records, which list tools */
const METERED_AS = 'territory_plan';

function territoryPlanOperation(db: Database): Operation {
  return operation({
    ...SUBSCRIBED,
    id: 'planTerritory',
    method: 'post',
    path: '/agent/territory-plan',
    summary: 'Plan a territory',
    description:
      'Recommends ZIP codes of a market, best first, with reasons, next steps, and the data behind ' +
      'them. The market is a launched metro or a list of up to 500 ZIP codes. A call costs ' +
      `${scoreTerritory.units} units, like \`service_score_territory\`; failed calls cost nothing. The ` +
      'response contains neither weights nor the full ranking.',
    body: TerritoryPlanRequest,
    bodyExamples: {
      metro: {
        summary: 'Plan a connected territory in a metro',
        value: exampleOf(TerritoryPlanRequest) as typeof TerritoryPlanRequest._zod.input,
      },
      zips: {
        summary: 'Pick the best of a list of ZIP codes',
        value: { zips: ['75201', '75204', '75214', '75205', '75230'], vertical: 'hvac', size: 3 },
      },
    },
    answers: { 200: { description: 'The plan', schema: TerritoryPlan } },
    errors: [402, 404],
    errorExamples: {
      400: 'Give either metro or zips, not both.',
      404: 'No ZIP code of the market (Dallas-Fort Worth-Arlington, TX) meets the constraints. Lower minScore or exclude fewer ZIP codes.',
      503: 'Usage can’t be recorded right now, so the call was refused. Try again.',
    },
    handle: async ({ body, caller }) => {
      const call = { tool: METERED_AS, units: scoreTerritory.units };
      const plan = await runMetered(caller, call, () => planTerritory(db, caller, body));
      return { status: 200, headers: NO_STORE, body: plan };
    },
  });
}

/** Documents at their old paths, kept for older clients. */
function contractAliasOperation(documents: Documents): Operation {
  return operation({
    ...AGENTS,
    id: 'getAgentOpenApi',
    method: 'get',
    path: '/agent/openapi.json',
    summary: 'Get this contract (alias)',
    description: 'The same document as `/openapi.json`. This alias is kept for older clients.',
    answers: {
      200: {
        description: 'The contract',
        schema: OpenApiDocument,
        example: DOCUMENT_EXAMPLE,
        cached: true,
      },
    },
    handle: async () => ({
      status: 200,
      headers: PRIVATE_FOR_A_DAY,
      body: await documents.json('application/json'),
    }),
  });
}

const Manifest = z.looseObject({}).meta({ id: 'McpManifest', description: 'Free-form manifest' });

function manifestOperation(roots: () => Roots): Operation {
  return operation({
    ...AGENTS,
    id: 'getMcpManifest',
    method: 'get',
    path: '/agent/mcp-manifest.json',
    summary: 'Get the MCP manifest',
    description:
      'Deprecated. Use `/mcp/info` or `/.well-known/mcp.json`, which return the same information.',
    deprecated: {
      since: '2026-08-22',
      sunset: '2027-08-22',
      successors: ['/mcp/info', '/.well-known/mcp.json'],
    },
    answers: {
      200: { description: 'The manifest', schema: Manifest, example: exampleOf(McpInfo) },
    },
    handle: async () => ({ status: 200, headers: NO_STORE, body: mcpInfo(roots()) }),
  });
}

/** The caller's subscription, usage, and rights. */
const EXAMPLE = {
  accessEnabled: true,
  organization: { slug: 'acme-home', name: 'Acme Home' },
  plan: { status: 'active', trialEndsAt: null, seats: 5, writeEntitlement: true },
  usage: exampleOf(UsageMeter),
  usageByTool: [{ tool: 'service_score_territory', calls: 100, units: 1000 }],
  usageByDay: [{ day: '2026-08-21', units: 1000, tools: { service_score_territory: 1000 } }],
  figures: exampleOf(FiguresMeter),
  mayWrite: true,
  whyNot: null,
  brandScope: { all: false, brands: [{ slug: 'acme-roofing', name: 'Acme Roofing' }] },
  limits: { zipsPerCall: 500, requestsPerMinute: 60, requestsPerDay: 2000, exportRowsPerUnit: 100 },
  dataSets: [
    {
      slug: 'jobs-2025',
      name: 'Jobs 2025',
      unit: 'count',
      addsUp: 'sum' as const,
      period: '2025',
      zips: 310,
      total: 4120,
    },
  ],
  verticals: ['roofing', 'hvac'],
  metros: ['dallas-tx', 'houston-tx'],
  tools: TOOLS.slice(0, 3).map(summaryOf),
};

function capabilitiesOperation(): Operation {
  return operation({
    ...AGENTS,
    id: 'getAgentCapabilities',
    method: 'get',
    path: '/agent/capabilities',
    summary: 'Get the caller’s capabilities',
    description:
      'Returns the subscription and its status, the meters of units and of ZIP codes with figures, the brand ' +
      'scope and write entitlement of the credential, and every tool with its units. The call costs no units. Use it to check whether ' +
      '`/agent/territory-plan` would be served.',
    answers: {
      200: {
        description: 'Capabilities of the organization and the credential',
        schema: Capabilities,
        example: EXAMPLE,
      },
    },
    handle: async ({ caller }) => ({
      status: 200,
      headers: NO_STORE,
      body: await capabilitiesOf(caller, TOOLS),
    }),
  });
}

/** A brand's territory as a PDF. */
function territoryExhibitOperation(db: Database, renderer: MapRenderer): Operation {
  return operation({
    ...SUBSCRIBED,
    id: 'makeTerritoryExhibit',
    method: 'post',
    path: '/agent/territory-exhibit',
    summary: 'Make a territory exhibit',
    description:
      'Returns a brand’s territory as a PDF to attach to an agreement: totals, maps at 300 dpi, all ' +
      'ZIP codes with figures, pending and removed ones, sources, and a reference that two copies of ' +
      'the same state share. The same state, data, and day (UTC) give the same bytes. A call costs ' +
      `${EXHIBIT_PRICE_TEXT}; failed calls cost nothing.`,
    body: TerritoryExhibitRequest,
    bodyExamples: {
      brand: {
        summary: 'On US Letter',
        value: exampleOf(TerritoryExhibitRequest) as typeof TerritoryExhibitRequest._zod.input,
      },
      scores: {
        summary: 'With scores, on A4',
        value: { brand: 'lone-star-roofing', vertical: 'roofing', paper: 'a4' },
      },
      price: { summary: 'For at most 6 units', value: { brand: 'lone-star-roofing', maxUnits: 6 } },
    },
    answers: { 200: { description: 'The exhibit', type: PDF } },
    errors: [402, 404, 409],
    errorExamples: {
      404: 'Lone Star Roofing holds no ZIP codes yet. Add some, then make the exhibit.',
    },
    handle: async ({ body, caller, signal }) => {
      const made = await territoryExhibit({ db, renderer }, caller, body, signal);
      return {
        status: 200,
        headers: {
          ...NO_STORE,
          'Content-Type': PDF,
          'Content-Disposition': `attachment; filename="${made.fileName}"`,
        },
        body: Readable.from(made.pieces, { objectMode: false }),
      };
    },
  });
}

/** A brand's territory as a file. */
const { xlsx, ...others } = EXPORT_TYPES;
const { csv, geojson } = EXPORT_EXAMPLES;

function territoryExportOperation(): Operation {
  return operation({
    ...SUBSCRIBED,
    id: 'exportTerritory',
    method: 'post',
    path: '/agent/territory-export',
    summary: 'Export a territory',
    description:
      'Returns the ZIP codes that a brand holds, with place, status, and flags, as an Excel workbook, ' +
      'CSV, GeoJSON, KML, or a zipped shapefile. Live ZIP codes also have census figures and scores. An export costs ' +
      `${EXPORT_PRICE_TEXT}; exporting the same ZIP codes again this month is free, in every format.`,
    body: TerritoryExportRequest,
    bodyExamples: {
      workbook: {
        summary: 'As an Excel workbook',
        value: exampleOf(TerritoryExportRequest) as typeof TerritoryExportRequest._zod.input,
      },
      boundaries: {
        summary: 'With boundaries, for at most 2 units',
        value: { brand: 'lone-star-roofing', format: 'geojson', detail: 'street', maxUnits: 2 },
      },
    },
    answers: {
      200: {
        description: 'The file',
        type: xlsx,
        otherTypes: Object.values(others),
        otherExamples: { [others.csv]: csv, [others.geojson]: geojson },
      },
    },
    errors: [402, 404, 409],
    handle: async ({ body, caller }) => {
      const { fileName, content } = await territoryExport(caller, body);
      return {
        status: 200,
        headers: {
          ...NO_STORE,
          'Content-Type': EXPORT_TYPES[body.format],
          'Content-Disposition': `attachment; filename="${fileName}"`,
        },
        body: content,
      };
    },
  });
}
