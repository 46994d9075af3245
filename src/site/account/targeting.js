/* The preview follows the weights while they change. Without it, "Look" shows them. */

const form = document.querySelector('.targeting');
const status = form.querySelector('[data-status]');
const table = form.querySelector('[data-table]');
const sum = form.querySelector('[data-sum]');
const rows = [...form.querySelectorAll('.weight')].map((row) => ({
  open: Number(row.dataset.public),
  slider: row.querySelector('[type=range]'),
  number: row.querySelector('[type=number]'),
  bar: row.querySelector('rect'),
}));

/** As the server draws them: half of the bar is 60 hundredths. */
const HALF = 60;
const weightOf = ({ number }) => Number(number.value) || 0;

function drawParts() {
  const total = rows.reduce((all, row) => all + Math.abs(weightOf(row)), 0);
  for (const row of rows) {
    const part = total === 0 ? 0 : (100 * weightOf(row)) / total;
    const length = (50 * Math.min(Math.abs(part), HALF)) / HALF;
    row.bar.setAttribute('x', `${part < 0 ? 50 - length : 50}%`);
    row.bar.setAttribute('width', `${length}%`);
  }
  const rounded = Math.round(10 * total) / 10;
  // Rounded parts of a hundred may miss it by little.
  sum.textContent =
    Math.abs(total - 100) < 1 ? '' : `They sum to ${rounded}: each counts by its part of that.`;
}

/** So long nothing may change before the preview is asked for. */
const QUIET_MS = 250;
let waiting;
let asked;

function look() {
  clearTimeout(waiting);
  waiting = setTimeout(ask, QUIET_MS);
  table.setAttribute('aria-busy', 'true');
}

async function ask() {
  asked?.abort();
  asked = new AbortController();
  const { signal } = asked;
  try {
    const body = new URLSearchParams(new FormData(form));
    const answer = await fetch(form.dataset.preview, { method: 'POST', body, signal });
    if (answer.ok) show(await answer.text());
    else tell((await answer.json()).error);
  } catch (error) {
    if (error.name !== 'AbortError')
      tell('The service cannot be reached. Change a weight to try again.');
  } finally {
    if (!signal.aborted) table.removeAttribute('aria-busy');
  }
}

function show(html) {
  table.innerHTML = html;
  status.classList.remove('wrong');
  const zips = [...table.querySelectorAll('tbody th')].slice(0, 3).map((cell) => cell.textContent);
  status.textContent = zips.length > 0 ? `First are ${zips.join(', ')}.` : '';
}

/** What is wrong is for all to see; the table stays as it was. */
function tell(problem) {
  status.classList.add('wrong');
  status.textContent = problem;
}

for (const { slider, number } of rows) {
  slider.hidden = false;
  slider.addEventListener('input', () => {
    number.value = slider.value;
    drawParts();
    look();
  });
  number.addEventListener('input', () => {
    slider.value = number.value;
    drawParts();
    look();
  });
}

const putIn = form.querySelector('button[data-public]');
if (putIn) {
  putIn.hidden = false;
  putIn.addEventListener('click', () => {
    for (const { open, slider, number } of rows) {
      number.value = open;
      slider.value = open;
    }
    drawParts();
    look();
  });
}

form.querySelector('#area').addEventListener('change', look);
form.querySelector('[data-look]').hidden = true;
drawParts();
