/**
 * What the search works on: numbered nodes instead of ZIP codes, and measures in units in which 1 is a
 * territory's fair share. A node is a ZIP code, or several that belong together.
 */
export interface Problem {
  nodes: number;
  territories: number;
  /** The neighbors of node `i` are at `first[i]` up to `first[i + 1]`. */
  first: Int32Array;
  neighbors: Int32Array;
  /** Price of a border between two territories, in kilometers: its length, or more within a county */
  borders: Float64Array;
  /** Position of each node in kilometers, on any flat projection */
  x: Float64Array;
  y: Float64Array;
  measures: number;
  /** `loads[i * measures + q]`: measure `q` of node `i`, in fair shares times the measure's weight */
  loads: Float64Array;
  /** Limits of the sums, by territory and measure, in the same unit */
  low: Float64Array;
  high: Float64Array;
  /** Territory that a node must be in; -1: any */
  fixed: Int32Array;
  /** `allowed[i * territories + t]`: whether node `i` may be in territory `t`; null: all may */
  allowed: Uint8Array | null;
  /** Price of node `i` without a territory, in kilometers; null: never without one */
  leftoverPrice: Float64Array | null;
  /** Whether search may take nodes out of territories */
  leftoversAllowed: boolean;
  /** Pairs with a price in kilometers: positive if in two territories, negative if in the same one */
  links: { first: Int32Array; to: Int32Array; price: Float64Array } | null;
  /** Territory from which moving node `i` has a price; -1: none. The leftovers are `territories`. */
  home: Int32Array | null;
  /** In kilometers for each moved node */
  movePrice: number;
}

/** A limit is kept if the sum is off by less: sums of fractions are inexact. */
export const INEXACT = 1e-9;
