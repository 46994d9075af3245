/** The text of an email, and the template that renders it as plain text and HTML. */
import { escapeHtml } from '../../base/text/escape-html.ts';

export interface Letter {
  subject: string;
  /** Who gets the answers. Default: the sender */
  replyTo?: string;
  paragraphs: readonly string[];
  /** Parts with their own headings, after the paragraphs */
  sections?: readonly Section[];
  /** The button, after the paragraphs and sections */
  link?: Link | undefined;
  /** In smaller type, after the button */
  notes: readonly string[];
  /** Stops emails of this kind (RFC 8058): the URL takes a POST from mail programs, and shows people a page. */
  unsubscribe?: { label: string; url: string };
}

interface Link {
  label: string;
  url: string;
}

export interface Section {
  heading: string;
  paragraphs: readonly string[];
  picture?: Picture | undefined;
  link?: Link;
}

/** A PNG that is sent with the message */
export interface Picture {
  bytes: Buffer;
  /** Description for people who don't see it */
  alt: string;
  /** Width in CSS pixels */
  width: number;
}

export interface Message {
  subject: string;
  replyTo: string | undefined;
  text: string;
  html: string;
  /** Pictures that the HTML shows, by their content ids (RFC 2392) */
  pictures: readonly { cid: string; bytes: Buffer }[];
  /** For mail programs, which send a POST (RFC 8058) */
  unsubscribeUrl: string | undefined;
}

/** Columns of plain text: RFC 5322, 2.1.1, recommends fewer than 78. */
const TEXT_WIDTH = 76;

/** @param sender name of the service, at the end of the message */
export function renderLetter(letter: Letter, sender: string): Message {
  const pictures = (letter.sections ?? []).flatMap(({ picture }, i) =>
    picture ? [{ cid: pictureId(i), bytes: picture.bytes }] : [],
  );
  return {
    subject: letter.subject,
    replyTo: letter.replyTo,
    text: textOf(letter, sender),
    html: htmlOf(letter, sender),
    pictures,
    unsubscribeUrl: letter.unsubscribe?.url,
  };
}

const pictureId = (section: number) => `picture-${section + 1}`;

function textOf({ paragraphs, sections = [], link, notes, unsubscribe }: Letter, sender: string) {
  // Mail programs link an address only if it isn't broken into lines.
  const lined = ({ label, url }: Link) => `${label}:\n${url}`;
  const blocks = [
    ...paragraphs.map(wrap),
    ...sections.flatMap((section) => [
      `${section.heading}\n${'-'.repeat(Math.min(section.heading.length, TEXT_WIDTH))}`,
      ...section.paragraphs.map(wrap),
      ...(section.link ? [lined(section.link)] : []),
    ]),
    ...(link ? [lined(link)] : []),
    ...notes.map(wrap),
    ...(unsubscribe ? [lined(unsubscribe)] : []),
    `-- \n${sender}`,
  ];
  return `${blocks.join('\n\n')}\n`;
}

function wrap(paragraph: string): string {
  const lines = [''];
  for (const word of paragraph.split(' ')) {
    const line = lines.at(-1)!;
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= TEXT_WIDTH)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}

/** Styles are inline, because mail programs remove stylesheets. */
function htmlOf(letter: Letter, sender: string): string {
  const { subject, paragraphs, sections = [], link, notes, unsubscribe } = letter;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto">
${paragraphs.map(paragraph('')).join('\n')}
${sections.map(sectionOf).join('\n')}
${link ? buttonOf(link) : ''}
${notes.map(paragraph(SMALL)).join('\n')}
${unsubscribe ? `<p style="margin:0 0 16px;${SMALL}"><a href="${escapeHtml(unsubscribe.url)}" style="color:inherit">${escapeHtml(unsubscribe.label)}</a></p>` : ''}
<p style="margin:24px 0 0;font-size:14px;opacity:0.75">${escapeHtml(sender)}</p>
</div>
</body>
</html>
`;
}

const SMALL = 'font-size:14px;opacity:0.75';

const paragraph = (style: string) => (text: string) =>
  `<p style="margin:0 0 16px;${style}">${escapeHtml(text)}</p>`;

function sectionOf({ heading, paragraphs, picture, link }: Section, i: number): string {
  const shown =
    picture &&
    `<p style="margin:0 0 16px"><img src="cid:${pictureId(i)}" alt="${escapeHtml(picture.alt)}" width="${picture.width}" style="display:block;width:100%;max-width:${picture.width}px;height:auto;border-radius:6px"></p>`;
  const led =
    link &&
    `<p style="margin:0 0 16px"><a href="${escapeHtml(link.url)}" style="color:inherit;font-weight:600">${escapeHtml(link.label)}</a></p>`;
  return [
    '<hr style="margin:24px 0;border:0;border-top:1px solid #8886">',
    `<h2 style="margin:0 0 8px;font-size:18px;line-height:1.35">${escapeHtml(heading)}</h2>`,
    ...paragraphs.map(paragraph('')),
    shown,
    led,
  ]
    .filter(Boolean)
    .join('\n');
}

/** Also shows the address, so that people see where the button leads. */
const buttonOf = ({ label, url }: { label: string; url: string }) =>
  `<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="display:inline-block;padding:10px 20px;border-radius:6px;background:#2b6178;color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(label)}</a></p>
<p style="margin:0 0 16px;font-size:14px;opacity:0.75;overflow-wrap:anywhere">${escapeHtml(url)}</p>`;
