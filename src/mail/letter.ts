/** The text of an email, and the template that renders it as plain text and HTML. */
import { escapeHtml } from '../text/escape-html.ts';

export interface Letter {
  subject: string;
  paragraphs: readonly string[];
  /** The button, after the paragraphs */
  link?: { label: string; url: string };
  /** In smaller type, after the button */
  notes: readonly string[];
}

export interface Message {
  subject: string;
  text: string;
  html: string;
}

/** Columns of plain text: RFC 5322, 2.1.1, recommends fewer than 78. */
const TEXT_WIDTH = 76;

/** @param sender name of the service, at the end of the message */
export function renderLetter(letter: Letter, sender: string): Message {
  return { subject: letter.subject, text: textOf(letter, sender), html: htmlOf(letter, sender) };
}

function textOf({ paragraphs, link, notes }: Letter, sender: string): string {
  const blocks = [
    ...paragraphs.map(wrap),
    // Mail programs link an address only if it isn't broken into lines.
    ...(link ? [`${link.label}:\n${link.url}`] : []),
    ...notes.map(wrap),
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
function htmlOf({ subject, paragraphs, link, notes }: Letter, sender: string): string {
  const paragraph = (style: string) => (text: string) =>
    `<p style="margin:0 0 16px;${style}">${escapeHtml(text)}</p>`;
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
${link ? buttonOf(link) : ''}
${notes.map(paragraph('font-size:14px;opacity:0.75')).join('\n')}
<p style="margin:24px 0 0;font-size:14px;opacity:0.75">${escapeHtml(sender)}</p>
</div>
</body>
</html>
`;
}

/** Also shows the address, so that people see where the button leads. */
const buttonOf = ({ label, url }: { label: string; url: string }) =>
  `<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="display:inline-block;padding:10px 20px;border-radius:6px;background:#2b6178;color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(label)}</a></p>
<p style="margin:0 0 16px;font-size:14px;opacity:0.75;overflow-wrap:anywhere">${escapeHtml(url)}</p>`;
