/** What a picture lacks: letters that its fonts don't have, and images that its sprites don't have. */

import { listNames } from '../name-list.ts';

/** Returns whether a letter without a glyph is missed. Spaces, controls, and joiners have no ink. */
export const hasInk = (letter: string) => !/^[\p{Z}\p{C}\p{Variation_Selector}]*$/u.test(letter);

/** Collects what is missing while a picture is drawn, and names each once. */
export class Omissions {
  /** Names of what is missing, by the sentence that lists them */
  private readonly missing = new Map<string, Set<string>>();

  /** @param place that has the text, such as `The layer "roads"` */
  addLetter(letter: string, font: string, place: string): void {
    const which = `letters that the font ${font} doesn’t have`;
    this.add(`${place} is drawn without ${which}: ${NAMES}. Use a font that has them.`, letter);
  }

  addImage(name: string, layer: string): void {
    const which = 'images that no sprite has';
    this.add(`The layer "${layer}" is drawn without ${which}: ${NAMES}. Add them.`, `"${name}"`);
  }

  private add(sentence: string, name: string): void {
    const names = this.missing.get(sentence);
    if (names === undefined) this.missing.set(sentence, new Set([name]));
    else names.add(name);
  }

  /** A sentence for each layer and font */
  get warnings(): string[] {
    return [...this.missing].map(([sentence, names]) =>
      sentence.replace(NAMES, () => listNames([...names])),
    );
  }
}

/** Placeholder that no name of a layer or font contains */
const NAMES = '\0';
