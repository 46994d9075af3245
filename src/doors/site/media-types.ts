/** Media types of pages and files at the site's root. */
export const HTML = 'text/html; charset=utf-8';
export const MARKDOWN = 'text/markdown; charset=utf-8';
export const CSV = 'text/csv; charset=utf-8';

/** For files whose address changes with their content. */
export const IMMUTABLE = { 'Cache-Control': 'public, max-age=31536000, immutable' };
