/** A caller's permissions, usage, and limits, for the tool and the REST API. */
import { z } from 'zod';
import { hasAccess, refusalFor, WRITER } from '../../people/account/access.ts';
import type { Caller } from '../../people/account/caller.ts';
import { FiguresMeter } from '../../base/contract/figures-meter.ts';
import { UsageMeter } from '../../base/contract/usage-meter.ts';
import { KEY_POLICIES, POLICIES } from '../../base/contract/limits.ts';
import { launchedMetros } from '../../data/market/metros.ts';
import { EXPORT_PRICE } from '../../people/metering/exports.ts';
import { figuresMeterOf } from '../../people/metering/figures.ts';
import { meterOf } from '../../people/metering/meter.ts';
import { usageOfMonth } from '../../people/metering/usage-days.ts';
import { VERTICALS } from '../../data/scoring/verticals.ts';
import { visibleDataSets } from '../../territories/own-data/viewer-data.ts';
import { listBrands } from '../../territories/brands/list-brands.ts';
import type { Tool } from './tool.ts';
import { MAX_ZIPS_PER_CALL } from '../../base/contract/limits.ts';

export const ToolSummary = z
  .object({
    name: z.string(),
    summary: z.string(),
    units: z.int().min(1).meta({ description: 'Units charged for a successful call' }),
    write: z.literal(true).optional().meta({ description: 'Makes changes; needs `confirm: true`' }),
  })
  .meta({ id: 'McpToolSummary' });

export const Capabilities = z
  .object({
    accessEnabled: z
      .boolean()
      .meta({ description: 'Whether calls are served: an active subscription or trial exists' }),
    organization: z.object({ slug: z.string(), name: z.string() }),
    plan: z.object({
      status: z.enum(['trial', 'active', 'past_due', 'cancelled']),
      trialEndsAt: z.string().nullable(),
      seats: z.int(),
      writeEntitlement: z.boolean(),
    }),
    usage: UsageMeter,
    usageByTool: z
      .array(z.object({ tool: z.string(), calls: z.int(), units: z.int() }))
      .meta({ description: 'This month, most units first' }),
    usageByDay: z
      .array(z.object({ day: z.string(), units: z.int(), tools: z.record(z.string(), z.int()) }))
      .meta({ description: 'This month, newest first, with the units of each tool' }),
    figures: FiguresMeter,
    mayWrite: z
      .boolean()
      .meta({ description: 'Whether both the subscription and this key or person allow writes' }),
    whyNot: z.string().nullable().meta({ description: 'Why writes are denied' }),
    brandScope: z.object({
      all: z.boolean().meta({ description: 'All brands, including future ones' }),
      brands: z.array(z.object({ slug: z.string(), name: z.string() })),
    }),
    limits: z.object({
      zipsPerCall: z.int(),
      requestsPerMinute: z.int(),
      requestsPerDay: z.int(),
      exportRowsPerUnit: z
        .int()
        .meta({ description: 'ZIP codes with figures that a unit pays for in an export' }),
    }),
    dataSets: z
      .array(
        z.object({
          slug: z.string(),
          name: z.string(),
          unit: z.string().meta({ description: '`count`, `dollars`, or words' }),
          addsUp: z.enum(['sum', 'mean']),
          period: z.string().nullable(),
          zips: z.int(),
          total: z.number().meta({ description: 'The sum of the amounts, or their mean' }),
        }),
      )
      .meta({ description: 'The organization’s own amounts by ZIP code' }),
    verticals: z.array(z.string()),
    metros: z.array(z.string()),
    tools: z.array(ToolSummary),
  })
  .meta({ id: 'Capabilities', description: 'Permissions, usage, and limits of the caller' });

export type Capabilities = z.output<typeof Capabilities>;

/** Largest number of brands. service_list_brands returns all of them. */
const MAX_BRANDS = 100;

export async function capabilitiesOf(
  caller: Caller,
  tools: readonly Tool[],
): Promise<Capabilities> {
  const { organization, tenant, subscription, brandScope } = caller;
  const [usage, { byTool, byDay }, figures, brands, dataSets] = await Promise.all([
    meterOf(tenant, subscription),
    usageOfMonth(tenant),
    figuresMeterOf(caller),
    listBrands(tenant, brandScope, { limit: MAX_BRANDS }),
    visibleDataSets(caller),
  ]);
  const [perMinute, perDay] = KEY_POLICIES.map((name) => POLICIES[name].quota);
  const denial = refusalFor(caller, WRITER);
  const { status, trialEndsAt, seats, writeEntitlement } = subscription;
  return {
    accessEnabled: hasAccess(subscription),
    organization: { slug: organization.slug, name: organization.name },
    plan: { status, trialEndsAt, seats, writeEntitlement },
    usage,
    usageByTool: byTool,
    usageByDay: byDay,
    figures,
    mayWrite: denial === undefined,
    whyNot: denial ?? null,
    brandScope: {
      all: brandScope === 'all',
      brands: brands.rows.map(({ slug, name }) => ({ slug, name })),
    },
    limits: {
      zipsPerCall: MAX_ZIPS_PER_CALL,
      requestsPerMinute: perMinute!,
      requestsPerDay: perDay!,
      exportRowsPerUnit: EXPORT_PRICE.rows / EXPORT_PRICE.units,
    },
    dataSets: dataSets.map(({ slug, name, unit, addsUp, period, zipCount, total }) => ({
      slug,
      name,
      unit,
      addsUp,
      period,
      zips: zipCount,
      total,
    })),
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
