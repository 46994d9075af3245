import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dataBlock, html } from '../../src/site/html.ts';

const unescape = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

describe('html', () => {
  it('lets no text be read as markup, between tags or in an attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'<>&"\'a;/') }), (text) => {
        const { text: written } = html`${text}`;
        expect(written).not.toMatch(/[<>"']/);
        expect(unescape(written)).toBe(text);
      }),
    );
  });

  it('leaves alone what is HTML already', () => {
    expect(html`<p>${html`<b>${'R&D'}</b>`}</p>`.text).toBe('<p><b>R&amp;D</b></p>');
  });

  it('writes lists one after the other and nothing for what is not there', () => {
    expect(html`${[1, null, 'a', [html`<i></i>`, undefined, false]]}`.text).toBe('1a<i></i>');
    expect(html`${0}`.text).toBe('0');
  });
});

describe('a data block', () => {
  it('ends where it should, whatever it holds', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('</script>', '<!--', '<script>', '"', 'x') }),
        (text) => {
          const { text: written } = dataBlock('application/ld+json', { text });
          const content = /^<script type="application\/ld\+json">([^<]*)<\/script>$/.exec(
            written,
          )![1]!;
          expect(JSON.parse(content)).toEqual({ text });
        },
      ),
    );
  });
});
