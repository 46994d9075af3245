/** Takes the list of tools as an argument, because the list contains this tool. */
import { z } from 'zod';
import { EXPORT_PRICE_TEXT } from '../../people/metering/exports.ts';
import type { FiguresMeter } from '../../people/metering/figures.ts';
import { Capabilities, capabilitiesOf } from './capabilities.ts';
import { formatAmount } from '../../territories/own-data/amount-text.ts';
import { tool, type Tool } from './tool.ts';
import { formatCount, pluralize } from '../../base/text/words.ts';

export const getCapabilities = (tools: () => readonly Tool[]) =>
  tool({
    name: 'service_get_capabilities',
    title: 'Get capabilities',
    summary:
      'Get the subscription, units left and used, write access, brand scope, and limits of this caller',
    description: 'Use first. Also lists the brands, own data sets, verticals, and launched metros.',
    units: 1,
    write: false,
    input: z.object({}),
    // tools/list contains the tools, and only callers with access can call this.
    output: Capabilities.omit({ tools: true, accessEnabled: true }),
    example: {},
    async handle(_input, { caller }) {
      const data = await capabilitiesOf(caller, tools());
      const { plan, usage, figures, brandScope, limits } = data;
      const trial = plan.trialEndsAt === null ? '' : ` until ${plan.trialEndsAt.slice(0, 10)}`;
      const brands = brandScope.brands.map(({ slug, name }) => `${slug} (${name})`).join(', ');
      const text = [
        `${data.organization.name}, subscription: ${plan.status}${trial}.`,
        `Units this month: ${formatCount(usage.unitsUsed)} of ${formatCount(usage.unitsIncluded)} used, ` +
          `${formatCount(usage.unitsRemaining)} left until ${usage.resetsAt.slice(0, 10)}. ` +
          `A call costs 1 unit, except ${costly(tools())}.`,
        ...usageText(data),
        figuresText(figures),
        `Exports on the account pages: ${EXPORT_PRICE_TEXT}.`,
        data.whyNot === null
          ? 'Writes: allowed, with confirm: true.'
          : `Writes: denied. ${data.whyNot}`,
        `Brands in scope${brandScope.all ? ' (all)' : ''}: ${brands || 'none'}.`,
        ...dataText(data),
        `Limits: ${pluralize(limits.zipsPerCall, 'ZIP code')} per call, ${limits.requestsPerMinute} calls per minute, ${formatCount(limits.requestsPerDay)} per day.`,
        `Verticals: ${data.verticals.join(', ')}.`,
        `Metros: ${data.metros.join(', ')}.`,
      ].join('\n');
      return { data, text };
    },
  });

/** Number of days in the text. The data has all of them. */
const MAX_DAYS = 7;

function usageText({ usageByTool, usageByDay }: Pick<Capabilities, 'usageByTool' | 'usageByDay'>) {
  if (usageByTool.length === 0) return [];
  const tools = usageByTool.map(
    ({ tool, calls, units }) => `${tool} ${formatCount(units)} (${pluralize(calls, 'call')})`,
  );
  const days = usageByDay.slice(0, MAX_DAYS).map(({ day, units }) => `${day} ${units}`);
  return [`Used by: ${tools.join(', ')}.`, `By day, newest first: ${days.join(', ')}.`];
}

const dataText = ({ dataSets }: Pick<Capabilities, 'dataSets'>): string[] =>
  dataSets.length === 0
    ? []
    : [
        `Own data sets: ${dataSets
          .map(({ slug, name, period, zips, total, ...set }) => {
            const amount = `${set.addsUp === 'mean' ? 'mean ' : ''}${formatAmount(set, total)}`;
            const facts = [name, ...(period === null ? [] : [period]), amount];
            return `${slug} (${facts.join(', ')} in ${pluralize(zips, 'ZIP code')})`;
          })
          .join('; ')}.`,
      ];

const figuresText = ({ zipsIncluded, zipsSeen, zipsRemaining, resetsAt }: FiguresMeter) =>
  zipsIncluded === null
    ? 'Figures: of all ZIP codes.'
    : `Figures this month: of ${formatCount(zipsIncluded)} different ZIP codes, ${formatCount(zipsSeen)} seen, ` +
      `${formatCount(zipsRemaining)} left until ${resetsAt.slice(0, 10)}.`;

const costly = (tools: readonly Tool[]) =>
  tools
    .filter(({ units }) => units > 1)
    .map(({ name, units }) => `${name} (${units})`)
    .join(', ');
