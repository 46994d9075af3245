import { describe, expect, it } from 'vitest';
import { json, output } from '../../../src/site/docs/blocks.ts';
import { differences } from './answers.ts';

const SHOWN = '{ "zip": "75201", "at": "now", "list": [{ "a": 1 }, …], "more": { "b": 2, … } }';
const real = (change: object = {}) =>
  JSON.stringify({
    zip: '75201',
    at: 'later',
    list: [{ a: 1 }, { a: 2 }],
    more: { b: 2, c: 3 },
    ...change,
  });

describe('an answer as JSON', () => {
  it('may leave out what it marks, and vary where it says so', () => {
    expect(differences(json(SHOWN, 'now'), real())).toEqual([]);
  });

  it.each([
    ['another value', { zip: '75202' }, 'the answer.zip is "75202", not "75201"'],
    ['another type where it may vary', { at: 5 }, 'the answer.at is 5'],
    ['a member that it does not show', { extra: 1 }, 'the answer also has extra'],
    ['an element that it does not show', { list: [] }, 'the answer.list has 0 elements'],
    ['a member less', { more: { c: 3 } }, 'the answer.more has no b'],
    ['an element that is other', { list: [{ a: 7 }] }, 'the answer.list[0].a is 7, not 1'],
  ])('differs from one with %s', (_, change, difference) => {
    expect(differences(json(SHOWN, 'now'), real(change))).toEqual([difference]);
  });

  it('has no more elements than it shows unless it is marked', () => {
    expect(differences(json('[1]'), '[1, 2]')).toEqual(['the answer has 2 elements']);
  });
});

describe('an answer as text', () => {
  it('may leave out lines and ends of lines', () => {
    const answer = output('first (1 …\n…\nlast: id', 'id');
    expect(differences(answer, 'first (1 of 2)  \nsecond\nthird\nlast: a-b-c\n')).toEqual([]);
  });

  it('differs from one that begins, goes on or ends otherwise', () => {
    for (const text of ['x first', 'first\nsecond']) {
      expect(differences(output('first'), text)).toHaveLength(1);
    }
    expect(differences(output('a.c'), 'abc')).toHaveLength(1);
  });
});
