/** How much there is of everything, from the tables by which the service counts. */
import { TRIAL } from '../../../account/plans.ts';
import { MAX_ZIPS_PER_CALL } from '../../../agent/fields.ts';
import { TOOLS } from '../../../agent/tools.ts';
import {
  countedBy,
  KEY_POLICIES,
  policyBeneath,
  POLICIES,
  type LimitPolicy,
  type PolicyName,
} from '../../../contract/limits.ts';
import type { Operation } from '../../../contract/operation.ts';
import { SHARE_DAYS } from '../../../share/links.ts';
import { MAX_ZIPS_PER_CHANGE } from '../../../territory/zip-list.ts';
import { count, listed } from '../../format.ts';
import { list, output, shell, table, text, type DocPage } from '../blocks.ts';
import type { DocsSource } from '../documentation.ts';

export const limitsPage = ({ roots: { api }, operations }: DocsSource): DocPage => ({
  path: '/docs/limits',
  name: 'Limits and units',
  title: 'Limits and units',
  description: 'How often each part may be called, what a call costs, and what a plan includes.',
  sections: [
    {
      title: 'Rate limits',
      blocks: [
        text(
          'Every answer tells where you stand, also those that went well. Wait before you are made to:',
        ),
        shell(
          'limits-headers',
          `curl -sI ${api}/public/zip/75201 | grep -i ratelimit`,
          output(`RateLimit: "public";r=…;t=…
RateLimit-Policy: "public";q=${POLICIES.public.quota};w=${POLICIES.public.windowSeconds}
X-RateLimit-Limit: ${POLICIES.public.quota}
X-RateLimit-Remaining: …
X-RateLimit-Reset: …`),
        ),
        list(
          '`RateLimit-Policy` tells the quota `q` of a window of `w` seconds, `RateLimit` what is left of it, `r`, and in how many seconds it is whole again, `t` (IETF draft, structured fields).',
          '`X-RateLimit-Limit`, `-Remaining` and `-Reset` tell the same of the tightest limit, where several hold; `-Reset` in seconds since 1970.',
          'Too many are 429, `rate_limited`, with `Retry-After` in seconds. Clients that wait for it are never locked out.',
          `A call made with a key also spends the key’s own budget, ${perKey()}, wherever it goes. It is counted in the database: the same at every process, and through restarts.`,
        ),
        text('Of several paths that fit, the most exact one decides.'),
        table(
          'Rate limits by policy',
          ['Policy', 'Requests', 'Counted by', 'Holds for'],
          (Object.keys(POLICIES) as PolicyName[]).map((name) => [
            `\`${name}\``,
            requests(POLICIES[name]),
            countedBy(name),
            holdsFor(name, operations),
          ]),
        ),
      ],
    },
    {
      title: 'Units',
      blocks: [
        text(
          `A call with a key costs units of the plan’s month, which begins on the first, UTC. They are taken before the work and given back where it fails, so that a call that fails costs nothing, and two that race for the last unit never both get it. What a call of each tool costs:`,
        ),
        table('Units of the tools', ['Units', 'Tools'], unitRows()),
        list(
          `\`POST /agent/territory-plan\` costs as much as \`service_score_territory\`. \`GET /agent/capabilities\` costs nothing, and tells what is left.`,
          'A preview, and a change that was done before under the same `idempotencyKey`, cost nothing.',
          'Each page of a list is a call.',
          'Once too few are left the answer is 402, `usage_quota_exceeded`, with the meter as `usage`; while usage cannot be recorded it is 503, and nothing is served.',
        ),
      ],
    },
    {
      title: 'Plans',
      blocks: [
        text(
          `An organisation begins with a trial of ${TRIAL.days} days: ${count(TRIAL.monthlyUnits)} units a month, ${TRIAL.seats} seats, and ${TRIAL.writeEntitlement ? 'changes included' : 'without changes'}. After it, calls with a key are 402, \`subscription_required\`, until there is a subscription; what is public goes on. [Your account](/account) shows the plan and the meter.`,
        ),
      ],
    },
    {
      title: 'Sizes',
      blocks: [
        list(
          `A call of a tool or of the API takes at most ${count(MAX_ZIPS_PER_CALL)} ZIP codes.`,
          `A change in [your account](/account) takes at most ${count(MAX_ZIPS_PER_CHANGE)}. Files with more are split up there.`,
          `A share link is open for ${SHARE_DAYS.min} to ${SHARE_DAYS.max} days, ${SHARE_DAYS.default} unless asked otherwise.`,
          'Other bounds stand with each parameter in the [API reference](/docs/reference) and in the input of each tool.',
        ),
      ],
    },
  ],
});

const WINDOWS: Record<number, string> = { 60: 'a minute', 600: 'in ten minutes', 86_400: 'a day' };

const requests = ({ quota, windowSeconds }: LimitPolicy) =>
  `${count(quota)} ${WINDOWS[windowSeconds] ?? `in ${windowSeconds} seconds`}`;

const perKey = () => listed(KEY_POLICIES.map((name) => requests(POLICIES[name])));

/** A test keeps it from being shown. */
const UNTOLD = '?';

/** Of those that no operation is declared with */
const OTHERWISE: Readonly<Record<string, string>> = {
  'mcp-day': '`/mcp`, and whatever else is called with a key',
  'well-known': '`/.well-known/*`',
  unauthenticated: 'requests without a valid credential, where one is needed',
  'sign-in': 'signing up and in',
  authorize: '`/authorize`, where connectors sign in',
  token: '`/token` and `/revoke`, where connectors get and end their tokens',
  register: '`/register`, where connectors register themselves',
  site: 'pages',
};

/** @returns the paths that a policy is declared for, or what else it holds for; Markdown */
function holdsFor(name: PolicyName, operations: readonly Operation[]): string {
  if (name === 'service') return 'all else';
  const own = operations
    .filter(({ limit, path }) => (limit ?? policyBeneath(path)) === name)
    .map(({ path }) => {
      const [part = path] = /^\/[^/]+\//.exec(path) ?? [];
      // Also of what is not there
      return policyBeneath(part) === name ? `\`${part}*\`` : `\`${path}\``;
    });
  return own.length > 0 ? [...new Set(own)].join('\n') : (OTHERWISE[name] ?? UNTOLD);
}

/** The dearest first. */
function unitRows(): string[][] {
  const costs = [...new Set(TOOLS.map(({ units }) => units))].sort((a, b) => b - a);
  return costs.map((units) => [
    String(units),
    TOOLS.filter((tool) => tool.units === units)
      .map(({ name }) => `\`${name}\``)
      .join(', '),
  ]);
}
