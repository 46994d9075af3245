/** Where a ZIP is: `Frisco, TX`. */
import { named } from '../figures.ts';

export const placeText = ({ city, state }: { city: string | null; state: string | null }) =>
  named([city, state].filter((part) => part !== null).join(', ') || null);
