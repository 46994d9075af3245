import { expect, it } from 'vitest';
import { warmUp } from '../../../src/maps/cartography/warm-up.ts';
import { paint } from '../../../src/render/canvas/paint.ts';
import { render } from '../../../src/render/render.ts';

it('the first picture of a worker has a fill, a line, an icon, and labels of both kinds', async () => {
  const drawn: string[] = [];
  await warmUp({
    render(scene) {
      const { labels, surface } = paint(scene);
      surface.release();
      drawn.push(...labels.map(({ layer, text }) => `${layer}: ${text}`));
      return render(scene);
    },
  });
  expect(drawn.join('\n')).toMatch(/zip-names: 00000/);
  expect(drawn.join('\n')).toMatch(/City/);
});
