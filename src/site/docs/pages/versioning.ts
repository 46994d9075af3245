/** What may change without notice, what is announced, and what goes away. */
import { deprecationHeaders } from '../../../contract/deprecation.ts';
import type { Operation } from '../../../contract/operation.ts';
import { SERVICE_VERSION } from '../../../contract/version.ts';
import { day } from '../../format.ts';
import { list, output, shell, table, text, type Block, type DocPage } from '../blocks.ts';
import type { DocsSource } from '../documentation.ts';
import { exportKey } from './common.ts';

export const versioningPage = ({ roots: { api }, operations }: DocsSource): DocPage => ({
  path: '/docs/versioning',
  name: 'Versioning',
  title: 'Versioning and deprecation',
  description:
    'The interface is versioned by date: what comes without notice, and how what goes away is announced.',
  sections: [
    {
      blocks: [
        text(
          `The current version is **${SERVICE_VERSION}**. It is the \`info.version\` of the [OpenAPI document](${api}/openapi.json), and every answer names it:`,
        ),
        shell(
          'versioning-header',
          `curl -sI ${api}/healthz | grep -i service-version`,
          output(`Service-Version: ${SERVICE_VERSION}`),
        ),
        text(
          'There is no version in the paths: what works today goes on working under its address.',
        ),
      ],
    },
    {
      title: 'Without notice',
      blocks: [
        text('These come at any time. Clients must ignore what they do not know.'),
        list(
          'new endpoints, tools and error codes',
          'new optional fields of requests',
          'new fields of answers',
          'new members of enumerations',
          'other words in `error`, in texts and on pages',
        ),
      ],
    },
    {
      title: 'With notice',
      blocks: [
        text(
          'That an endpoint or a field of an answer goes away, or comes to mean something else, is announced first. At least **a year** passes between the day of the announcement and the end, and nothing goes before its end. What is deprecated is marked `deprecated: true` in the contract, and tells it in three headers:',
        ),
        ...deprecationExample(operations, api),
        list(
          '`Deprecation`: since when, in seconds since 1970 (RFC 9745)',
          '`Sunset`: the end (RFC 8594)',
          '`Link` with `rel="successor-version"`: what to use instead',
        ),
        text(
          'Have your client log these headers: it will know of an end before you do. `territory` tells them on standard error.',
        ),
      ],
    },
    {
      title: 'Deprecated now',
      blocks: [
        table(
          'What is deprecated',
          ['Operation', 'Since', 'Ends', 'Instead'],
          deprecatedOf(operations).map(({ method, path, deprecated }) => [
            `\`${method.toUpperCase()} ${path}\``,
            day(deprecated.since),
            day(deprecated.sunset),
            deprecated.successors.map((successor) => `\`${successor}\``).join(' or '),
          ]),
        ),
        text('What has changed is in the [changelog](/docs/changelog).'),
      ],
    },
  ],
});

type Deprecated = Operation & Required<Pick<Operation, 'deprecated'>>;

const deprecatedOf = (operations: readonly Operation[]) =>
  operations.filter((op): op is Deprecated => op.deprecated !== undefined);

/** Of the first that is deprecated, if anything is. */
function deprecationExample(operations: readonly Operation[], api: string): Block[] {
  const [op] = deprecatedOf(operations);
  if (!op) return [];
  const lines = Object.entries(deprecationHeaders(op.deprecated, api)).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return [
    exportKey('versioning-key'),
    shell(
      'versioning-deprecated',
      `curl -sI ${api}${op.path} \\
  -H "Authorization: Bearer $TERRITORY_API_KEY" \\
  | grep -iE 'deprecation|sunset|link'`,
      output(lines.join('\n')),
    ),
  ];
}
