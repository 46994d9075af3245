/* global SwaggerUIBundle */
const reference = document.getElementById('reference');

const darkness = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', darkness.matches);
darkness.addEventListener('change', follow);
follow();

/** A link within the button that opens an operation would be in its way: the button leads there. */
const plainPaths = () => ({
  wrapComponents: {
    DeepLink:
      (Original, { React }) =>
      (props) =>
        React.createElement(Original, { ...props, enabled: false }),
  },
});

// Answers that scroll can be reached by the keyboard, and each choice says what it is of.
new MutationObserver(() => {
  for (const scrolling of reference.querySelectorAll('pre:not([tabindex])')) scrolling.tabIndex = 0;
  reference.querySelector('#servers')?.setAttribute('aria-label', 'Server');
}).observe(reference, { childList: true, subtree: true });

SwaggerUIBundle({
  domNode: reference,
  url: reference.dataset.contract,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  // Its colours are too pale to be read by all.
  syntaxHighlight: false,
  // The only thing that would be asked of another origin
  validatorUrl: null,
  plugins: [plainPaths],
});
