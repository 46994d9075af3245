/**
 * Actions in a link to the workspace: ZIP codes to select, or a filter, for a brand. They run once and are
 * then removed from the address. Pure.
 */
import { writeWhiteSpace, type WhiteSpaceView } from './map/view-address.ts';

interface Asked {
  zips: readonly string[];
  /** Empty for none */
  filter: string;
}

export interface WorkspaceLink extends Partial<Asked> {
  /** Slug of the brand that should receive the selection */
  brand?: string | undefined;
  /** Name of a measure */
  colorBy?: string | undefined;
  whiteSpace?: WhiteSpaceView | undefined;
}

export function readAsked(search: string): Asked {
  const query = new URLSearchParams(search);
  return {
    zips: query.get('zips')?.match(/\b\d{5}\b/g) ?? [],
    filter: query.get('filter')?.trim() ?? '',
  };
}

/** Returns an address's query without these actions. */
export function withoutAsked(search: string): string {
  const query = new URLSearchParams(search);
  query.delete('zips');
  query.delete('filter');
  return query.size > 0 ? `?${query.toString()}` : '';
}

/** Returns the query of an address of the workspace. */
export function queryOfLink(link: WorkspaceLink): string {
  const { brand, zips = [], filter = '', colorBy, whiteSpace = null } = link;
  const query = new URLSearchParams({
    ...(brand !== undefined && { brand }),
    ...(zips.length > 0 && { zips: zips.join(' ') }),
    ...(filter !== '' && { filter }),
    ...(colorBy !== undefined && { color: colorBy }),
  });
  writeWhiteSpace(query, whiteSpace);
  return query.toString();
}
