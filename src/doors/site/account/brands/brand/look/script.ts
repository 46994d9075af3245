/** Updates the pictures for the current fields without a reload. The page works without this script. */
import { control, data, find, findById, findOptional } from '../../../../browser/dom.ts';

/** Pause in typing after which the pictures are drawn. */
const PAUSE_MS = 600;
const FIELDS = ['title', 'subtitle', 'accent', 'logo'];

const form = findOptional('.look form', HTMLFormElement);
if (form) watch(form);

function watch(form: HTMLFormElement): void {
  let timer: number | undefined;
  let latest = 0;
  find('[formaction]', HTMLButtonElement, form).hidden = true;
  const accent = control(form, 'accent', HTMLInputElement);
  const picker = find('input[type=color]', HTMLInputElement, form);
  picker.hidden = false;

  form.addEventListener('input', ({ target }) => {
    if (target === picker) accent.value = picker.value;
    else if (target === accent && /^#[0-9a-f]{6}$/i.test(accent.value)) picker.value = accent.value;
    clearTimeout(timer);
    timer = setTimeout(() => void update(++latest), PAUSE_MS);
  });

  /**
   * Loads the server's page for these fields, which contains the pictures and problems, because the server
   * knows what is valid.
   */
  async function update(run: number): Promise<void> {
    const preview = findById('preview', HTMLElement);
    preview.setAttribute('aria-busy', 'true');
    const body = new FormData(form);
    const sent = fetch(data(form, 'preview'), { method: 'POST', body }).catch(() => null);
    const response = await sent;
    // A newer change is being processed.
    if (run !== latest) return;
    preview.removeAttribute('aria-busy');
    if (!response?.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    if (run !== latest) return;
    preview.replaceWith(find('#preview', HTMLElement, page));
    for (const name of FIELDS) showProblem(name, page);
  }
}

function showProblem(name: string, page: Document): void {
  const field = findById(name, HTMLInputElement);
  findOptional(`#${name}-problem`, HTMLElement)?.remove();
  const problem = findOptional(`#${name}-problem`, HTMLElement, page);
  field.toggleAttribute('aria-invalid', problem !== null);
  const descriptions = [`${name}-hint`, ...(problem ? [problem.id] : [])];
  field.setAttribute('aria-describedby', descriptions.join(' '));
  if (!problem) return;
  problem.setAttribute('role', 'status');
  field.after(problem);
}
