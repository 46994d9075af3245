/** What the caller can do. */
import { Capabilities, capabilitiesOf, summaryOf } from '../../agent/capabilities.ts';
import { TOOLS } from '../../agent/tools.ts';
import type { Operation } from '../../contract/operation.ts';
import { exampleOf } from '../../contract/resources.ts';
import { UsageMeter } from '../../contract/usage-meter.ts';
import { agentOperation } from './operation.ts';
import { NEVER_KEPT } from './cache-control.ts';

const EXAMPLE = {
  accessEnabled: true,
  organization: { slug: 'acme-home', name: 'Acme Home' },
  plan: { status: 'active', trialEndsAt: null, seats: 5, writeEntitlement: true },
  usage: exampleOf(UsageMeter),
  mayWrite: true,
  whyNot: null,
  brandScope: { all: false, brands: [{ slug: 'acme-roofing', name: 'Acme Roofing' }] },
  limits: { zipsPerCall: 500, requestsPerMinute: 60, requestsPerDay: 2000 },
  verticals: ['roofing', 'hvac'],
  metros: ['dallas-tx', 'houston-tx'],
  tools: TOOLS.slice(0, 3).map(summaryOf),
};

export function capabilitiesOperation(): Operation {
  return agentOperation({
    id: 'getAgentCapabilities',
    method: 'get',
    path: '/agent/capabilities',
    summary: 'What the caller can do, and what is left of it',
    description:
      'The plan and whether calls are served under it, what is used of the monthly units, the ' +
      'brand scope and write entitlement of the credential, and every tool with its units. It costs ' +
      'none: the cheapest way to learn whether `/agent/territory-plan` would be served.',
    answers: {
      200: {
        description: 'Of the organisation and the credential',
        schema: Capabilities,
        example: EXAMPLE,
      },
    },
    handle: async ({ caller }) => ({
      status: 200,
      headers: NEVER_KEPT,
      body: await capabilitiesOf(caller, TOOLS),
    }),
  });
}
