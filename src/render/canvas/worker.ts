/** A thread that draws scenes with the canvas engine. `engines.ts` starts it. */
import { serve } from '../pool/serve.ts';
import { render } from '../render.ts';

serve(render);
