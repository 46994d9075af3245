import { orDash } from '../../text/words.ts';

/** Formats a place as `Frisco, TX`, or a dash if it's unknown. */
export const formatPlace = ({ city, state }: { city: string | null; state: string | null }) =>
  orDash([city, state].filter((part) => part !== null).join(', ') || null);
