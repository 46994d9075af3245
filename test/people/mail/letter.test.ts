import { describe, expect, it } from 'vitest';
import { renderLetter } from '../../../src/people/mail/letter.ts';

const url = `https://territory.example/password/svc_password_${'a'.repeat(40)}?a=1&b=2`;
const letter = {
  subject: 'Join <Best> & Sons',
  paragraphs: ['Hello Pat,', `Someone ${'said something '.repeat(12)}about <b>"Best" & Sons'</b>.`],
  link: { label: 'Accept the invitation', url },
  notes: ['The link works once.'],
};

describe('a letter', () => {
  const { subject, text, html } = renderLetter(letter, 'Territory');

  it('is plain text in short lines, with the link in one piece', () => {
    expect(subject).toBe('Join <Best> & Sons');
    const lines = text.split('\n');
    expect(lines).toContain(url);
    expect(lines.filter((line) => line.length > 76)).toEqual([url]);
    expect(text).toContain(
      `Accept the invitation:\n${url}\n\nThe link works once.\n\n-- \nTerritory\n`,
    );
    expect(text.replaceAll('\n', ' ')).toContain(`about <b>"Best" & Sons'</b>.`);
  });

  it('is HTML in which no value is markup', () => {
    expect(html).toContain('about &lt;b&gt;&quot;Best&quot; &amp; Sons&#39;&lt;/b&gt;.');
    expect(html).toContain('<title>Join &lt;Best&gt; &amp; Sons</title>');
    expect(html).toContain(`<a href="${url.replace('&', '&amp;')}"`);
    expect(html).not.toContain('<b>');
  });

  it('loads nothing from the internet', () => {
    expect(html.match(/https?:\/\/[^\s"<]+/g)).toEqual(Array(2).fill(url.replace('&', '&amp;')));
    expect(html).not.toMatch(/<(img|link|script|style)\b/);
  });

  it('needs no link', () => {
    const without = { ...letter, link: undefined };
    expect(renderLetter(without, 'Territory').html).not.toContain('<a ');
  });
});
