/**
 * The encodings of tables: `.cpg` files name them in many ways, and dBASE has a byte for the language. Sources: GDAL,
 * "ESRI Shapefile / DBF" (encoding issues); Esri ArcPad, language driver IDs.
 */

type Decode = (bytes: Buffer) => string;

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Returns how to decode a table's text. Text is in the encoding that the `.cpg` file names. Without one, it is UTF-8 if
 * it can be: text of other encodings with a letter beyond ASCII is almost never valid UTF-8. Else it is in the code page
 * of the table's language, or in Windows-1252.
 * @param cpg content of the `.cpg` file, which is often lost
 * @param language the language byte in the table's header
 * @param note receives a remark about an unknown encoding
 */
export async function textDecoder(
  cpg: string | undefined,
  language: number,
  note: (text: string) => void,
): Promise<Decode> {
  const named = (cpg ?? '').trim();
  const [, id] = /^LDID\W*(\d+)/i.exec(named) ?? [];
  const page = pageOfLanguage(id === undefined ? language : Number(id));
  const isNamed = named !== '' && id === undefined && !/^(utf[^a-z0-9]*8|(cp)?65001)$/i.test(named);
  const encoding = isNamed ? await findEncoding(named) : null;
  if (encoding !== null) return decoder(encoding);
  if (isNamed) {
    note(
      `the encoding “${named}” of the .cpg file is unknown: text was read as UTF-8 or ` +
        `Windows-${WINDOWS_1252}, so check names with letters beyond ASCII`,
    );
  }
  const decodePage = page === null ? windows1252 : await decoder(`cp${page}`);
  return (bytes) => {
    try {
      return UTF_8.decode(bytes);
    } catch {
      return decodePage(bytes);
    }
  };
}

const WINDOWS_1252 = 1252;
const LATIN = new TextDecoder('windows-1252');
const windows1252: Decode = (bytes) => LATIN.decode(bytes);

/** Finds the encoding that a name such as `88591`, `ISO 8859-1`, `ANSI 1252`, or `OEM 437` means. */
async function findEncoding(named: string): Promise<string | null> {
  const { encodingIsSupported } = (await import('mapshaper')).default.internal;
  const plain = named.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const code = plain.replace(/^(ansi|oem|codepage|cp|windows|win|ms|ibm|dos)+/, '');
  const names = code === '' ? [`cp${WINDOWS_1252}`] : [plain, code, `cp${code}`, `iso${code}`];
  return names.find((name) => encodingIsSupported(name)) ?? null;
}

/** Mapshaper, which knows more encodings than Node, takes a second of CPU to load. */
async function decoder(encoding: string): Promise<Decode> {
  const { decodeString } = (await import('mapshaper')).default.internal;
  return (bytes) => decodeString(bytes, encoding);
}

/** Language bytes by code page. Windows-1252 is the default, and 87 means any encoding. */
const LANGUAGES: Readonly<Record<number, readonly number[]>> = {
  437: [1, 9, 11, 13, 15, 17, 21, 24, 25, 27],
  737: [106, 134],
  850: [2, 10, 14, 16, 18, 20, 22, 26, 29, 37, 55],
  852: [31, 34, 35, 64, 100, 135],
  857: [107, 136],
  860: [36],
  861: [103],
  863: [28, 108],
  865: [8, 23, 102],
  866: [38, 101],
  874: [80, 124],
  932: [19, 123],
  936: [77, 122],
  949: [78, 121],
  950: [79, 120],
  1250: [200],
  1251: [201],
  1253: [203],
  1254: [202],
  1257: [204],
};

function pageOfLanguage(id: number): string | null {
  return Object.entries(LANGUAGES).find(([, ids]) => ids.includes(id))?.[0] ?? null;
}
