/** Finds the operators of a style's expressions, without parsing them. */

/** Operators that read the shape of a feature */
export const SHAPE_OPERATORS: ReadonlySet<string> = new Set(['within', 'distance']);

/** The first strings of all lists in a value, except in literals and labels of `match` */
export function operatorsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (!Array.isArray(value)) return found;
  const [operator] = value;
  if (operator === 'literal') return found;
  if (typeof operator === 'string') found.add(operator);
  value.forEach((argument, index) => {
    if (!isMatchLabel(operator, index, value.length)) operatorsIn(argument, found);
  });
  return found;
}

/** Labels of `["match", input, label, output, …, fallback]` are values, even if they are string lists. */
function isMatchLabel(operator: unknown, index: number, length: number): boolean {
  return operator === 'match' && index >= 2 && index % 2 === 0 && index < length - 1;
}
