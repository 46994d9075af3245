/** Prefix codes (RFC 1951, section 3.2.2). */

/**
 * The code of each symbol: `bits << 5 | number of bits`, first bit lowest. It is 0 for symbols that don't
 * occur.
 */
export type PrefixCode = Int32Array;

/** More symbols than any code has */
const SYMBOLS = 512;

/** @param maxBits at least as many bits as it takes to number the symbols */
export function buildCode(frequencies: Uint32Array, maxBits: number): PrefixCode {
  let weights = frequencies;
  let lengths = huffmanLengths(weights);
  while (lengths.some((length) => length > maxBits)) {
    // More similar frequencies give more similar lengths.
    weights = weights.map((weight) => Math.ceil(weight / 2));
    lengths = huffmanLengths(weights);
  }
  return canonicalCode(lengths, maxBits);
}

/** Merges the two lightest nodes until one is left. Merged nodes arise in order of their weights. */
function huffmanLengths(frequencies: Uint32Array): Uint8Array {
  const lengths = new Uint8Array(frequencies.length);
  const keys = new Float64Array(frequencies.length);
  let count = 0;
  for (let symbol = 0; symbol < frequencies.length; symbol++) {
    const weight = frequencies[symbol]!;
    if (weight > 0) keys[count++] = weight * SYMBOLS + symbol;
  }
  const leaves = keys.subarray(0, count).sort();
  const nodes = Math.max(1, 2 * count - 1);
  const weights = new Float64Array(nodes);
  for (let i = 0; i < count; i++) weights[i] = Math.floor(leaves[i]! / SYMBOLS);
  const parents = new Uint16Array(nodes);
  let leaf = 0;
  let merged = count;
  for (let node = count; node < nodes; node++) {
    weights[node] = 0;
    for (let child = 0; child < 2; child++) {
      const isLeaf = leaf < count && (merged === node || weights[leaf]! <= weights[merged]!);
      const lightest = isLeaf ? leaf++ : merged++;
      weights[node]! += weights[lightest]!;
      parents[lightest] = node;
    }
  }
  const depths = new Uint8Array(nodes);
  // A code of one symbol has one bit.
  depths[nodes - 1] = count === 1 ? 1 : 0;
  for (let node = nodes - 2; node >= 0; node--) depths[node] = depths[parents[node]!]! + 1;
  for (let i = 0; i < count; i++) lengths[leaves[i]! % SYMBOLS] = depths[i]!;
  return lengths;
}

/** Numbers the codes of each length in the order of their symbols. */
function canonicalCode(lengths: Uint8Array, maxBits: number): PrefixCode {
  const code = new Int32Array(lengths.length);
  let next = 0;
  for (let length = 1; length <= maxBits; length++) {
    next <<= 1;
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] === length) code[symbol] = (reverseBits(next++, length) << 5) | length;
    }
  }
  return code;
}

function reverseBits(bits: number, count: number): number {
  let result = 0;
  for (let i = 0; i < count; i++) result |= ((bits >> i) & 1) << (count - 1 - i);
  return result;
}
