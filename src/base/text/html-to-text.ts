/** Returns the text of short HTML with links, such as the attribution in the metadata of an archive of tiles. */
export const htmlToText = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&copy;|&#169;/g, '©')
    .replaceAll('&amp;', '&')
    .trim();
