/** Declares parts of the style specification. Everything else is refused. */

/** Every value that the specification allows, expressions included; or only the listed literals. */
export type Allowed = 'any' | readonly unknown[];

export type Subset = Readonly<Record<string, Allowed>>;

export interface LayerSubset {
  layout: Subset;
  paint: Subset;
}

/** Accepts every value of properties. Takes their names, separated by spaces. */
export function accept(names: string): Subset {
  return Object.fromEntries(names.split(' ').map((name) => [name, 'any']));
}
