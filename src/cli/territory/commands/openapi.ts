import { Option } from 'commander';
import { formatEntries } from '../../table.ts';
import { formatter, jsonCall, paragraphs, plainCall, type Command } from '../command.ts';

const METHODS = ['get', 'put', 'post', 'delete'] as const;

/** Loads a schema of the listed part of an OpenAPI document. The contract doesn't describe the operations. */
async function loadSchema() {
  const { z } = await import('zod');
  const operation = z.object({
    summary: z.string().optional(),
    deprecated: z.boolean().optional(),
  });
  return z.object({
    openapi: z.string(),
    info: z.object({ title: z.string(), version: z.string() }),
    paths: z.record(z.string(), z.partialRecord(z.enum(METHODS), operation)),
  });
}

const format = formatter(loadSchema, ({ openapi, info, paths }, layout) =>
  paragraphs(
    `${layout.paint('bold', `${info.title} ${info.version}`)} ` +
      layout.paint('dim', `(OpenAPI ${openapi})`),
    formatEntries(
      layout,
      'Operations',
      Object.entries(paths).flatMap(([path, item]) =>
        METHODS.flatMap((method) => {
          const { summary = '', deprecated } = item[method] ?? {};
          const note = deprecated ? `${summary} (deprecated)` : summary;
          return item[method] ? [{ mark: method.toUpperCase(), name: path, note }] : [];
        }),
      ),
    ),
  ),
);

export const openapi: Command = {
  usage: 'openapi',
  summary: 'show the OpenAPI document of the API',
  options: [new Option('--yaml', 'print the document as YAML').conflicts('json')],
  examples: ['openapi', 'openapi --json', 'openapi --yaml', 'openapi -o openapi.yaml'],
  call: (_operands, { yaml, output }) =>
    yaml || /\.ya?ml$/i.test((output as string | undefined) ?? '')
      ? plainCall({ path: '/openapi.yaml', type: 'application/yaml' })
      : jsonCall('/openapi.json', format),
};
