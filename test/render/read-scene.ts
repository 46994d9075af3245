/** The scene of a style's file. */
import { readStyle, sceneOf, type SceneRequest } from '../../src/render/document/style-file.ts';

export const readScene = async ({ file, ...request }: SceneRequest & { file: string }) =>
  sceneOf(await readStyle(file), request);
