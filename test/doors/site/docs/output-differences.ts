/** Compares the output that an example shows with its real output. */
import type { ExampleOutput } from './guide-examples.ts';

/** @returns the differences as sentences; empty if the output is as shown */
export function differences({ language, text, varies }: ExampleOutput, real: string): string[] {
  if (language === 'text')
    return patternOf(text, varies).test(trimLines(real)) ? [] : [describeMismatch(text, real)];
  return compare(parseWithOmissions(text), JSON.parse(real), new Set(varies), 'the output');
}

const describeMismatch = (text: string, real: string) =>
  `shown:\n${text}\nreal:\n${trimLines(real)}`;

const trimLines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();

/** `…` matches any text, including several lines. A varying part matches any text without spaces. */
function patternOf(text: string, varies: readonly string[]): RegExp {
  const literal = (part: string) =>
    varies.reduce(
      (expression, varying) => expression.replaceAll(escapePattern(varying), String.raw`\S+`),
      escapePattern(part),
    );
  return new RegExp(`^${trimLines(text).split('…').map(literal).join('[^]*?')}$`);
}

const escapePattern = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/** Parses JSON with omissions: each becomes a member or an element named `…`. */
function parseWithOmissions(text: string): unknown {
  const marked = text.replaceAll(/"(?:[^"\\]|\\.)*"|…(?=\s*([\]}]))/g, (whole, end?: string) =>
    end === undefined ? whole : end === ']' ? '"…"' : '"…": "…"',
  );
  return JSON.parse(marked);
}

function compare(
  shown: unknown,
  real: unknown,
  varies: ReadonlySet<string>,
  where: string,
): string[] {
  if (Array.isArray(shown)) {
    if (!Array.isArray(real)) return [`${where} isn’t a list`];
    const isPart = shown.at(-1) === '…';
    const elements = isPart ? shown.slice(0, -1) : shown;
    if (isPart ? real.length < elements.length : real.length !== elements.length) {
      return [`${where} has ${real.length} elements`];
    }
    return elements.flatMap((element, i) => compare(element, real[i], varies, `${where}[${i}]`));
  }
  if (typeof shown === 'object' && shown !== null) {
    if (typeof real !== 'object' || real === null) return [`${where} isn’t an object`];
    const { '…': isPart, ...members } = shown as Record<string, unknown>;
    const unknown = Object.keys(real).filter((key) => !(key in members));
    return [
      ...(isPart || unknown.length === 0 ? [] : [`${where} also has ${unknown.join(', ')}`]),
      ...Object.entries(members).flatMap(([key, value]) =>
        key in real
          ? compare(value, (real as Record<string, unknown>)[key], varies, `${where}.${key}`)
          : [`${where} has no ${key}`],
      ),
    ];
  }
  if (varies.has(String(shown))) {
    return typeof real === typeof shown ? [] : [`${where} is ${JSON.stringify(real)}`];
  }
  const isSame =
    typeof shown === 'string' && typeof real === 'string'
      ? patternOf(shown, []).test(real.trim())
      : shown === real;
  return isSame ? [] : [`${where} is ${JSON.stringify(real)}, not ${JSON.stringify(shown)}`];
}
