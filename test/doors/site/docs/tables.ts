/** Generates the tables of the guides from the service's own declarations. */
import { TOOLS } from '../../../../src/doors/tools/tools.ts';
import { MAX_ZIPS_PER_CALL } from '../../../../src/base/contract/limits.ts';
import { COMMANDS } from '../../../../src/doors/cli/territory/commands.ts';
import { EXIT, EXIT_MEANINGS } from '../../../../src/doors/cli/territory/failure.ts';
import { summaryOf, usageOf } from '../../../../src/doors/cli/territory/input.ts';
import { SETTINGS } from '../../../../src/doors/cli/territory/program.ts';
import { IMPORT_FILE_MB, JSON_BODY } from '../../../../src/base/contract/bounds.ts';
import { ERROR_CODES, type ErrorFacts } from '../../../../src/base/contract/error-codes.ts';
import {
  describeCountKey,
  policyOfPath,
  POLICIES,
  type PolicyName,
} from '../../../../src/base/contract/limits.ts';
import { describeTags } from '../../../../src/base/contract/openapi/about.ts';
import { describeParameters } from '../../../../src/base/contract/openapi.ts';
import type { Operation } from '../../../../src/base/contract/operation.ts';
import { EVENTS, PUBLIC_EVENT_TYPES } from '../../../../src/people/events/catalog.ts';
import { VERTICALS } from '../../../../src/data/scoring/verticals.ts';
import { MAX_MB } from '../../../../src/territories/own-data/import/read-upload.ts';
import { MAX_ROWS } from '../../../../src/territories/own-data/limits.ts';
import { SHARE_DAYS } from '../../../../src/territories/share/links.ts';
import { SUBJECTS } from '../../../../src/territories/static/subject.ts';
import { day } from '../../../../src/doors/site/format.ts';
import { formatCount } from '../../../../src/base/text/words.ts';
import { MAX_LINES } from '../../../../src/base/files/rows.ts';
import { MAX_ZIPS_PER_CHANGE } from '../../../../src/territories/brands/validate-zips.ts';

/** @returns the Markdown of each table, by the name that guides use to include it */
export function tables(operations: readonly Operation[]): Record<string, string> {
  return {
    commands: commands(),
    'cli-settings': table(
      ['Variable', 'Meaning'],
      Object.entries(SETTINGS).map(([name, meaning]) => [code(name), meaning]),
    ),
    deprecated: deprecatedTable(operations),
    events: table(
      ['Type', 'When'],
      PUBLIC_EVENT_TYPES.map((type) => [code(type), EVENTS[type].description]),
    ),
    errors: table(
      ['Code', 'Status', 'Meaning', 'What to do'],
      Object.entries<ErrorFacts>(ERROR_CODES).map(([name, { status, meaning, remedy }]) => [
        code(name),
        status === null ? 'in results' : String(status),
        meaning,
        remedy,
      ]),
    ),
    'exit-codes': table(
      ['Code', 'Meaning'],
      (Object.keys(EXIT) as (keyof typeof EXIT)[]).map((name) => [
        String(EXIT[name]),
        EXIT_MEANINGS[name],
      ]),
    ),
    operations: operationTables(operations),
    'picture-parameters': parameters(operations, 'getPublicMapImage'),
    'static-parameters': parameters(operations, 'getStaticMap', /^(?!signer|expires|signature)/),
    'static-subjects': table(
      ['Subject', 'Shows', 'Credential'],
      Object.values(SUBJECTS).map(({ pattern, meaning, isPublic }) => [
        code(pattern),
        meaning,
        isPublic ? 'none' : 'key or signed URL',
      ]),
    ),
    'rate-limits': table(
      ['Policy', 'Requests', 'Counted by', 'Applies to'],
      (Object.keys(POLICIES) as PolicyName[]).map((name) => [
        code(name),
        formatQuota(name),
        describeCountKey(name),
        scopeOfPolicy(name, operations),
      ]),
    ),
    sizes: table(
      ['Size', 'Limit'],
      [
        ['ZIP codes per call of a tool or the API', formatCount(MAX_ZIPS_PER_CALL)],
        ['ZIP codes per change in the account', formatCount(MAX_ZIPS_PER_CHANGE)],
        [
          'Body of a request',
          `${JSON_BODY.bytes / 1024 ** 2} MB, ${formatCount(JSON_BODY.values)} values, ${JSON_BODY.depth} levels of nesting`,
        ],
        ['File to import', `${IMPORT_FILE_MB} MB, ${formatCount(MAX_LINES)} lines`],
        ['File with your own data', `${MAX_MB} MB, ${formatCount(MAX_ROWS)} rows`],
        [
          'Days that a share link is valid',
          `${SHARE_DAYS.min} to ${SHARE_DAYS.max}; ${SHARE_DAYS.default} by default`,
        ],
      ],
    ),
    tools: table(
      ['Tool', 'What it does', 'Units'],
      TOOLS.map(({ name, summary, units, write }) => [
        code(name),
        write ? `${summary}. **Makes changes.**` : summary,
        String(units),
      ]),
    ),
    units: units(),
    verticals: table(
      ['`vertical`', 'Name'],
      VERTICALS.map(({ slug, label }) => [code(slug), label]),
    ),
  };
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}

const code = (text: string) => `\`${text}\``;

function commands(): string {
  return Object.entries(COMMANDS)
    .map(([group, all]) => {
      const rows = all.map((command) => [
        code('calls' in command ? usageOf(command) : command.usage),
        summaryOf(command),
      ]);
      return `### ${group.replace(/:$/, '')}\n\n${table(['Command', 'What it does'], rows)}`;
    })
    .join('\n\n');
}

function operationTables(operations: readonly Operation[]): string {
  return describeTags(operations.map(({ tag }) => tag))
    .map(({ name }) => {
      const rows = operations
        .filter(({ tag }) => tag === name)
        .map((op) => [
          `[${code(`${op.method.toUpperCase()} ${op.path}`)}](${referenceUrl(op)})`,
          op.summary,
        ]);
      return `### ${name}\n\n${table(['Operation', 'What it does'], rows)}`;
    })
    .join('\n\n');
}

/** The address that Swagger UI gives an operation. */
const referenceUrl = ({ tag, id }: Operation) =>
  `http://localhost:3000/docs/reference#/${encodeURIComponent(tag)}/${id}`;

function deprecatedTable(operations: readonly Operation[]): string {
  const rows = operations.flatMap(({ method, path, deprecated: end }) =>
    end
      ? [
          [
            code(`${method.toUpperCase()} ${path}`),
            day(end.since),
            day(end.sunset),
            end.successors.map(code).join(' or '),
          ],
        ]
      : [],
  );
  return table(['Operation', 'Deprecated', 'Removed on', 'Use instead'], rows);
}

/** @param names those to list. Default: all */
function parameters(operations: readonly Operation[], id: string, names = /./): string {
  const found = operations.find((op) => op.id === id);
  const rows = describeParameters(found?.query, 'query')
    .filter(({ name }) => names.test(String(name)))
    .map(({ name, schema, description = '' }) => {
      const { enum: values } = schema as { enum?: string[] };
      const choices = values?.map(code).join(', ');
      return [code(String(name)), [description, choices].filter(Boolean).join(': ')];
    });
  return table(['Parameter', 'Values'], rows);
}

/** The most expensive tools first. */
function units(): string {
  const costs = [...new Set(TOOLS.map((tool) => tool.units))].sort((a, b) => b - a);
  const rows = costs.map((cost) => [
    String(cost),
    TOOLS.filter((tool) => tool.units === cost)
      .map(({ name }) => code(name))
      .join(', '),
  ]);
  return table(['Units', 'Tools'], rows);
}

const NO_BREAK_SPACE = '\u00a0';

const WINDOWS: Record<number, string> = {
  60: 'a minute',
  600: 'in ten minutes',
  3600: 'an hour',
  86_400: 'a day',
};

function formatQuota(name: PolicyName): string {
  const { quota: requests, windowSeconds } = POLICIES[name];
  const text = `${formatCount(requests)} ${WINDOWS[windowSeconds] ?? `in ${windowSeconds} seconds`}`;
  return text.replaceAll(' ', NO_BREAK_SPACE);
}

/** What policies apply to, for policies that no operation declares. */
const OTHER_POLICIES: Partial<Record<PolicyName, string>> = {
  authorize: '`/authorize`, where people connect apps, and the start of a company sign-in',
  locator: 'different ZIP codes and addresses, at all locators of an organization',
  'locator-day': 'the same',
  'signed-lookups': '`/agent/serving.csv` with a signed URL',
  'locator-network': 'the same, of all visitors of a network',
  'locator-repeat': 'the first of equal questions; further ones are free',
  'locator-form': 'forms of people who want to buy a franchise',
  'mcp-day': '`/mcp`, and every other request with an API key',
  register: '`/register`, where connectors register themselves',
  service: 'everything else',
  'sign-in': 'signing up and signing in',
  site: 'pages',
  token: '`/token` and `/revoke`, where connectors get and revoke tokens',
  unauthenticated: 'requests without a valid credential where one is required',
  'well-known': '`/.well-known/*`',
};

/** @throws Error for a policy without operations and without an entry in `OTHER_POLICIES` */
function scopeOfPolicy(name: PolicyName, operations: readonly Operation[]): string {
  const own = operations
    .filter(({ limit, path }) => name !== 'service' && (limit ?? policyOfPath(path)) === name)
    .map(({ path }) => {
      const [folder = path] = /^\/[^/]+\//.exec(path) ?? [];
      // The policy of a folder also applies to paths that don't exist.
      return policyOfPath(folder) === name ? code(`${folder}*`) : code(path);
    });
  const text = own.length > 0 ? [...new Set(own)].join(', ') : OTHER_POLICIES[name];
  if (text === undefined) throw new Error(`Add the policy ${name} to OTHER_POLICIES.`);
  return text;
}
