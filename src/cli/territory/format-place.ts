import { orDash } from '../../words.ts';

/** `Frisco, TX`, or a dash if neither is known */
export const formatPlace = ({ city, state }: { city: string | null; state: string | null }) =>
  orDash([city, state].filter((part) => part !== null).join(', ') || null);
