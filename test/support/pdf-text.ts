/** Reads the text of a PDF as readers that select or speak it do: through the fonts' Unicode tables. */
import { inflateSync } from 'node:zlib';

export interface PdfPages {
  /** Texts of each page, in the order in which they are drawn */
  pages: string[][];
  /** The objects, without their streams */
  objects: string;
}

/** @param file as pdfkit writes it: objects aren't in streams */
export function readPdf(file: Uint8Array): PdfPages {
  const objects = new Map<string, { head: string; stream: string | null }>();
  const text = Buffer.from(file).toString('latin1');
  for (const [, id, body] of text.matchAll(/(\d+) 0 obj\n(.*?)\nendobj/gs)) {
    const [head, rest] = body!.split('\nstream\n');
    const bytes = rest && Buffer.from(rest.slice(0, rest.lastIndexOf('\nendstream')), 'latin1');
    const isText = bytes && head!.includes('FlateDecode') && !head!.includes('/Image');
    objects.set(id!, {
      head: head!,
      stream: isText ? inflateSync(bytes, { finishFlush: 2 }).toString('latin1') : null,
    });
  }
  const reference = (head: string, key: string) => new RegExp(`/${key} (\\d+) 0 R`).exec(head)?.[1];
  const heads = [...objects.values()].map(({ head }) => head);
  const unicodeOf = new Map<string, string[]>();
  for (const head of heads.filter((one) => one.includes('/Font <<'))) {
    for (const [, name, id] of /\/Font <<(.*?)>>/s
      .exec(head)![1]!
      .matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const table = objects.get(reference(objects.get(id!)!.head, 'ToUnicode')!)!.stream!;
      const entries = table.matchAll(/^<[0-9a-f]+> <[0-9a-f]+> \[(.*)\]$/gm);
      unicodeOf.set(
        name!,
        [...entries].flatMap(([, list]) => list!.match(/<.*?>/g)!.map(decode)),
      );
    }
  }
  const pages = heads
    .filter((head) => /\/Type \/Page\n/.test(head))
    .map((head) => textsOf(objects.get(reference(head, 'Contents')!)!.stream!, unicodeOf));
  return { pages, objects: heads.join('\n') };
}

const decode = (hex: string) =>
  String.fromCharCode(...(hex.match(/[0-9a-f]{4}/g) ?? []).map((unit) => parseInt(unit, 16)));

function textsOf(content: string, unicodeOf: ReadonlyMap<string, readonly string[]>): string[] {
  let font = '';
  return content.split('\n').flatMap((line) => {
    font = /^\/(F\d+) [\d.]+ Tf/.exec(line)?.[1] ?? font;
    if (!line.endsWith(' TJ')) return [];
    const glyphs = [...line.matchAll(/<([0-9a-f]+)>/g)].flatMap(([, hex]) => hex!.match(/.{4}/g)!);
    return [glyphs.map((glyph) => unicodeOf.get(font)![parseInt(glyph, 16)]).join('')];
  });
}
