/** The API in Markdown for language models (llmstxt.org), generated from the declarations. */
import { newSchemas } from '../../../base/contract/openapi/schema.ts';
import type { Tool } from '../../tools/tool.ts';
import { TOOLS } from '../../tools/tools.ts';
import { ABSTRACT, describeTags, TITLE, type Roots } from '../../../base/contract/openapi/about.ts';
import { describeErrors } from '../../../base/contract/openapi/errors.ts';
import { describeParameters } from '../../../base/contract/openapi.ts';
import { policyOfPath, POLICIES } from '../../../base/contract/limits.ts';
import type { AnswerDeclaration, Operation } from '../../../base/contract/operation.ts';
import { SERVICE_VERSION } from '../../../base/contract/version.ts';
import { addressesOf, resourceMetadataUrl } from '../../../people/oauth/discovery.ts';
import { launchedMetros } from '../../../data/market/metros.ts';
import { VERTICALS } from '../../../data/scoring/verticals.ts';
import { GUIDES, type Guide } from '../docs/guides.ts';
import { guideMarkdown } from '../docs/markdown.ts';
import { Links } from '../links.ts';

/** A link to each guide and operation. */
export function llmsText(operations: readonly Operation[], roots: Roots): string {
  const { api, site } = roots;
  return document([
    ...opening(roots),
    '## Documentation',
    list([
      ...GUIDES.map(({ path, title, description }) =>
        link(title, `${site}${path}.md`, description),
      ),
      link('API reference', `${site}/docs/reference`, 'every operation, with examples'),
      link('Full text of this file', `${site}/llms-full.txt`, 'every operation, in Markdown'),
      link('OpenAPI 3.1, JSON', `${api}/openapi.json`, 'the contract'),
      link('OpenAPI 3.1, YAML', `${api}/openapi.yaml`, 'the contract'),
      link('Methodology', `${site}/methodology`, 'how scores are computed'),
      link('MCP server', `${api}/mcp/info`, 'its tools and their units, and how to connect'),
      link(
        'OAuth for connectors',
        resourceMetadataUrl(addressesOf(roots)),
        'how to get access tokens for the MCP server',
      ),
      link('Data study', `${site}/data-study`, 'every launched vertical in every metro'),
    ]),
    ...byTag(operations).flatMap(([tag, ofTag]) => [
      `## ${tag}`,
      list(ofTag.map((op) => link(`${title(op)}`, api + exampleOrTemplate(op), summaryOf(op)))),
    ]),
  ]);
}

/**
 * The whole documentation in one file: operations with their parameters, responses, and limits; tools;
 * guides.
 */
export function llmsFullText(operations: readonly Operation[], roots: Roots): string {
  return document([
    ...opening(roots),
    '## Verticals',
    list(VERTICALS.map(({ slug, label }) => `\`${slug}\`: ${label}`)),
    '## Metros',
    list(launchedMetros().map(({ slug, fullName }) => `\`${slug}\`: ${fullName}`)),
    ...byTag(operations).flatMap(([tag, ofTag]) => [
      `## ${tag}`,
      ...ofTag.flatMap((op) => describe(op)),
    ]),
    '## MCP tools',
    `Called with \`tools/call\` at ${roots.api}/mcp.`,
    list(TOOLS.map(describeTool)),
    ...GUIDES.map((guide) => guideText(guide, roots)),
  ]);
}

/** A guide in this file, with its headings one level lower. */
const guideText = ({ markdown }: Guide, roots: Roots) =>
  guideMarkdown(markdown, new Links(roots))
    .trim()
    .replaceAll(/^#+ \S/gm, (heading) => `#${heading}`);

function opening({ api }: Roots): string[] {
  return [
    `# ${TITLE}`,
    `> ${ABSTRACT}`,
    `The API root is ${api}; the contract's version is ${SERVICE_VERSION}. Errors are JSON with ` +
      '`error`, a sentence, and usually `code`. The `RateLimit` header of every response shows the ' +
      'requests left. After a 429, wait for the seconds in `Retry-After`.',
  ];
}

function describe(op: Operation): string[] {
  const { quota, windowSeconds } = POLICIES[op.limit ?? policyOfPath(op.path)];
  const parameters = [
    ...describeParameters(op.params, 'path'),
    ...describeParameters(op.query, 'query'),
  ];
  const facts = [
    `Credential: ${credentialsOf(op)}`,
    `Limit: ${quota} requests in ${windowSeconds} seconds`,
    ...(op.deprecated
      ? [`Deprecated; ends ${op.deprecated.sunset}; use ${op.deprecated.successors.join(' or ')}`]
      : []),
  ];
  const errors = Object.entries(describeErrors(op, newSchemas()));
  return [
    `### ${title(op)}`,
    `${op.summary}. ${op.description}`,
    list(facts),
    ...(parameters.length > 0 ? ['Parameters:', list(parameters.map(describeParameter))] : []),
    ...Object.entries(op.answers).flatMap(([status, answer]) => describeAnswer(status, answer)),
    'Errors:',
    list(errors.map(([status, { description }]) => `${status}: ${String(description)}`)),
  ];
}

const describeTool = ({ name, summary, units, write }: Tool) =>
  `\`${name}\`: ${summary} (${units} ${units === 1 ? 'unit' : 'units'}` +
  `${write ? ', makes changes with `confirm: true`' : ''})`;

const CREDENTIALS: Record<Operation['auth'], string> = {
  none: 'none',
  'bearer-if-private':
    'none for what is public; else a signed URL, or an API key as `Authorization: Bearer`',
  'bearer-or-connector':
    'API key as `Authorization: Bearer`, or an access token (OAuth 2.1) for `/mcp` or the whole API',
  'bearer-or-session':
    'API key or access token for the whole API as `Authorization: Bearer`, or a signed-in session',
};

const credentialsOf = ({ auth, refusesAccessTokens }: Operation) =>
  refusesAccessTokens
    ? 'API key as `Authorization: Bearer`, or a signed-in session'
    : CREDENTIALS[auth];

type Parameter = ReturnType<typeof describeParameters>[number];

function describeParameter({ name, in: place, required, description, schema, example }: Parameter) {
  const { enum: values } = schema as { enum?: unknown[] };
  return [
    `\`${name}\` (${place}, ${required ? 'required' : 'optional'})`,
    ...(description ? [`: ${description}`] : []),
    ...(values ? [`; one of ${values.map((value) => `\`${String(value)}\``).join(', ')}`] : []),
    ...(example === undefined ? [] : [`; for example \`${String(example)}\``]),
  ].join('');
}

function describeAnswer(status: string, answer: AnswerDeclaration): string[] {
  if ('empty' in answer) return [`${status} (no body): ${answer.description}`];
  const types = 'type' in answer ? [answer.type] : (answer.types ?? ['application/json']);
  const heading = `${status} (${types.join(', ')}): ${answer.description}`;
  if (answer.example === undefined) return [heading];
  const text = 'type' in answer ? answer.example : JSON.stringify(answer.example);
  return [heading, `\`\`\`${'type' in answer ? '' : 'json'}\n${String(text).trimEnd()}\n\`\`\``];
}

const title = ({ method, path }: Operation) => `${method.toUpperCase()} ${path}`;

const summaryOf = ({ summary, deprecated }: Operation) =>
  deprecated ? `${summary} (deprecated)` : summary;

/** Replaces parameters with their examples, because agents follow links literally. */
function exampleOrTemplate(op: Operation): string {
  const examples = new Map(
    [...describeParameters(op.params, 'path'), ...describeParameters(op.query, 'query')].map(
      ({ name, example }) => [name as string, example],
    ),
  );
  const path = op.path.replaceAll(/\{(\w+)\}/g, (template, name: string) => {
    const example = examples.get(name);
    return example === undefined ? template : encodeURIComponent(String(example));
  });
  const query = Object.entries(op.query?.shape ?? {})
    .filter(([name]) => examples.get(name) !== undefined)
    .map(([name]) => `${name}=${String(examples.get(name))}`);
  return query.length > 0 ? `${path}?${query.join('&')}` : path;
}

/** Operations by tag, in the OpenAPI document's order of tags. */
function byTag(operations: readonly Operation[]): [string, Operation[]][] {
  return describeTags(operations.map(({ tag }) => tag)).map(({ name }) => [
    name,
    operations.filter(({ tag }) => tag === name),
  ]);
}

const link = (text: string, url: string, what: string) => `[${text}](${url}): ${what}`;
const list = (items: readonly string[]) => items.map((item) => `- ${item}`).join('\n');
const document = (blocks: readonly string[]) => `${blocks.join('\n\n')}\n`;
