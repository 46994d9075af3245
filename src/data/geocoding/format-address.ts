interface AddressParts {
  number?: string | undefined;
  street?: string | undefined;
  city?: string | undefined;
  state?: string | undefined;
  /** Name of the place, from the server */
  name: string;
}

/** `1500 Marilla Street, Dallas, TX`; without a street, the name */
export function formatAddress({ number, street, city, state, name }: AddressParts): string {
  if (!street) return name;
  return [[number, street].filter(Boolean).join(' '), city, state].filter(Boolean).join(', ');
}
