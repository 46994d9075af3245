/** What the caller can do. The catalogue is handed in: it holds this tool too. */
import { z } from 'zod';
import { Capabilities, capabilitiesOf } from '../capabilities.ts';
import { tool, type Tool } from '../tool.ts';
import { count, counted } from '../../words.ts';

export const getCapabilities = (tools: () => readonly Tool[]) =>
  tool({
    name: 'service_get_capabilities',
    title: 'Get capabilities',
    summary: 'Tells the plan, units left, write entitlement, brand scope and limits of this caller',
    description: 'Use it first. It also lists the brands, the verticals and the launched metros.',
    units: 1,
    write: false,
    input: z.object({}),
    // tools/list tells the tools already, and who has no access gets no answer.
    output: Capabilities.omit({ tools: true, accessEnabled: true }),
    example: {},
    async handle(_input, { caller }) {
      const {
        tools: _tools,
        accessEnabled: _access,
        ...data
      } = await capabilitiesOf(caller, tools());
      const { plan, usage, brandScope, limits } = data;
      const trial = plan.trialEndsAt === null ? '' : ` until ${plan.trialEndsAt.slice(0, 10)}`;
      const brands = brandScope.brands.map(({ slug, name }) => `${slug} (${name})`).join(', ');
      const text = [
        `${data.organization.name}, plan: ${plan.status}${trial}.`,
        `Units this month: ${count(usage.unitsUsed)} of ${count(usage.unitsIncluded)} used, ` +
          `${count(usage.unitsRemaining)} left until ${usage.resetsAt.slice(0, 10)}. ` +
          `A call costs 1, but ${costly(tools())}.`,
        data.whyNot === null
          ? 'It may write, with confirm: true.'
          : `It may not write: ${data.whyNot}`,
        `Brands within reach${brandScope.all ? ' (all of them)' : ''}: ${brands || 'none'}.`,
        `At most ${counted(limits.zipsPerCall, 'ZIP')} a call, ${limits.requestsPerMinute} calls a minute and ${count(limits.requestsPerDay)} a day.`,
        `Verticals: ${data.verticals.join(', ')}.`,
        `Metros: ${data.metros.join(', ')}.`,
      ].join('\n');
      return { data, text };
    },
  });

const costly = (tools: readonly Tool[]) =>
  tools
    .filter(({ units }) => units > 1)
    .map(({ name, units }) => `${name} ${units}`)
    .join(', ');
