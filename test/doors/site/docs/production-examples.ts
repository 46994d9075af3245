/** The examples of the guide “Run it in production”, which tests use as they are. */
import { GUIDES } from '../../../../src/doors/site/docs/guides.ts';
import { examplesOf } from './guide-examples.ts';

const guide = GUIDES.find(({ path }) => path === '/docs/production')!;
const examples = examplesOf(guide);

export const productionGuide = guide.markdown;

/** Returns the text of an example. @throws Error for an unknown id */
export function productionExample(id: string): string {
  const example = examples.find((example) => example.id === id);
  if (!example) throw new Error(`The guide has no example ${id}.`);
  return `${example.code}\n`;
}
