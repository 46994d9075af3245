/** Sends a file of leads to the service, and saves its rows with who serves them. */
import { control, data, find, findById } from '../../browser/dom.ts';

interface Settings {
  /** Address of the operation in the API */
  path: string;
  organization: string;
}

const form = findById('route', HTMLFormElement);
const { path, organization } = JSON.parse(data(form, 'settings')) as Settings;
const status = find('[data-status]', HTMLElement, form);
const button = find('button', HTMLButtonElement, form);
const file = control(form, 'file', HTMLInputElement);

form.hidden = false;
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void route();
});

async function route(): Promise<void> {
  const [chosen] = file.files ?? [];
  if (chosen === undefined) return;
  button.disabled = true;
  status.textContent = 'Routing the file…';
  try {
    const rows = await routed(chosen);
    save(rows, `${chosen.name.replace(/\.[a-z0-9]{2,7}$/i, '')} routed.csv`);
    status.textContent = 'The file is routed, and saved with your downloads.';
  } catch (error) {
    status.textContent = (error as Error).message;
  } finally {
    button.disabled = false;
  }
}

/** @throws Error with a message for people */
async function routed(chosen: File): Promise<Blob> {
  const columns = Array.from(new FormData(form)).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].trim() !== '',
  );
  const answer = await fetch(`${path}?${new URLSearchParams(columns)}`, {
    method: 'POST',
    body: chosen,
    headers: { 'For-Organization': organization, 'Content-Type': 'application/octet-stream' },
  }).catch(() => null);
  if (answer === null) {
    throw new Error('The service can’t be reached. Check the connection, then try again.');
  }
  if (!answer.ok) {
    const { error } = (await answer.json().catch(() => ({}))) as { error?: string };
    throw new Error(error ?? `The service answered with ${answer.status}.`);
  }
  return answer.blob().catch(() => {
    throw new Error('The file wasn’t read to its end. Split it up, or use the command line.');
  });
}

function save(rows: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(rows);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
