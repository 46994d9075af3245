/** Commands for links that show a plan to anyone who has the link. */
import { Option } from 'commander';
import type { z } from 'zod';
import type { PlanShareBody } from '../../../../agent/plans/share-schema.ts';
import { path } from '../../call.ts';
import { formatter, jsonCall, paragraphs, plainCall, type Command } from '../../command.ts';
import { EXIT, Failure } from '../../failure.ts';
import { parseNumber } from '../../options.ts';

const JSON_TYPE = 'application/json';
type Share = z.output<typeof PlanShareBody>;
const schemas = () => import('../../../../agent/plans/share-schema.ts');

const stateOf = ({ status, expiresAt }: Share) =>
  status === 'active' ? `open until ${expiresAt.slice(0, 10)}` : status;

const formatShare = formatter(
  async () => (await schemas()).PlanShareBody,
  (share, layout) =>
    paragraphs(
      `${layout.paint('bold', share.code)}: ${stateOf(share)}`,
      [
        `  Page     ${share.url}`,
        `  Picture  ${share.pictureUrl}`,
        `  GeoJSON  ${share.boundariesUrl}`,
        `  Style    ${share.styleUrl}`,
      ].join('\n'),
    ),
);

const formatShares = formatter(
  async () => (await schemas()).PlanShareListBody,
  ({ shares }) =>
    shares.map((share) => `${share.code}: ${stateOf(share)}, by ${share.createdBy}`).join('\n') ||
    'No links to this plan yet. Create one with: territory plan-share',
);

export const planShare: Command = {
  usage: 'plan-share <plan>',
  summary: 'create a public, expiring link to a plan; 5 units',
  options: [
    new Option('--days <days>', 'days until it expires, 1 to 365 (default: 30)').argParser(
      parseNumber,
    ),
  ],
  examples: ['plan-share "Dallas 2027"', 'plan-share "Dallas 2027" --days 14'],
  call: ([plan], { days }) => {
    const at = path`/agent/plans/${plan!}/shares`;
    return {
      ...plainCall({ path: at, body: { days }, type: JSON_TYPE }, formatShare),
      needsKey: true,
    };
  },
};

export const planShares: Command = {
  usage: 'plan-shares <plan>',
  summary: 'list the links to a plan',
  examples: ['plan-shares "Dallas 2027"', 'plan-shares "Dallas 2027" --json'],
  call: ([plan]) => ({
    ...jsonCall(path`/agent/plans/${plan!}/shares`, formatShares),
    needsKey: true,
  }),
};

export const planUnshare: Command = {
  usage: 'plan-unshare <plan> <link>',
  summary: 'revoke a link to a plan for everyone',
  options: [new Option('--confirm', 'revoke it; this can’t be undone')],
  examples: ['plan-unshare "Dallas 2027" 4f7k2m9x0q', 'plan-unshare "Dallas, other" 7wq2n8ct5r'],
  call: ([plan, link], { confirm }) => {
    const at = path`/agent/plans/${plan!}/shares`;
    if (!confirm) {
      const message = `Nothing was changed. To revoke the link ${link} for everyone, permanently, add --confirm.`;
      return {
        type: JSON_TYPE,
        needsKey: true,
        format: formatShares,
        async perform(callService) {
          const bytes = await callService({ path: at, type: JSON_TYPE });
          return { bytes, type: JSON_TYPE, failure: new Failure(EXIT.unconfirmed, message) };
        },
      };
    }
    const revoke = `${at}${path`/${link!}/revoke`}`;
    const call = { path: revoke, body: {}, type: JSON_TYPE };
    return { ...plainCall(call, formatShare), needsKey: true };
  },
};
