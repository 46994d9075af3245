/** The front page of the documentation: three ways in, and all that there is. */
import { describeTags } from '../../../contract/openapi/about.ts';
import type { Operation } from '../../../contract/operation.ts';
import { cards, heading, shell, table, text, type DocPage, type Section } from '../blocks.ts';
import type { DocsSource } from '../documentation.ts';

export const indexPage = ({ roots: { api, site }, operations }: DocsSource): DocPage => ({
  path: '/docs',
  name: 'Overview',
  title: 'Documentation',
  description:
    'Demand scores of ZIP codes, and the territories that are run on them: over REST, over MCP for AI agents, and from the command line.',
  // What was on this page once is where its links lead.
  assets: ['docs/home/script.ts'],
  sections: [
    {
      title: 'Three ways in',
      blocks: [
        text('**[REST](/docs/rest)**, for programs. This needs no key:'),
        shell('index-rest', `curl ${api}/public/metro/dallas-tx/vertical/roofing/best-zips`),
        text(
          '**[MCP](/docs/mcp)**, for AI agents: they score markets, draw and share territories, and ask for changes that people review. What they can call:',
        ),
        shell('index-mcp', `curl ${api}/mcp/info`),
        text('**[The command line](/docs/cli)**, for a terminal and for scripts:'),
        shell('index-cli', `TERRITORY_URL=${api} territory best dallas-tx roofing`),
      ],
    },
    {
      title: 'Guides and reference',
      blocks: [
        cards(
          {
            href: '/docs/maps',
            title: 'Maps and tiles',
            text: 'Styles and vector tiles for MapLibre GL, pictures, share links and embeds.',
          },
          {
            href: '/docs/territories',
            title: 'Territories',
            text: 'Adding, review by people, removing and undoing.',
          },
          {
            href: '/docs/reference',
            title: 'API reference',
            text: 'Every operation with its parameters and answers, to try out.',
          },
          {
            href: '/docs/limits',
            title: 'Limits and units',
            text: 'How often, what a call costs, what a plan includes.',
          },
          {
            href: '/docs/errors',
            title: 'Errors',
            text: 'Every code, what it means and what to do.',
          },
          {
            href: '/docs/versioning',
            title: 'Versioning',
            text: 'What comes without notice, and how ends are announced.',
          },
          {
            href: '/docs/changelog',
            title: 'Changelog',
            text: 'What has changed, the latest first.',
          },
          {
            href: '/methodology',
            title: 'Methodology',
            text: 'How a score from 0 to 100 comes about.',
          },
        ),
      ],
    },
    operationIndex(operations),
    {
      title: 'For language models',
      blocks: [
        text(
          `[llms.txt](${site}/llms.txt) lists all there is, [llms-full.txt](${site}/llms-full.txt) is all of it in one file. Each page here is Markdown with \`.md\` at the end of its address, as at [/docs/rest.md](/docs/rest.md).`,
        ),
      ],
    },
  ],
});

/** Every operation, each leading to its place in the reference. */
function operationIndex(operations: readonly Operation[]): Section {
  const tags = describeTags(operations.map(({ tag }) => tag));
  return {
    title: 'All operations',
    blocks: tags.flatMap(({ name }) => [
      heading(name),
      table(
        name,
        ['Operation', 'What it is'],
        operations
          .filter(({ tag }) => tag === name)
          .map((op) => [
            `[\`${op.method.toUpperCase()} ${op.path}\`](${inReference(op)})`,
            op.summary,
          ]),
      ),
    ]),
  };
}

/** Swagger UI's address of an operation */
const inReference = ({ tag, id }: Operation) => `/docs/reference#/${encodeURIComponent(tag)}/${id}`;
