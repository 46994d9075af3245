/**
 * The web component of a locator, for websites of organizations: `<territory-locator src="…/locators/CODE">`. Its
 * children are shown where scripts don't run. It has no dependencies, sets no cookies, and loads nothing but answers.
 * A website sets its look with CSS: fonts and text colors are inherited, and `--locator-accent` and `--locator-radius`
 * replace ours.
 */

interface Form {
  language: string;
  heading: string;
  label: string;
  button: string;
  accent: string | null;
  geocodes: boolean;
  labels: Record<
    | 'call'
    | 'website'
    | 'directions'
    | 'nearest'
    | 'hours'
    | 'answer'
    | 'malformed'
    | 'tooMany'
    | 'failed',
    string
  >;
}

interface Place {
  name: string;
  address: string | null;
  phone: string | null;
  phoneUrl: string | null;
  url: string | null;
  hours: string | null;
  distance: string;
  directionsUrl: string;
}

interface Answer {
  status: string;
  message: string;
  brands: {
    name: string;
    phone: string | null;
    phoneUrl: string | null;
    url: string | null;
    nearestPlace: Place | null;
  }[];
}

const CSS = `
:host{display:block;max-width:36rem;color:inherit;font:inherit;line-height:1.5}
:host([hidden]){display:none}
*{box-sizing:border-box}
h2{margin:0 0 .75em;font-size:1.375em;line-height:1.2;text-wrap:balance}
h3{margin:1em 0 0;font-size:1.0625em}
label{display:block;margin-bottom:.375em;font-weight:600}
form div,.reach{display:flex;flex-wrap:wrap;gap:.625em}
input,button,.button{min-height:3.125em;padding:.5em 1em;border-radius:var(--radius);font:inherit}
input{flex:1 1 10em;min-width:0;border:1px solid currentColor;background:Field;color:FieldText;font-size:max(1em,16px)}
button,.button{display:inline-flex;align-items:center;justify-content:center;gap:.5em;flex:1 0 auto;border:0;background:var(--accent);color:var(--ink);font-weight:600;text-decoration:none;cursor:pointer}
.plain{border:1px solid currentColor;background:none;color:inherit}
button[disabled]{opacity:.6;cursor:progress}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
a:not(.button){color:inherit;text-decoration-color:var(--accent);text-decoration-thickness:2px;text-underline-offset:.2em}
.problem{margin:.5em 0 0;font-weight:600}
[role=status]:not(:empty){margin-top:1.25em;padding:1.125em;border:1px solid color-mix(in srgb,currentColor 20%,transparent);border-top:5px solid var(--accent);border-radius:calc(var(--radius) + 4px)}
[role=status]:focus{outline:none}
p{margin:0}
.headline{font-size:1.125em;font-weight:600}
.reach{margin-top:.875em}
.place{margin-top:1em;padding:.875em 1em;border-radius:var(--radius);background:color-mix(in srgb,currentColor 6%,transparent)}
.quiet{opacity:.8}
.name{font-weight:600}`;

type Child = Node | string | null | false;

/** Texts never become HTML. */
function el(
  tag: string,
  attributes: Record<string, string | null>,
  ...children: Child[]
): HTMLElement {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null) made.setAttribute(name, value);
  }
  made.append(
    ...children.filter((child): child is Node | string => child !== null && child !== false),
  );
  return made;
}

const external = { target: '_blank', rel: 'noopener noreferrer' };

/** Returns black or white, whichever is easier to read on a color. */
function inkOn(color: string): string {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const channel = parseInt(color.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  // White has a contrast of at least 4.5:1 on darker colors.
  return 0.2126 * r + 0.7152 * g + 0.0722 * b <= 1.05 / 4.5 - 0.05 ? '#fff' : '#000';
}

export class TerritoryLocator extends HTMLElement {
  static observedAttributes = ['src', 'lang'];

  #root = this.attachShadow({ mode: 'open' });
  /** Increases with each load, so that an answer that comes late is dropped */
  #loads = 0;

  connectedCallback(): void {
    void this.#load();
  }

  attributeChangedCallback(_name: string, before: string | null, after: string | null): void {
    if (this.isConnected && before !== after) void this.#load();
  }

  async #load(): Promise<void> {
    const load = ++this.#loads;
    // The children are shown until the form is, and if it can't be.
    this.#root.replaceChildren(el('slot', {}));
    const lang = this.getAttribute('lang') ?? document.documentElement.lang;
    const language = /^(en|es)/.exec(lang)?.[0];
    const form = await this.#get<Form>('', language ? { lang: language } : {}).catch(() => null);
    if (form && load === this.#loads) this.#show(form);
  }

  async #get<T>(path: string, query: Record<string, string>): Promise<T> {
    const src = (this.getAttribute('src') ?? '').replace(/\/$/, '');
    const response = await fetch(`${src}${path}?${new URLSearchParams(query)}`, {
      credentials: 'omit',
    });
    if (!response.ok) throw response.status;
    return response.json() as Promise<T>;
  }

  #show(form: Form): void {
    const { accent, labels, geocodes } = form;
    const sheet = new CSSStyleSheet();
    const color = accent ?? '#1d4f63';
    sheet.replaceSync(
      `${CSS}\n:host{--accent:var(--locator-accent,${color});--ink:var(--locator-on-accent,${inkOn(color)});--radius:var(--locator-radius,10px)}`,
    );
    this.#root.adoptedStyleSheets = [sheet];
    const input = el('input', {
      id: 'where',
      name: 'where',
      required: '',
      maxlength: '200',
      enterkeyhint: 'search',
      placeholder: '75201',
      autocomplete: geocodes ? 'street-address' : 'postal-code',
      inputmode: geocodes ? null : 'numeric',
      'aria-describedby': 'problem',
    }) as HTMLInputElement;
    const button = el('button', {}, form.button) as HTMLButtonElement;
    const problem = el('p', { id: 'problem', class: 'problem', role: 'alert' });
    const status = el('div', { role: 'status', tabindex: '-1', 'aria-label': labels.answer });
    const asking = el(
      'form',
      { novalidate: '' },
      el('label', { for: 'where' }, form.label),
      el('div', {}, input, button),
      problem,
    );
    const refuse = (text: string) => {
      problem.textContent = text;
      input.setAttribute('aria-invalid', String(text !== ''));
      if (text !== '') input.focus();
    };
    const ask = async (query: Record<string, string>) => {
      try {
        const answer = await this.#get<Answer>('/answer', query);
        status.replaceChildren(...answerOf(answer, labels));
        status.focus();
      } catch (error) {
        refuse(error === 429 ? labels.tooMany : labels.failed);
      }
    };
    asking.addEventListener('submit', (event) => {
      event.preventDefault();
      const where = input.value.trim();
      const zip = /^(\d{5})(?:-?\d{4})?$/.exec(where)?.[1];
      status.replaceChildren();
      const isAddress = geocodes && /^\d+[a-z]?[\s,]+.*[a-z]{3}/i.test(where);
      if (zip === undefined && !isAddress) return refuse(labels.malformed);
      refuse('');
      button.disabled = true;
      const query = { lang: form.language, ...(zip === undefined ? { address: where } : { zip }) };
      void ask(query).finally(() => (button.disabled = false));
    });
    const shown = el('div', { lang: form.language }, el('h2', {}, form.heading), asking, status);
    this.#root.replaceChildren(shown);
  }
}

function answerOf({ message, brands }: Answer, labels: Form['labels']): Node[] {
  const isNamed = brands.length > 1;
  return [
    el('p', { class: 'headline' }, message),
    ...brands.map(({ name, phone, phoneUrl, url, nearestPlace: near }) =>
      el(
        'div',
        {},
        isNamed && el('h3', {}, name),
        el(
          'div',
          { class: 'reach' },
          linkOf(
            phoneUrl ?? near?.phoneUrl,
            { class: 'button' },
            `${labels.call} ${phone ?? near?.phone}`,
          ),
          linkOf(url ?? near?.url, { class: 'button plain', ...external }, labels.website),
        ),
        near && placeOf(near, labels),
      ),
    ),
  ];
}

const placeOf = (
  { name, address, hours, distance, directionsUrl }: Place,
  labels: Form['labels'],
) =>
  el(
    'div',
    { class: 'place' },
    el('p', { class: 'quiet' }, labels.nearest),
    el('p', { class: 'name' }, name),
    address !== null && el('p', {}, address),
    hours !== null && el('p', {}, hours),
    el('p', { class: 'quiet' }, distance),
    linkOf(directionsUrl, external, labels.directions),
  );

/** Links only to pages and phone numbers. */
const linkOf = (href: string | null | undefined, more: Record<string, string>, text: string) =>
  href && /^(https?|tel):/.test(href) ? el('a', { href, ...more }, text) : null;

if (!customElements.get('territory-locator')) {
  customElements.define('territory-locator', TerritoryLocator);
}
