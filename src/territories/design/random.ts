/** Repeatable random numbers (mulberry32: 32 bits of state, period 2^32). */
export interface Random {
  /** A number from 0 up to, but not including, 1 */
  next(): number;
  /** A whole number from 0 up to, but not including, `end` */
  below(end: number): number;
}

export function randomFrom(seed: number): Random {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return { next, below: (end) => Math.floor(next() * end) };
}
