/** The parts of fontkit that the typesetter uses */
declare module 'fontkit' {
  export interface Font {
    readonly postscriptName: string;
    hasGlyphForCodePoint(codePoint: number): boolean;
  }

  /** @throws Error for an unknown format */
  export function create(file: Uint8Array): Font;
}
