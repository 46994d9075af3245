/** Errors for scenes that can't be drawn. The pool never retries them, since the scene would fail again. */

/** The style or another part of the scene is invalid. Each problem names its location. */
export class InvalidSceneError extends Error {
  override name = 'InvalidSceneError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The scene cannot be drawn: ${problems.join('; ')}`);
    this.problems = problems;
  }
}

/** A property that the engine does not support. */
export interface Unsupported {
  /** Path in the document, e.g. `layers[3].paint.line-gradient` */
  property: string;
  /** Completes a sentence that starts with the property */
  reason: string;
}

/** The style is valid but uses features that the engine does not support. */
export class UnsupportedStyleError extends Error {
  override name = 'UnsupportedStyleError';
  /** A sentence for each property */
  readonly problems: readonly string[];
  readonly properties: readonly string[];

  constructor(unsupported: readonly Unsupported[]) {
    const problems = unsupported.map(({ property, reason }) => `${property} ${reason}`);
    super(problems.join('\n'));
    this.problems = problems;
    this.properties = unsupported.map(({ property }) => property);
  }
}
