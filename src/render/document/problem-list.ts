/** Collects the problems of several parts of a style, so that its author can correct them all at once. */
import { InvalidSceneError, UnsupportedStyleError } from '../errors.ts';

type SceneError = InvalidSceneError | UnsupportedStyleError;

export class ProblemList {
  private readonly errors: SceneError[] = [];

  /** Returns the result of the work; undefined if the scene can't be drawn. Rejects with other errors. */
  async collect<T>(work: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      const isKnown = error instanceof InvalidSceneError || error instanceof UnsupportedStyleError;
      if (!isKnown) throw error;
      this.errors.push(error);
      return undefined;
    }
  }

  /** @throws UnsupportedStyleError if a property is unsupported, or else InvalidSceneError, with every problem */
  throwAny(): void {
    const { errors } = this;
    if (errors.length === 0) return;
    const problems = [...new Set(errors.flatMap((error) => error.problems))];
    const properties = errors.flatMap((error) => ('properties' in error ? error.properties : []));
    if (properties.length === 0) throw new InvalidSceneError(problems);
    throw Object.assign(new UnsupportedStyleError([]), {
      message: problems.join('\n'),
      problems,
      properties,
    });
  }
}
