/** Worker thread of the canvas engine. `engines.ts` starts it. */
import { serveJobs } from '../pool/serve.ts';
import { render } from '../render.ts';

serveJobs(render);
