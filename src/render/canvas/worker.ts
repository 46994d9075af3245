/** Worker thread of the canvas engine. `engines.ts` starts it. */
import { serveJobs } from '../../base/workers/serve.ts';
import * as sceneErrors from '../errors.ts';
import type { DrawnPicture } from '../renderer.ts';
import { unpackScene, type PackedScene } from '../packed-scene.ts';
import { render } from '../render.ts';

serveJobs(async (scene: PackedScene): Promise<DrawnPicture> => {
  const warnings: string[] = [];
  const picture = await render(unpackScene(scene), undefined, (warning) => warnings.push(warning));
  return { picture, warnings };
}, sceneErrors);
