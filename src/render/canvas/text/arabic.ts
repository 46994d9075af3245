/**
 * Writes Arabic letters in the forms that they have in a word. Glyph files have one glyph per character, so
 * each letter is replaced by the character of its form (Unicode's Arabic Presentation Forms). Pure.
 */

/** Positions in `FORMS` */
const [ISOLATED, FINAL, INITIAL, MEDIAL] = [0, 1, 2, 3];

/**
 * The characters of each letter: isolated, final, initial, and medial. Only some letters have the last two.
 */
const FORMS = new Map<string, string[]>();

/** Lam and alef are written as one. By the two letters: the isolated and the final ligature. */
const LIGATURES = new Map<string, string[]>();

// Unicode's compatibility mappings lead from forms to letters. Presentation Forms-B come first, then A.
for (let code = 0xfe70; code <= 0xfefc; code++) recordForm(String.fromCodePoint(code));
for (let code = 0xfb50; code <= 0xfbff; code++) recordForm(String.fromCodePoint(code));

/**
 * Records a form. Unicode lists the forms of a letter in order, and shows marks on a space or on a joining
 * line.
 */
function recordForm(form: string): void {
  const letters = form.normalize('NFKC');
  const [first, second] = letters;
  if (letters === form) return;
  if (second === undefined) append(FORMS, letters, form);
  else if (/^[ \u0640]\p{Mn}$/u.test(letters)) {
    const forms = FORMS.get(second) ?? [];
    FORMS.set(second, forms);
    forms[first === ' ' ? ISOLATED! : MEDIAL!] = form;
  } else if (first === '\u0644' && form >= '\ufef5') append(LIGATURES, letters, form);
}

function append(map: Map<string, string[]>, key: string, form: string): void {
  map.set(key, [...(map.get(key) ?? []), form]);
}

/**
 * Characters by Unicode's Joining_Type, in hexadecimal: letters that join on both sides, letters that join
 * only to the previous one, characters that only continue a join, and marks, which don't affect it.
 */
const DUAL = pattern(
  '620 626 628 62a-62e 633-63f 641-647 649-64a 66e-66f 678-687 69a-6bf 6c1-6c2 6cc 6ce 6d0-6d1 6fa-6fc 6ff ' +
    '750-758 75c-76a 76d-770 772 775-777 77a-77f 886 889-88d 88f 8a0-8a9 8af-8b0 8b3-8b8 8ba-8c8',
);
const RIGHT = pattern(
  '622-625 627 629 62f-632 648 671-673 675-677 688-699 6c0 6c3-6cb 6cd 6cf 6d2-6d3 6d5 6ee-6ef 759-75b ' +
    '76b-76c 771 773-774 778-779 870-882 88e 8aa-8ac 8ae 8b1-8b2 8b9',
);
const CONNECTOR = pattern('640 883-885 200d');
const MARK = pattern(
  '610-61a 61c 64b-65f 670 6d6-6dc 6df-6e4 6e7-6e8 6ea-6ed 897-89f 8ca-8e1 8e3-8ff feff',
);

function pattern(ranges: string): RegExp {
  const escaped = ranges.replaceAll(/[0-9a-f]+/g, String.raw`\u{$&}`).replaceAll(' ', '');
  return new RegExp(`[${escaped}]`, 'u');
}

const ARABIC = /[\u0600-\u06ff\u0750-\u077f\u0870-\u08ff]/;

export function withArabicForms(text: string): string {
  if (!ARABIC.test(text)) return text;
  const characters = [...text];
  const letters = characters.filter((character) => !MARK.test(character));
  const forms = letters.map((letter, i) => formOf(letter, letters[i - 1], letters[i + 1]));

  let result = '';
  let index = 0;
  let markForm = ISOLATED!;
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i]!;
    if (MARK.test(character)) {
      result += inForm(character, markForm);
      continue;
    }
    const form = forms[index++]!;
    // A mark has another form above a letter that joins the next one.
    markForm = form === INITIAL || form === MEDIAL ? MEDIAL! : ISOLATED!;
    const ligature = LIGATURES.get(character + letters[index]);
    if (ligature === undefined) {
      result += form === null ? character : inForm(character, form!);
      continue;
    }
    result += ligature[form === MEDIAL || form === FINAL ? 1 : 0]!;
    // The marks of the lam stay. The alef is part of the ligature.
    while (MARK.test(characters[++i]!)) result += inForm(characters[i]!, markForm);
    markForm = ISOLATED!;
    index++;
  }
  return result;
}

/** Returns a position in `FORMS`, or null for a character that has no forms. */
function formOf(letter: string, before = '', after = ''): number | null {
  const isDual = DUAL.test(letter);
  if (!isDual && !RIGHT.test(letter)) return null;
  const joinsBefore = DUAL.test(before) || CONNECTOR.test(before);
  const joinsAfter = isDual && (DUAL.test(after) || RIGHT.test(after) || CONNECTOR.test(after));
  if (joinsBefore) return joinsAfter ? MEDIAL! : FINAL!;
  return joinsAfter ? INITIAL! : ISOLATED!;
}

function inForm(letter: string, form: number): string {
  const forms = FORMS.get(letter);
  return forms?.[form] ?? forms?.[ISOLATED!] ?? letter;
}
