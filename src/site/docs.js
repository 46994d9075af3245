/* global SwaggerUIBundle */
const reference = document.getElementById('reference');

const darkness = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', darkness.matches);
darkness.addEventListener('change', follow);
follow();

SwaggerUIBundle({
  domNode: reference,
  url: reference.dataset.contract,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  // The only thing that would be asked of another origin
  validatorUrl: null,
});
