/** Typed lookups in the page. They throw an error if an element that the script needs is missing. */

type ElementClass<E extends Element> = abstract new () => E;

/** Returns the first element that matches, or null. */
export function findOptional<E extends Element>(
  selector: string,
  type: ElementClass<E>,
  root: ParentNode = document,
): E | null {
  const element = root.querySelector(selector);
  if (element === null || element instanceof type) return element;
  throw new Error(`${selector} is not an ${type.name}`);
}

export function find<E extends Element>(
  selector: string,
  type: ElementClass<E>,
  root: ParentNode = document,
): E {
  const element = findOptional(selector, type, root);
  if (element === null) throw new Error(`The page has no ${selector}`);
  return element;
}

export function findById<E extends Element>(id: string, type: ElementClass<E>): E {
  return find(`#${CSS.escape(id)}`, type);
}

export function findAll<E extends Element>(
  selector: string,
  type: ElementClass<E>,
  root: ParentNode = document,
): E[] {
  return [...root.querySelectorAll(selector)].filter(
    (element): element is E => element instanceof type,
  );
}

/** Returns the form's control of that name. */
export function control<E extends Element>(
  form: HTMLFormElement,
  name: string,
  type: ElementClass<E>,
): E {
  const element = form.elements.namedItem(name);
  if (element instanceof type) return element;
  throw new Error(`The form has no ${type.name} named ${name}`);
}

/** Returns a `data-` attribute; `key` is in camel case, as in `dataset`. */
export function data(element: HTMLElement, key: string): string {
  const value = element.dataset[key];
  if (value === undefined) throw new Error(`An element has no data attribute ${key}`);
  return value;
}

/** Splits a list of words separated by spaces. An empty text has no words. */
export const splitWords = (text: string | undefined): string[] => (text ? text.split(' ') : []);

/** Returns the values of a form that has no file fields. */
export const formFields = (form: HTMLFormElement): URLSearchParams =>
  new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
