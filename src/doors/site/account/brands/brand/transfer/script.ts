/** Rejects files that are too large before they are uploaded. */
import { data, findById, findOptional } from '../../../../browser/dom.ts';

const BYTES_PER_MB = 1024 * 1024;
/** Space for the other fields of the form, which count against the server's limit */
const OTHER_FIELDS_BYTES = 10_000;

const field = findOptional('#import-file', HTMLInputElement);

field?.addEventListener('change', () => {
  const maxMb = Number(data(field, 'mostMb'));
  const problem = findById('import-file-problem', HTMLElement);
  const file = field.files?.[0];
  const isTooLarge = file !== undefined && file.size > maxMb * BYTES_PER_MB - OTHER_FIELDS_BYTES;
  problem.textContent = isTooLarge
    ? `${file.name} is ${(file.size / BYTES_PER_MB).toFixed(1)} MB; the limit is ${maxMb} MB. Split the file or simplify its boundaries.`
    : '';
  field.setCustomValidity(problem.textContent);
});
