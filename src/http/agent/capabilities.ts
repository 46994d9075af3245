/** The caller's plan, usage, and rights. */
import type { Caller } from '../../account/caller.ts';
import { Capabilities, capabilitiesOf, summaryOf } from '../../agent/capabilities.ts';
import { TOOLS } from '../../agent/tools.ts';
import { operation, type Operation } from '../../contract/operation.ts';
import { exampleOf } from '../../contract/resources.ts';
import { FiguresMeter } from '../../contract/figures-meter.ts';
import { UsageMeter } from '../../contract/usage-meter.ts';
import { AGENTS, NO_STORE } from './shared.ts';

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
      ...{ slug: 'jobs-2025', name: 'Jobs 2025', unit: 'count', addsUp: 'sum' as const },
      ...{ period: '2025', zips: 310, total: 4_120 },
    },
  ],
  verticals: ['roofing', 'hvac'],
  metros: ['dallas-tx', 'houston-tx'],
  tools: TOOLS.slice(0, 3).map(summaryOf),
};

export function capabilitiesOperation(): Operation {
  return operation({
    ...AGENTS,
    id: 'getAgentCapabilities',
    method: 'get',
    path: '/agent/capabilities',
    summary: 'Get the caller’s capabilities',
    description:
      'Returns the plan and its status, the meters of units and of ZIP codes with figures, the brand ' +
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
      body: await capabilitiesOf(caller as Caller, TOOLS),
    }),
  });
}
