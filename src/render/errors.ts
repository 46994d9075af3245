/** Errors for scenes that cannot be drawn. They are never retried: the scene would fail again. */

/** The style or another part of the scene is invalid. Each problem names its location. */
export class InvalidSceneError extends Error {
  override name = 'InvalidSceneError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The scene cannot be drawn: ${problems.join('; ')}`);
    this.problems = problems;
  }
}

/** The style is valid but uses a feature that the engine does not support. */
export class UnsupportedStyleError extends Error {
  override name = 'UnsupportedStyleError';
  /** Path in the document, e.g. `layers[3].paint.line-gradient` */
  readonly property: string;

  constructor(property: string, reason = 'is not drawn by the canvas engine. Remove it.') {
    super(`${property} ${reason}`);
    this.property = property;
  }
}
