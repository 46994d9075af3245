/** A strict XML reader for what exports contain: elements, attributes, text, the five entities, and decimal references. */

export class XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[] = [];
  text = '';

  constructor(name: string, attributes: Readonly<Record<string, string>>) {
    this.name = name;
    this.attributes = attributes;
  }

  /** All descendants of that name, in document order */
  all(name: string): XmlElement[] {
    return this.children.flatMap((child) => [
      ...(child.name === name ? [child] : []),
      ...child.all(name),
    ]);
  }

  first(name: string): XmlElement {
    const [found] = this.all(name);
    if (found) return found;
    throw new Error(`<${this.name}> has no <${name}>`);
  }
}

const TOKEN = /<\/([\w:]+)>|<([\w:]+)((?:\s+[\w:]+="[^"<]*")*)\s*(\/?)>|([^<]+)/y;
const ENTITY: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/** Returns the root element. @throws Error if the document isn't well-formed */
export function xmlTree(document: string): XmlElement {
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!document.startsWith(head)) throw new Error('no XML declaration');
  // eslint-disable-next-line no-control-regex
  const illegal = /[\u{0}-\u{8}\u{B}\u{C}\u{E}-\u{1F}\u{FFFE}\u{FFFF}]|\p{Cs}/u.exec(document);
  if (illegal) throw new Error(`illegal character at ${illegal.index}`);
  const outside = new XmlElement('', {});
  const open = [outside];
  TOKEN.lastIndex = head.length;
  while (TOKEN.lastIndex < document.length) {
    const at = TOKEN.lastIndex;
    const token = TOKEN.exec(document);
    if (!token) throw new Error(`not well-formed: ${document.slice(at, at + 60)}`);
    const [, closing, opening, attributes = '', empty, text] = token;
    if (text !== undefined) open.at(-1)!.text += unescaped(text);
    if (closing !== undefined && open.pop()!.name !== closing) throw new Error(`</${closing}>?`);
    if (opening === undefined) continue;
    const element = new XmlElement(opening, attributesIn(attributes));
    open.at(-1)!.children.push(element);
    if (empty !== '/') open.push(element);
  }
  if (open.length !== 1 || outside.text.trim() !== '') throw new Error('unclosed elements');
  const [root, ...more] = outside.children;
  if (!root || more.length > 0) throw new Error('there must be one root');
  return root;
}

function unescaped(text: string): string {
  return text.replaceAll(/&(#?\w*;?)/g, (_, name: string) => {
    const code = /^#(\d+);$/.exec(name)?.[1];
    const character = code ? String.fromCodePoint(Number(code)) : ENTITY[name.replace(/;$/, '')];
    if (character === undefined || !name.endsWith(';')) throw new Error(`&${name}?`);
    return character;
  });
}

const attributesIn = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, name, value]) => [name!, unescaped(value!)]),
  );
