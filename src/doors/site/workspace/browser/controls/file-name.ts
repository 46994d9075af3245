/** Names of files that people save. Pure. */

/** File systems refuse some characters. */
export const fileName = (name: string, extension: string): string =>
  `${name.replaceAll(/[\\/:*?"<>|]+/g, '-')}.${extension}`;
