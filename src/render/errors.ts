/** Why a scene cannot be drawn. None of these is retried: the same scene fails the same way. */

/** The style, or what the scene brings to it, is not valid; each problem names its place. */
export class InvalidSceneError extends Error {
  override name = 'InvalidSceneError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The scene cannot be drawn: ${problems.join('; ')}`);
    this.problems = problems;
  }
}

/** The style is valid but asks for what this engine does not draw: refused, never drawn wrong. */
export class UnsupportedStyleError extends Error {
  override name = 'UnsupportedStyleError';
  /** Where in the document, e.g. `layers[3].paint.line-gradient` */
  readonly property: string;

  constructor(property: string, reason = 'is not drawn by the canvas engine') {
    super(`${property} ${reason}`);
    this.property = property;
  }
}
