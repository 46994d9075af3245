/** `territory openapi`: the contract of the API. */
import { Option } from 'commander';
import { z } from 'zod';
import { entries } from '../../table.ts';
import { jsonCall, paragraphs, plainCall, reading, type Command } from '../command.ts';

const Operation = z
  .object({ summary: z.string().default(''), deprecated: z.boolean().optional() })
  .optional();

/** As much of it as is listed. */
const Document = z.object({
  openapi: z.string(),
  info: z.object({ title: z.string(), version: z.string() }),
  paths: z.record(
    z.string(),
    z.object({ get: Operation, put: Operation, post: Operation, delete: Operation }),
  ),
});

const text = reading(Document, ({ openapi, info, paths }, paper) =>
  paragraphs(
    `${paper.paint('bold', `${info.title} ${info.version}`)} ` +
      paper.paint('dim', `(OpenAPI ${openapi})`),
    entries(
      paper,
      'Operations',
      Object.entries(paths).flatMap(([path, operations]) =>
        Object.entries(operations).map(([method, { summary, deprecated }]) => ({
          mark: method.toUpperCase(),
          name: path,
          note: deprecated ? `${summary} (deprecated)` : summary,
        })),
      ),
    ),
  ),
);

export const openapi: Command = {
  usage: 'openapi',
  summary: 'the contract of the API',
  options: [new Option('--yaml', 'the document as YAML').conflicts('json')],
  examples: ['openapi', 'openapi --json', 'openapi --yaml', 'openapi -o openapi.yaml'],
  call: (_operands, { yaml, output }) =>
    yaml || /\.ya?ml$/i.test((output as string | undefined) ?? '')
      ? plainCall({ path: '/openapi.yaml', type: 'application/yaml' })
      : jsonCall('/openapi.json', text),
};
