/** Runs only the canvas engine in a process, so that its memory can be measured. */
import { encode } from '../../dist/render/canvas/encode.js';
import { paint, rawPicture } from '../../dist/render/canvas/paint.js';
import { packScene, unpackScene } from '../../dist/render/packed-scene.js';
import { canvasRenderer } from '../../dist/render/engines.js';

const LIMITS = { queue: 10_000, deadlineMs: 60_000 };
/** Pictures 20 to 80 take up to a fifth more CPU time than later ones: V8 still compiles functions. */
const WARM_UP = 100;

const tasks = { latency, throughput, parts };

process.on('message', async ({ task, packed, ...options }) => {
  for (const { scene } of packed) shareImages(scene.images);
  const scenes = packed.map(unpackScene);
  process.send({
    ...(await tasks[task](scenes, options)),
    rssMb: process.memoryUsage().rss / 2 ** 20,
  });
  process.disconnect();
});

/** In the service, images are in shared memory. Those received are views of the whole message. */
function shareImages(images = {}) {
  for (const image of Object.values(images)) {
    const shared = new Uint8ClampedArray(new SharedArrayBuffer(image.pixels.length));
    shared.set(image.pixels);
    image.pixels = shared;
  }
}

/** Draws one picture at a time on one worker. @returns milliseconds per picture */
async function latency(scenes, { pictures }) {
  const renderer = canvasRenderer({ ...LIMITS, workers: 1 });
  for (let i = 0; i < WARM_UP; i++) await renderer.render(scenes[i % scenes.length]);
  const times = [];
  for (let i = 0; i < pictures; i++) {
    times.push(await elapsedMs(() => renderer.render(scenes[i % scenes.length])));
  }
  await renderer.close();
  return { times };
}

/** Draws all pictures at once. @returns pictures per second */
async function throughput(scenes, { pictures, workers }) {
  const renderer = canvasRenderer({ ...LIMITS, workers });
  const draw = (count) =>
    Promise.all(
      Array.from({ length: count }, (_, i) => renderer.render(scenes[i % scenes.length])),
    );
  await draw(WARM_UP * workers);
  const ms = await elapsedMs(() => draw(pictures));
  await renderer.close();
  return { perSecond: (1000 * pictures) / ms };
}

/** Times each part of drawing a picture, in one thread. @returns milliseconds */
async function parts(scenes, { pictures }) {
  const times = { clone: [], paint: [], encode: [] };
  for (let i = 0; i < WARM_UP + pictures; i++) {
    const scene = scenes[i % scenes.length];
    let painting;
    const clone = await elapsedMs(() => unpackScene(structuredClone(packScene(scene))));
    const painted = await elapsedMs(() => (painting = paint(scene)));
    const encoded = await elapsedMs(() => encode(rawPicture(painting), 'png'));
    painting.surface.release();
    if (i < WARM_UP) continue;
    times.clone.push(clone);
    times.paint.push(painted);
    times.encode.push(encoded);
  }
  return { times };
}

async function elapsedMs(work) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
