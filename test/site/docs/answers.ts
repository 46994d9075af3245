/** Holds what an example says it answers against what really comes. */
import type { ExampleAnswer } from '../../../src/site/docs/blocks.ts';

/** @returns what differs, in sentences; nothing where all is as shown */
export function differences(
  { language, text, varies = [] }: ExampleAnswer,
  real: string,
): string[] {
  if (language === 'text')
    return pattern(text, varies).test(tidy(real)) ? [] : [notLike(text, real)];
  return differing(withMarks(text), JSON.parse(real), new Set(varies), 'the answer');
}

const notLike = (text: string, real: string) => `shown:\n${text}\nreal:\n${tidy(real)}`;

const tidy = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();

/** `…` stands for anything, also for several lines; what varies for anything without a space. */
function pattern(text: string, varies: readonly string[]): RegExp {
  const literal = (part: string) =>
    varies.reduce(
      (expression, varying) => expression.replaceAll(escaped(varying), String.raw`\S+`),
      escaped(part),
    );
  return new RegExp(`^${tidy(text).split('…').map(literal).join('[^]*?')}$`);
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/** JSON in which members or elements were left out: they become a member or an element named `…`. */
function withMarks(text: string): unknown {
  const marked = text.replaceAll(/"(?:[^"\\]|\\.)*"|…(?=\s*([\]}]))/g, (whole, end?: string) =>
    end === undefined ? whole : end === ']' ? '"…"' : '"…": "…"',
  );
  return JSON.parse(marked);
}

function differing(
  shown: unknown,
  real: unknown,
  varies: ReadonlySet<string>,
  where: string,
): string[] {
  if (Array.isArray(shown)) {
    if (!Array.isArray(real)) return [`${where} is no list`];
    const isPart = shown.at(-1) === '…';
    const elements = isPart ? shown.slice(0, -1) : shown;
    if (isPart ? real.length < elements.length : real.length !== elements.length) {
      return [`${where} has ${real.length} elements`];
    }
    return elements.flatMap((element, i) => differing(element, real[i], varies, `${where}[${i}]`));
  }
  if (typeof shown === 'object' && shown !== null) {
    if (typeof real !== 'object' || real === null) return [`${where} is no object`];
    const { '…': isPart, ...members } = shown as Record<string, unknown>;
    const unknown = Object.keys(real).filter((key) => !(key in members));
    return [
      ...(isPart || unknown.length === 0 ? [] : [`${where} also has ${unknown.join(', ')}`]),
      ...Object.entries(members).flatMap(([key, value]) =>
        key in real
          ? differing(value, (real as Record<string, unknown>)[key], varies, `${where}.${key}`)
          : [`${where} has no ${key}`],
      ),
    ];
  }
  if (varies.has(String(shown))) {
    return typeof real === typeof shown ? [] : [`${where} is ${JSON.stringify(real)}`];
  }
  const isSame =
    typeof shown === 'string' && typeof real === 'string'
      ? pattern(shown, []).test(real.trim())
      : shown === real;
  return isSame ? [] : [`${where} is ${JSON.stringify(real)}, not ${JSON.stringify(shown)}`];
}
