/** Figures and lists as models and people read them in sentences. */

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** `12,345` */
export const count = (n: number) => whole.format(n);

/** `1 ZIP`, `12 ZIPs` */
export const counted = (n: number, noun: string) => `${count(n)} ${noun}${n === 1 ? '' : 's'}`;

/** `$84,200` */
export const dollars = (n: number) => `$${whole.format(n)}`;

/** `Dallas, TX`; empty where nobody tells. */
export const place = (city: string | null, state: string | null) =>
  [city, state].filter((part) => part !== null).join(', ');

/** A remark in a list: the data beside the text has it whole. */
export const shortened = (text: string, most = 100) =>
  text.length > most ? `${text.slice(0, most).trimEnd()}…` : text;

/** `75201, 75202 and 3 more` */
export function listed(items: readonly string[], atMost = 20): string {
  const more = items.length - atMost;
  return more > 0 ? `${items.slice(0, atMost).join(', ')} and ${more} more` : items.join(', ');
}

/** `Live already (2): 75201, 75202.`; no line for nothing. */
export const labelled = (label: string, items: readonly string[]): string[] =>
  items.length === 0 ? [] : [`${label} (${items.length}): ${listed(items, 50)}.`];

/** Of a list that is only a page: `12 ZIPs, and more` */
export const andMore = (nextCursor: string | null) => (nextCursor === null ? '' : ', and more');

/** How a list goes on. */
export const more = (nextCursor: string | null): string[] =>
  nextCursor === null ? [] : [`More: give cursor ${nextCursor}.`];
