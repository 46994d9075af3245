/** A stacked bar chart of the month's units by day and tool. */
import type { Period } from '../../../../people/metering/meter.ts';
import type { UsageDay } from '../../../../people/metering/usage-days.ts';
import { html, type Html } from '../../html.ts';
import { tableHead } from '../../parts.ts';
import { formatCount } from '../../../../base/text/words.ts';

const WIDTH = 720;
const HEIGHT = 220;
const LEFT = 44;
const TOP = 10;
const BASELINE = HEIGHT - 24;
const GAP = 3;
const STEPS = 4;
/** Number of tools with their own color, darkest first. All others share the lightest. */
const COLORED_TOOLS = 4;
const DAY_MS = 86_400_000;

export function usageChart(usage: readonly UsageDay[], { start, end }: Period): Html {
  const groups = groupsOf(usage);
  const days = (Date.parse(end) - Date.parse(start)) / DAY_MS;
  const byDay = Array.from({ length: days }, (_, i) => {
    const day = new Date(Date.parse(start) + i * DAY_MS).toISOString().slice(0, 10);
    const ofDay = usage.filter((row) => row.day === day);
    return groups.map(({ tools }) => sum(ofDay.filter(({ tool }) => tools.has(tool))));
  });
  const top = scaleTop(Math.max(...byDay.map((units) => units.reduce((a, b) => a + b, 0))));
  const heightOf = (units: number) => (units / top) * (BASELINE - TOP);
  const step = (WIDTH - LEFT) / days;
  const bar = (units: readonly number[], day: number) => {
    let y = BASELINE;
    return units.map((value, group) => {
      if (value === 0) return null;
      y -= heightOf(value);
      return html`<rect
        class="${groups[group]!.fill}"
        x="${formatPx(LEFT + day * step + GAP / 2)}"
        y="${formatPx(y)}"
        width="${formatPx(step - GAP)}"
        height="${formatPx(heightOf(value))}"
      />`;
    });
  };
  const line = (_: unknown, i: number) => {
    const units = (top * i) / STEPS;
    const y = formatPx(BASELINE - heightOf(units));
    return html`<line
        class="${i === 0 ? 'axis' : 'grid'}"
        x1="${LEFT}"
        x2="${WIDTH}"
        y1="${y}"
        y2="${y}"
      />
      <text class="scale" x="${LEFT - 8}" y="${Number(y) + 4}">${formatCount(units)}</text>`;
  };
  const tick = (_: unknown, day: number) =>
    (day === 0 || (day + 1) % 5 === 0) &&
    html`<text class="tick" x="${formatPx(LEFT + (day + 0.5) * step)}" y="${HEIGHT - 5}"
      >${day + 1}</text
    >`;
  return html`<figure class="chart usage">
    <div class="scroll" role="region" aria-label="Units by day" tabindex="0">
      <svg
        viewBox="0 0 ${WIDTH} ${HEIGHT}"
        role="img"
        aria-label="Units by day and tool. The table below has the numbers."
      >
        ${Array.from({ length: STEPS + 1 }, line)} ${byDay.map(bar)} ${byDay.map(tick)}
      </svg>
    </div>
    <figcaption class="legend">
      ${groups.map(
        ({ label, fill }) => html`<span class="key"><i class="${fill}"></i>${label}</span>`,
      )}
    </figcaption>
    ${numbers(usage)}
  </figure>`;
}

interface Group {
  label: string;
  tools: ReadonlySet<string>;
  fill: string;
}

/** The tools that used the most units, and all others as one group. */
function groupsOf(usage: readonly UsageDay[]): Group[] {
  const tools = totalsOf(usage).map(({ tool }) => tool);
  const colored = tools.length > COLORED_TOOLS + 1 ? tools.slice(0, COLORED_TOOLS) : tools;
  const others = tools.slice(colored.length);
  return [
    ...colored.map((tool, i) => ({
      label: toolLabel(tool),
      tools: new Set([tool]),
      fill: `fill-${COLORED_TOOLS - i}`,
    })),
    ...(others.length > 0
      ? [{ label: `${others.length} others`, tools: new Set(others), fill: 'fill-0' }]
      : []),
  ];
}

interface Total {
  tool: string;
  calls: number;
  units: number;
}

/** Totals by tool, most units first. */
function totalsOf(usage: readonly UsageDay[]): Total[] {
  const totals = new Map<string, Total>();
  for (const { tool, calls, units } of usage) {
    const total = totals.get(tool) ?? { tool, calls: 0, units: 0 };
    totals.set(tool, { tool, calls: total.calls + calls, units: total.units + units });
  }
  return [...totals.values()].sort((a, b) => b.units - a.units || (a.tool < b.tool ? -1 : 1));
}

function numbers(usage: readonly UsageDay[]): Html {
  return html`<details>
    <summary>Show as a table</summary>
    <table>
      ${tableHead('Tool', ['Calls', 'number'], ['Units', 'number'])}
      <tbody>
        ${totalsOf(usage).map(
          ({ tool, calls, units }) =>
            html`<tr>
              <th scope="row">${toolLabel(tool)}</th>
              <td class="number">${formatCount(calls)}</td>
              <td class="number">${formatCount(units)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </details>`;
}

/** `service_score_territory` becomes `Score territory`. */
function toolLabel(tool: string): string {
  const words = tool
    .replace(/^service_/, '')
    .replaceAll('_', ' ')
    .replace(/\bzip/, 'ZIP');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const sum = (rows: readonly UsageDay[]) => rows.reduce((total, { units }) => total + units, 0);

/** The smallest of 4, 8, 20, 40, 80, 200 … that fits. All steps are therefore whole numbers. */
function scaleTop(units: number): number {
  for (let size = 1; ; size *= 10) {
    for (const factor of [4, 8, 20]) if (factor * size >= units) return factor * size;
  }
}

const formatPx = (value: number) => value.toFixed(1);
