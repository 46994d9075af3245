/** Worker thread of the canvas engine. `engines.ts` starts it. */
import { serveJobs } from '../pool/serve.ts';
import { unpackScene, type PackedScene } from '../packed-scene.ts';
import { render } from '../render.ts';

serveJobs((scene: PackedScene) => render(unpackScene(scene)));
