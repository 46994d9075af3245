/** Renders the API reference with Swagger UI, which the page loads as a classic script. */
import { data, findById } from '../../browser/dom.ts';

interface React {
  createElement(component: Component, props: object): unknown;
}

type Component = (props: object) => unknown;

declare function SwaggerUIBundle(options: {
  domNode: Element;
  url: string;
  deepLinking: boolean;
  docExpansion: 'none';
  defaultModelsExpandDepth: number;
  syntaxHighlight: boolean;
  validatorUrl: null;
  plugins: readonly (() => {
    wrapComponents: Record<string, (original: Component, system: { React: React }) => Component>;
  })[];
}): void;

const reference = findById('reference', HTMLElement);

const darkScheme = matchMedia('(prefers-color-scheme: dark)');
const applyColorScheme = () =>
  document.documentElement.classList.toggle('dark-mode', darkScheme.matches);
darkScheme.addEventListener('change', applyColorScheme);
applyColorScheme();

/** Removes the link inside the button that opens an operation, because the button has the same effect. */
const plainPaths = () => ({
  wrapComponents: {
    DeepLink:
      (Original: Component, { React }: { React: React }): Component =>
      (props) =>
        React.createElement(Original, { ...props, enabled: false }),
  },
});

// Swagger UI adds elements over time. This makes scrolling responses accessible by keyboard, and labels the
// list of servers.
new MutationObserver(() => {
  for (const scrolling of reference.querySelectorAll<HTMLElement>('pre:not([tabindex])')) {
    scrolling.tabIndex = 0;
  }
  reference.querySelector('#servers')?.setAttribute('aria-label', 'Server');
}).observe(reference, { childList: true, subtree: true });

SwaggerUIBundle({
  domNode: reference,
  url: data(reference, 'contract'),
  deepLinking: true,
  // With 150 rows or more, it keeps only those in sight in the document, and can't open the operation of an address.
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  // Its colors have too little contrast.
  syntaxHighlight: false,
  // The validator is on another origin.
  validatorUrl: null,
  plugins: [plainPaths],
});
