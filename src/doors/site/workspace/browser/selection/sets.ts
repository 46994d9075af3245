/**
 * Set operations that return a new set. The methods of `Set` are too new for the browsers that we support.
 */

export function union<T>(a: ReadonlySet<T>, b: Iterable<T>): Set<T> {
  const all = new Set(a);
  for (const one of b) all.add(one);
  return all;
}

export function difference<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): Set<T> {
  const rest = new Set<T>();
  for (const one of a) if (!b.has(one)) rest.add(one);
  return rest;
}

export function intersection<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): Set<T> {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  const common = new Set<T>();
  for (const one of small) if (large.has(one)) common.add(one);
  return common;
}

export function isSubset<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean {
  if (a.size > b.size) return false;
  for (const one of a) if (!b.has(one)) return false;
  return true;
}

export const areEqual = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean =>
  a.size === b.size && isSubset(a, b);

export function groupBy<T, K>(list: Iterable<T>, keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of list) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}
