/**
 * The problem that the search solves: numbered nodes instead of ZIP codes, and measures in fair shares of a
 * territory. A node is a ZIP code, or several that should stay together.
 */
export interface Problem {
  nodes: number;
  territories: number;
  /** The neighbors of node `i` are at `first[i]` up to `first[i + 1]`. */
  first: Int32Array;
  neighbors: Int32Array;
  /** Price of a border between two territories, in kilometers: its length, or more within a county */
  borders: Float64Array;
  /** Position of each node in kilometers, on a flat projection */
  x: Float64Array;
  y: Float64Array;
  measures: number;
  /** `loads[i * measures + q]`: measure `q` of node `i`, in fair shares times the measure's weight */
  loads: Float64Array;
  /** Limits of the sums, by territory and measure, in the same unit */
  low: Float64Array;
  high: Float64Array;
  /** How many times as wide the usual limits are as those that the caller named; 1 if trying them can't help */
  usualWidth: number;
  /** By how much borders may become longer if sums become more even than their limits demand, as shares */
  longerIfEven: {
    /** Always allowed */
    share: number;
    /** Allowed per deviation that disappears (15: borders 15% longer for 1%) */
    perDeviation: number;
    /** Never more than this */
    most: number;
  };
  /** Territory in which each node must be, or -1 */
  fixed: Int32Array;
  /** `allowed[i * territories + t]`: whether node `i` may be in territory `t`; null: all may */
  allowed: Uint8Array | null;
  /** Price of leaving each node without a territory, in kilometers; null: every node gets one */
  leftoverPrice: Float64Array | null;
  /** Whether search may take nodes out of territories */
  leftoversAllowed: boolean;
  /** Pairs with a price in kilometers: positive if separating them costs it, negative if joining them does */
  links: { first: Int32Array; to: Int32Array; price: Float64Array } | null;
  /** Current territory of each node, or -1. Moving a node out of it has a price. The leftovers are `territories`. */
  home: Int32Array | null;
  /** Price of each moved node, in kilometers */
  movePrice: number;
}

/** Rounding error allowed at a limit: sums of fractions are inexact. */
export const INEXACT = 1e-9;
