/**
 * Numbers positions and pairs of them, in hash tables of typed arrays. Maps would take 10 times the memory.
 */

/** Tables are at most half full. */
const FULL = 0.5;

/** Mixes the bits of two integers, like the end of MurmurHash3. */
function mix(a: number, b: number): number {
  let hash = Math.imul(a, 0x9e3779b1) ^ Math.imul(b ^ (b >>> 15), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 16), 0xc2b2ae35);
  return (hash ^ (hash >>> 13)) >>> 0;
}

export interface Positions {
  lng(id: number): number;
  lat(id: number): number;
}

/** Positions with the same coordinates have the same id. */
export function positionIndex(): Positions & { idOf(lng: number, lat: number): number } {
  let coordinates = new Float64Array(2 ** 16);
  let slots = new Int32Array(2 ** 17);
  let count = 0;
  const pair = new Float64Array(2);
  const bits = new Int32Array(pair.buffer);
  const slotOf = (lng: number, lat: number) => {
    pair[0] = lng;
    pair[1] = lat;
    let slot = mix(mix(bits[0]!, bits[1]!), mix(bits[2]!, bits[3]!)) & (slots.length - 1);
    for (let id: number; (id = slots[slot]! - 1) >= 0; slot = (slot + 1) & (slots.length - 1))
      if (coordinates[2 * id] === lng && coordinates[2 * id + 1] === lat) break;
    return slot;
  };
  return {
    lng: (id) => coordinates[2 * id]!,
    lat: (id) => coordinates[2 * id + 1]!,
    idOf(lng, lat) {
      const slot = slotOf(lng, lat);
      if (slots[slot]! > 0) return slots[slot]! - 1;
      if (2 * count === coordinates.length) coordinates = grow(coordinates);
      coordinates[2 * count] = lng;
      coordinates[2 * count + 1] = lat;
      slots[slot] = ++count;
      if (count > FULL * slots.length) {
        slots = new Int32Array(2 * slots.length);
        for (let id = 0; id < count; id++)
          slots[slotOf(coordinates[2 * id]!, coordinates[2 * id + 1]!)] = id + 1;
      }
      return count - 1;
    },
  };
}

/** A multiset of ordered pairs of numbers */
interface PairIndex {
  from(id: number): number;
  to(id: number): number;
  put(from: number, to: number): number;
  /** Removes one occurrence of a pair. @returns its id; undefined if there is none */
  take(from: number, to: number): number | undefined;
  /** The ids of the remaining pairs */
  left(): number[];
}

export function pairIndex(): PairIndex {
  let pairs = new Int32Array(2 ** 16);
  let slots = new Int32Array(2 ** 17);
  let count = 0;
  /** Removed pairs keep their slots, so that searches continue beyond them. */
  let taken = new Uint8Array(2 ** 15);
  const firstSlot = (from: number, to: number) => mix(from, to) & (slots.length - 1);
  const insert = (id: number) => {
    let slot = firstSlot(pairs[2 * id]!, pairs[2 * id + 1]!);
    while (slots[slot]! > 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = id + 1;
  };
  return {
    from: (id) => pairs[2 * id]!,
    to: (id) => pairs[2 * id + 1]!,
    put(from, to) {
      if (2 * count === pairs.length) {
        pairs = grow(pairs);
        taken = grow(taken);
      }
      pairs[2 * count] = from;
      pairs[2 * count + 1] = to;
      if (count + 1 > FULL * slots.length) {
        slots = new Int32Array(2 * slots.length);
        for (let id = 0; id < count; id++) insert(id);
      }
      insert(count);
      return count++;
    },
    take(from, to) {
      let slot = firstSlot(from, to);
      for (let id: number; (id = slots[slot]! - 1) >= 0; slot = (slot + 1) & (slots.length - 1)) {
        if (pairs[2 * id] !== from || pairs[2 * id + 1] !== to || taken[id]) continue;
        taken[id] = 1;
        return id;
      }
      return undefined;
    },
    left: () => Array.from({ length: count }, (_, id) => id).filter((id) => !taken[id]),
  };
}

function grow<T extends Float64Array | Int32Array | Uint8Array>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(2 * array.length);
  larger.set(array);
  return larger;
}
