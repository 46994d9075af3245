/* A file that is too large is told before it is sent. */

const field = document.getElementById('import-file');
const problem = document.getElementById('import-file-problem');

field?.addEventListener('change', () => {
  const mostMb = Number(field.dataset.mostMb);
  const [file] = field.files;
  const isTooLarge = file !== undefined && file.size > mostMb * 1024 * 1024 - 10_000;
  problem.textContent = isTooLarge
    ? `${file.name} has ${(file.size / 1024 / 1024).toFixed(1)} MB: at most ${mostMb} MB are read. Split it up, or simplify its outlines.`
    : '';
  field.setCustomValidity(problem.textContent);
});
