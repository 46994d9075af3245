/** Reads the examples of a guide: its fenced blocks, with their output. */
import { EXAMPLE_TOKEN } from '../../../../src/territories/share/token.ts';
import type { Guide } from '../../../../src/doors/site/docs/guides.ts';
import { parseGuide, readFenceInfo } from '../../../../src/doors/site/docs/markdown.ts';

export interface Example {
  id: string;
  language: string;
  code: string;
  exitCode: number;
  /** Why the test skips it */
  skip: string | undefined;
  output: ExampleOutput | undefined;
}

export interface ExampleOutput {
  language: 'json' | 'text';
  /** `…` stands for omitted members, elements, lines, or the rest of a line. */
  text: string;
  /** Values in `text` that differ from run to run */
  varies: readonly string[];
}

/** @throws Error for a block that is neither an example with an id nor the output of one */
export function examplesOf({ path, markdown }: Pick<Guide, 'path' | 'markdown'>): Example[] {
  const examples: Example[] = [];
  for (const { type, info, content } of parseGuide(markdown)) {
    if (type !== 'fence') continue;
    const { language, isOutput, attributes } = readFenceInfo(info);
    const id = attributes.get('id')?.[0];
    if (isOutput) {
      const varies = attributes.get('varies') ?? [];
      examples.at(-1)!.output = { ...outputOf(language, content), varies };
    } else if (id === undefined) {
      throw new Error(`${path}: a code block without id=:\n${content}`);
    } else {
      examples.push({
        id,
        language,
        code: content.trimEnd(),
        exitCode: Number(attributes.get('exit')?.[0] ?? 0),
        skip: attributes.get('skip')?.[0],
        output: undefined,
      });
    }
  }
  return examples;
}

function outputOf(language: string, text: string): Pick<ExampleOutput, 'language' | 'text'> {
  if (language === 'json' || language === 'text') return { language, text: text.trimEnd() };
  throw new Error(`The output of an example is json or text, not ${language}.`);
}

export const isWrittenIn = (language: string) => (example: Example) =>
  example.language === language;

const KEY_PLACEHOLDER = 'svc_live_…';
const SHARE_PLACEHOLDER = 'dv2q63xd6z';

/** Replaces what differs between the guides' text and a running service. @param key an API key */
export function placeholders(service: { url: string }, key: string) {
  /** The address that the service shows when BASE_URL is not set. */
  const root = service.url.replace('127.0.0.1', 'localhost');
  return {
    root,
    withCredentials: (code: string) =>
      code.replaceAll(KEY_PLACEHOLDER, key).replaceAll(SHARE_PLACEHOLDER, EXAMPLE_TOKEN),
    /** A guide's examples as the service shows them */
    served: ({ path, markdown }: Guide): Example[] =>
      examplesOf({ path, markdown: markdown.replaceAll('http://localhost:3000', root) }),
  };
}
