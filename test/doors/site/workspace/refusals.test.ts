/** Reserved and blocked ZIP codes in the workspace: which ones the map marks, and which moves leave them out. */
import { describe, expect, it } from 'vitest';
import type {
  Brand,
  Draft,
} from '../../../../src/doors/site/workspace/browser/territories/draft.ts';
import { moveZips } from '../../../../src/doors/site/workspace/browser/territories/edits.ts';
import {
  refusalsOf,
  refusedOnMap,
  refusedTo,
  type ZipRefusals,
} from '../../../../src/doors/site/workspace/browser/territories/refusals.ts';

const brand = (id: string): Brand => ({ id, slug: id, name: id });
const [north, south, east] = ['north', 'south', 'east'].map(brand) as [Brand, Brand, Brand];
const NOTHING: ReadonlySet<number> = new Set();

const draftOf = (...territories: [Brand | null, number[]][]): Draft => ({
  territories: territories.map(([brand, zips], i) => ({
    number: i + 1,
    name: brand?.name ?? 'New',
    brand,
    zips: new Set(zips),
    pending: NOTHING,
  })),
});

const refusal = (
  brand: Brand,
  zips: number[],
  holders: readonly Brand[] | null = null,
): ZipRefusals => ({
  brandId: brand.id,
  reason: holders ? 'held' : 'reserved',
  holderIds: holders?.map(({ id }) => id) ?? null,
  zips: new Set(zips),
});

describe('what a brand can’t get', () => {
  const refusals = [refusal(south, [1, 2], [north]), refusal(south, [3]), refusal(north, [3])];

  it('is what others hold, and what is reserved', () => {
    const draft = draftOf([north, [1, 2]], [south, []]);
    expect(refusedTo(refusals, draft, south)).toEqual(
      new Map([
        [1, 'held'],
        [2, 'held'],
        [3, 'reserved'],
      ]),
    );
    expect([...refusedTo(refusals, draft, north).keys()]).toEqual([3]);
    expect(refusedTo(refusals, draft, east).size + refusedTo(refusals, draft, null).size).toBe(0);
  });

  it('can be moved from its holder in the same draft, but no reserve can', () => {
    const after = moveZips(draftOf([north, [1, 2]], [south, []]), new Set([1, 3]), 2);
    expect([...refusedTo(refusals, after, south).keys()]).toEqual([2, 3]);
  });

  it('stays refused if its holder isn’t in the draft', () => {
    expect([...refusedTo(refusals, draftOf([south, [1]]), south).keys()]).toEqual([1, 2, 3]);
  });
});

it('a ZIP code names the brands that can’t get it, by reason, before anyone moves it', () => {
  const refusals = [
    refusal(south, [1], [north]),
    refusal(east, [1], [north]),
    refusal(north, [3]),
    refusal(south, [3]),
  ];
  const draft = draftOf([north, [1]], [south, []], [east, []]);
  const of = (zip: number) => [...refusalsOf(refusals, draft, zip)];
  expect(of(1)).toEqual([['held', [south.id, east.id]]]);
  expect(of(3)).toEqual([['reserved', [north.id, south.id]]]);
  expect(of(2)).toEqual([]);
  // Its holder gives it up in the draft.
  expect([...refusalsOf(refusals, moveZips(draft, new Set([1]), null), 1)]).toEqual([]);
});

describe('the map', () => {
  const refusals = [refusal(south, [1], [north]), refusal(south, [3]), refusal(north, [3])];
  const draft = draftOf([north, [1]], [south, []]);

  it('marks what the chosen territory can’t get', () => {
    expect([...refusedOnMap({ refusals, draft, target: 2 }).keys()]).toEqual([1, 3]);
    expect([...refusedOnMap({ refusals, draft, target: 1 }).keys()]).toEqual([3]);
  });

  it('marks what no brand can get before a territory is chosen', () => {
    expect([...refusedOnMap({ refusals, draft, target: null }).keys()]).toEqual([3]);
    const withEast = draftOf([north, [1]], [south, []], [east, []]);
    expect(refusedOnMap({ refusals, draft: withEast, target: null }).size).toBe(0);
  });
});
