/** Every code that an error can have, from the table that the service itself uses. */
import { ERROR_CODES, type ErrorFacts } from '../../../contract/error-codes.ts';
import { json, list, shell, table, text, type DocPage } from '../blocks.ts';
import type { DocsSource } from '../documentation.ts';

export const errorsPage = ({ roots: { api } }: DocsSource): DocPage => ({
  path: '/docs/errors',
  name: 'Errors',
  title: 'Errors',
  description: 'What every error looks like, what its code means, and what to do about it.',
  sections: [
    {
      blocks: [
        text(
          'Every error of the REST interface is an object with `error`, a sentence that says what was wrong and what would be right, and `code`, the same for programs. Branch on `code`; show `error`, whose words may change.',
        ),
        shell(
          'errors-malformed',
          `curl ${api}/public/zip/7520`,
          json(`{ "error": "zip: must be five digits, such as 75201", "code": "bad_request" }`),
        ),
        list(
          'Each answer carries `X-Request-Id`: tell us it when something looks wrong.',
          'Read as few codes as you need: treat one that you do not know by its status.',
          'Only 408, 429 and 503 are worth the same request again; a 500 once.',
        ),
      ],
    },
    {
      title: 'Codes',
      blocks: [
        table(
          'Error codes',
          ['Code', 'Status', 'Meaning', 'What to do'],
          Object.entries<ErrorFacts>(ERROR_CODES).map(([code, { status, meaning, remedy }]) => [
            `\`${code}\``,
            status === null ? 'in results' : String(status),
            meaning,
            remedy,
          ]),
        ),
      ],
    },
    {
      title: 'Errors over MCP',
      blocks: [
        text(
          'What keeps `/mcp` from serving a call at all (401, 402, 403, 429, 503) is told as above. What is wrong with a call of a tool is told in its result, `isError: true`, with `code` and `error` in `structuredContent`: a model can read it and go on.',
        ),
        shell(
          'errors-tool',
          `curl ${api}/mcp \\
  -H "Authorization: Bearer $TERRITORY_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/call",
       "params": {"name": "service_get_zip_profile", "arguments": {"zip": "7520"}}}'`,
          json(`{
  "jsonrpc": "2.0",
  "id": 1,
  "result": {
    "content": […],
    "structuredContent": {
      "code": "bad_request",
      "error": "The input of service_get_zip_profile is wrong: zip: \\"7520\\" is not a text of five digits, such as \\"75201\\"."
    },
    "isError": true
  }
}`),
        ),
        text(
          'What is wrong with a message is an error of JSON-RPC, which has numbers instead of names: `-32700` for what is no JSON, `-32600` for what is no request, `-32601` for an unknown method, `-32602` for an unknown tool.',
        ),
        shell(
          'errors-protocol',
          `curl ${api}/mcp \\
  -H "Authorization: Bearer $TERRITORY_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/call",
       "params": {"name": "service_conquer", "arguments": {}}}'`,
          json(`{
  "jsonrpc": "2.0",
  "id": 1,
  "error": { "code": -32602, "message": "Unknown tool: service_conquer…" }
}`),
        ),
      ],
    },
    {
      title: 'Errors of the sign-in',
      blocks: [
        text(
          'The endpoints by which connectors sign in answer as OAuth has it (RFC 6749, 5.2): an object with `error`, such as `invalid_grant`, and `error_description`. See [MCP](/docs/mcp).',
        ),
      ],
    },
  ],
});
