import { expect, it } from 'vitest';
import { usageChart } from '../../../src/doors/site/account/usage/chart.ts';

const NOVEMBER = { start: '2026-11-01', end: '2026-12-01' };
const row = (day: number, tool: string, units: number) => ({
  day: `2026-11-${String(day).padStart(2, '0')}`,
  tool,
  calls: 1,
  units,
});

const bars = (text: string) =>
  [
    ...text.matchAll(
      /<rect\s+class="(\S+)"\s+x="(\S+)"\s+y="(\S+)"\s+width="\S+"\s+height="(\S+)"/g,
    ),
  ].map(([, fill, x, y, height]) => ({ fill, x: Number(x), y: Number(y), height: Number(height) }));

it('stacks a day’s tools on the baseline, each as high as its units', () => {
  const usage = [row(3, 'service_score_territory', 30), row(3, 'service_get_zip_profile', 10)];
  const [first, second, ...others] = bars(usageChart(usage, NOVEMBER).text);
  expect(others).toEqual([]);
  expect(first).toMatchObject({ fill: 'fill-4', x: second!.x });
  expect(first!.height).toBeCloseTo(3 * second!.height, 0);
  expect(second!.y + second!.height).toBeCloseTo(first!.y, 0);
  expect(first!.y + first!.height).toBe(196);
});

it('spaces days evenly and keeps the last one inside the chart', () => {
  const drawn = bars(usageChart([row(1, 'a', 1), row(2, 'a', 1), row(30, 'a', 1)], NOVEMBER).text);
  const [one, two, last] = drawn.map(({ x }) => x);
  expect((last! - one!) / (two! - one!)).toBeCloseTo(29, 0);
  expect(last).toBeLessThan(720);
});

it('names the tools with the most units and groups the others', () => {
  const usage = ['a', 'b', 'c', 'd', 'e', 'f'].map((tool, i) => row(1, `service_${tool}`, 60 - i));
  const { text } = usageChart(usage, NOVEMBER);
  expect(bars(text).map(({ fill }) => fill)).toEqual([
    'fill-4',
    'fill-3',
    'fill-2',
    'fill-1',
    'fill-0',
  ]);
  expect(text).toContain('2 others');
  // The table lists every tool.
  expect(text.match(/<th scope="row">/g)).toHaveLength(6);
});

it.each([
  [1, '4'],
  [4, '4'],
  [5, '8'],
  [19, '20'],
  [21, '40'],
  [1500, '2,000'],
])('with a maximum of %i units, ends its scale at %s', (units, top) => {
  const { text } = usageChart([row(1, 'a', units)], NOVEMBER);
  const labels = [...text.matchAll(/class="scale"[^>]*>\s*([\d,]+)/g)].map(([, label]) => label);
  expect(labels.at(-1)).toBe(top);
});
