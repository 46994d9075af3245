/** The package has no types of its own. */
declare module 'bidi-js' {
  export interface Bidi {
    getEmbeddingLevels(text: string): {
      /** By UTF-16 unit */
      levels: Uint8Array;
      /** `start` and `end` are inclusive */
      paragraphs: { start: number; end: number; level: number }[];
    };
    getBidiCharTypeName(character: string): string;
    getMirroredCharacter(character: string): string | null;
  }

  export default function bidiFactory(): Bidi;
}
