/** Updates the preview while weights change. Without scripts, the Preview button does. */
import { data, find, findAll, findById, findOptional, formFields } from '../../browser/dom.ts';

interface WeightRow {
  publicWeight: string;
  slider: HTMLInputElement;
  number: HTMLInputElement;
  bar: SVGRectElement;
}

const form = find('.targeting', HTMLFormElement);
const status = find('[data-status]', HTMLElement, form);
const table = find('[data-table]', HTMLElement, form);
const sum = find('[data-sum]', HTMLElement, form);
const rows = findAll('.weight', HTMLElement, form).map((row): WeightRow => ({
  publicWeight: data(row, 'public'),
  slider: find('[type=range]', HTMLInputElement, row),
  number: find('[type=number]', HTMLInputElement, row),
  bar: find('rect', SVGRectElement, row),
}));

const weightOf = ({ number }: WeightRow) => Number(number.value) || 0;

/** Half of the bar is 60%, as in the bars that the server draws. */
const HALF_BAR_PERCENT = 60;

function updateBars(): void {
  const total = rows.reduce((all, row) => all + Math.abs(weightOf(row)), 0);
  for (const row of rows) {
    const percent = total === 0 ? 0 : (100 * weightOf(row)) / total;
    const length = (50 * Math.min(Math.abs(percent), HALF_BAR_PERCENT)) / HALF_BAR_PERCENT;
    row.bar.setAttribute('x', `${percent < 0 ? 50 - length : 50}%`);
    row.bar.setAttribute('width', `${length}%`);
  }
  // Rounded percentages sum to about 100.
  sum.textContent =
    Math.abs(total - 100) < 1
      ? ''
      : `The weights sum to ${Math.round(10 * total) / 10}. Each counts by its share of that sum.`;
}

/** The preview is requested once no weight has changed for this long. */
const DEBOUNCE_MS = 250;
let timer: ReturnType<typeof setTimeout> | undefined;
let request: AbortController | undefined;

function schedulePreview(): void {
  clearTimeout(timer);
  timer = setTimeout(() => void loadPreview(), DEBOUNCE_MS);
  table.setAttribute('aria-busy', 'true');
}

async function loadPreview(): Promise<void> {
  request?.abort();
  request = new AbortController();
  const { signal } = request;
  try {
    const body = formFields(form);
    const response = await fetch(data(form, 'preview'), { method: 'POST', body, signal });
    if (response.ok) showPreview(await response.text());
    else showProblem(((await response.json()) as { error: string }).error);
  } catch {
    if (!signal.aborted) {
      showProblem('The service cannot be reached. Change a weight to try again.');
    }
  } finally {
    if (!signal.aborted) table.removeAttribute('aria-busy');
  }
}

function showPreview(html: string): void {
  table.innerHTML = html;
  status.classList.remove('wrong');
  const zips = [...table.querySelectorAll('tbody th')].slice(0, 3).map((cell) => cell.textContent);
  status.textContent = zips.length > 0 ? `Top ZIP codes: ${zips.join(', ')}.` : '';
}

/** Shows the problem and keeps the last preview. */
function showProblem(problem: string): void {
  status.classList.add('wrong');
  status.textContent = problem;
}

function weightsChanged(): void {
  updateBars();
  schedulePreview();
}

for (const { slider, number } of rows) {
  slider.hidden = false;
  slider.addEventListener('input', () => {
    number.value = slider.value;
    weightsChanged();
  });
  number.addEventListener('input', () => {
    slider.value = number.value;
    weightsChanged();
  });
}

const usePublicWeights = findOptional('button[data-public]', HTMLButtonElement, form);
if (usePublicWeights) {
  usePublicWeights.hidden = false;
  usePublicWeights.addEventListener('click', () => {
    for (const { publicWeight, slider, number } of rows) {
      number.value = publicWeight;
      slider.value = publicWeight;
    }
    weightsChanged();
  });
}

for (const among of findAll('[name=among]', HTMLInputElement, form)) {
  among.addEventListener('change', schedulePreview);
}

findById('area', HTMLSelectElement).addEventListener('change', schedulePreview);
find('[value=preview]', HTMLButtonElement, form).hidden = true;
updateBars();
