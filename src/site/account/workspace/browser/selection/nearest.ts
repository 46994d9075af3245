/** Suggestions for mistyped names. Pure. */

/** Returns the name with the fewest typing errors, if there are few. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(typed.length / 3));
  let best: string | undefined;
  let least = most + 1;
  for (const name of names) {
    const errors = typingErrors(typed.toLowerCase(), name.toLowerCase());
    if (errors >= least) continue;
    least = errors;
    best = name;
  }
  return best;
}

/** Levenshtein distance */
function typingErrors(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(
        Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)),
      );
    }
    row = next;
  }
  return row[b.length]!;
}
