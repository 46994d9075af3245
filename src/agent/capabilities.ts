/** What a caller can do here, and what is left of it: the same for the tool and for REST. */
import { z } from 'zod';
import { hasAccess } from '../account/access.ts';
import type { Caller } from '../account/caller.ts';
import { UsageMeter } from '../contract/usage-meter.ts';
import { KEY_POLICIES, POLICIES } from '../contract/limits.ts';
import { launchedMetros } from '../market/metros.ts';
import { meterOf } from '../metering/meter.ts';
import { VERTICALS } from '../scoring/verticals.ts';
import { listBrands } from '../territory/brands.ts';
import type { Tool } from './tool.ts';
import { MAX_ZIPS_PER_CALL } from './fields.ts';
import { writeHindrance } from './write-hindrance.ts';

/** As the contract's McpToolSummary. */
export const ToolSummary = z
  .object({
    name: z.string(),
    summary: z.string(),
    units: z.int().min(1).meta({ description: 'Billable units of a call that succeeds' }),
    write: z
      .literal(true)
      .optional()
      .meta({ description: 'Changes something, and only with `confirm: true`' }),
  })
  .meta({ id: 'McpToolSummary' });

export const Capabilities = z
  .object({
    accessEnabled: z.boolean().meta({
      description: 'Whether calls are served: there is a subscription or a running trial',
    }),
    organization: z.object({ slug: z.string(), name: z.string() }),
    plan: z.object({
      status: z.enum(['trial', 'active', 'past_due', 'cancelled']),
      trialEndsAt: z.string().nullable(),
      seats: z.int(),
      writeEntitlement: z.boolean(),
    }),
    usage: UsageMeter,
    mayWrite: z.boolean().meta({ description: 'Both the plan and this key or person may' }),
    whyNot: z.string().nullable().meta({ description: 'Why it may not write' }),
    brandScope: z.object({
      all: z.boolean().meta({ description: 'All brands, also those to come' }),
      brands: z.array(z.object({ slug: z.string(), name: z.string() })),
    }),
    limits: z.object({
      zipsPerCall: z.int(),
      requestsPerMinute: z.int(),
      requestsPerDay: z.int(),
    }),
    verticals: z.array(z.string()),
    metros: z.array(z.string()),
    tools: z.array(ToolSummary),
  })
  .meta({ id: 'Capabilities', description: 'What the caller can do, and what is left of it' });

export type Capabilities = z.output<typeof Capabilities>;

/** Of more brands the rest is left out: service_list_brands has them all. */
const BRANDS_TOLD = 100;

export async function capabilitiesOf(
  caller: Caller,
  tools: readonly Tool[],
): Promise<Capabilities> {
  const { organization, tenant, plan, brandScope } = caller;
  const [usage, brands] = await Promise.all([
    meterOf(tenant, plan),
    listBrands(tenant, brandScope, { limit: BRANDS_TOLD }),
  ]);
  const [perMinute, perDay] = KEY_POLICIES.map((name) => POLICIES[name].quota);
  const hindrance = writeHindrance(caller);
  const { status, trialEndsAt, seats, writeEntitlement } = plan;
  return {
    accessEnabled: hasAccess(plan),
    organization: { slug: organization.slug, name: organization.name },
    plan: { status, trialEndsAt, seats, writeEntitlement },
    usage,
    mayWrite: hindrance === undefined,
    whyNot: hindrance ?? null,
    brandScope: {
      all: brandScope === 'all',
      brands: brands.rows.map(({ slug, name }) => ({ slug, name })),
    },
    limits: {
      zipsPerCall: MAX_ZIPS_PER_CALL,
      requestsPerMinute: perMinute!,
      requestsPerDay: perDay!,
    },
    verticals: VERTICALS.map(({ slug }) => slug),
    metros: launchedMetros().map(({ slug }) => slug),
    tools: tools.map(summaryOf),
  };
}

export const summaryOf = ({ name, summary, units, write }: Tool): z.output<typeof ToolSummary> => ({
  name,
  summary,
  units,
  ...(write && { write }),
});
