/**
 * Caches values computed for a text in a face, since names recur from picture to picture. One map per face
 * avoids joined keys, which would be hashed at each call.
 */
export class TextCache<Value> {
  private readonly max: number;
  private readonly byFace = new Map<string, Map<string, Value>>();
  private count = 0;

  /** @param max number of values; when it's reached, the cache starts over */
  constructor(max: number) {
    this.max = max;
  }

  get(face: string, text: string): Value | undefined {
    return this.byFace.get(face)?.get(text);
  }

  set(face: string, text: string, value: Value): void {
    if (this.count++ === this.max) {
      this.byFace.clear();
      this.count = 1;
    }
    const texts = this.byFace.get(face);
    if (texts === undefined) this.byFace.set(face, new Map([[text, value]]));
    else texts.set(text, value);
  }
}
