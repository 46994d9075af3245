import { describe, expect, it } from 'vitest';
import type { ExampleOutput } from './guide-examples.ts';
import { differences } from './output-differences.ts';

const json = (text: string, ...varies: string[]): ExampleOutput => ({
  language: 'json',
  text,
  varies,
});
const output = (text: string, ...varies: string[]): ExampleOutput => ({
  language: 'text',
  text,
  varies,
});

const SHOWN = '{ "zip": "75201", "at": "now", "list": [{ "a": 1 }, …], "more": { "b": 2, … } }';
const realOutput = (change: object = {}) =>
  JSON.stringify({
    zip: '75201',
    at: 'later',
    list: [{ a: 1 }, { a: 2 }],
    more: { b: 2, c: 3 },
    ...change,
  });

describe('differences in JSON', () => {
  it('are allowed where the example omits parts or says that they vary', () => {
    expect(differences(json(SHOWN, 'now'), realOutput())).toEqual([]);
  });

  it.each([
    ['another value', { zip: '75202' }, 'the output.zip is "75202", not "75201"'],
    ['another type of a varying value', { at: 5 }, 'the output.at is 5'],
    ['an extra member', { extra: 1 }, 'the output also has extra'],
    ['a missing element', { list: [] }, 'the output.list has 0 elements'],
    ['a missing member', { more: { c: 3 } }, 'the output.more has no b'],
    ['another element', { list: [{ a: 7 }] }, 'the output.list[0].a is 7, not 1'],
  ])('are reported for %s', (_, change, difference) => {
    expect(differences(json(SHOWN, 'now'), realOutput(change))).toEqual([difference]);
  });

  it('are reported for extra elements unless the example omits them', () => {
    expect(differences(json('[1]'), '[1, 2]')).toEqual(['the output has 2 elements']);
  });
});

describe('differences in text', () => {
  it('are allowed where the example omits lines or ends of lines', () => {
    const example = output('first (1 …\n…\nlast: id', 'id');
    expect(differences(example, 'first (1 of 2)  \nsecond\nthird\nlast: a-b-c\n')).toEqual([]);
  });

  it('are reported at the beginning, in the middle, and at the end', () => {
    for (const text of ['x first', 'first\nsecond']) {
      expect(differences(output('first'), text)).toHaveLength(1);
    }
    expect(differences(output('a.c'), 'abc')).toHaveLength(1);
  });
});
