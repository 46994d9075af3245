/** The title and subtitle of a map of ZIP codes. */
import type { PlacedZip } from '../../../data/market/zips.ts';

export interface Heading {
  title: string;
  /** Null: derived from the ZIP codes */
  subtitle: string | null;
}

/** Returns no subtitle without a title. */
export function headingOf(
  { title, subtitle: given }: Heading,
  placed: readonly PlacedZip[],
): { title?: string; subtitle?: string } {
  if (title === '') return {};
  return { title, subtitle: given ?? describeZips(placed) };
}

/** `75201 in Dallas, TX`, `3 ZIP codes in TX`, `1,204 ZIP codes in KS, MO`. */
function describeZips(placed: readonly PlacedZip[]): string {
  if (placed.length === 1) {
    const { zip, city, state } = placed[0]!;
    const place = [city, state].filter((part) => part !== null).join(', ');
    return place === '' ? zip : `${zip} in ${place}`;
  }
  const states = [...new Set(placed.map((zip) => zip.state).filter((s) => s !== null))].sort();
  const where = states.length > 0 && states.length <= 4 ? ` in ${states.join(', ')}` : '';
  return `${placed.length.toLocaleString('en-US')} ZIP codes${where}`;
}
