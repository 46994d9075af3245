import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dataBlock, html } from '../../../src/doors/site/html.ts';

const unescape = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

describe('html', () => {
  it('escapes text between tags and in attributes', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'<>&"\'a;/') }), (text) => {
        const { text: output } = html`${text}`;
        expect(output).not.toMatch(/[<>"']/);
        expect(unescape(output)).toBe(text);
      }),
    );
  });

  it('inserts HTML unchanged', () => {
    expect(html`<p>${html`<b>${'R&D'}</b>`}</p>`.text).toBe('<p><b>R&amp;D</b></p>');
  });

  it('concatenates lists and inserts nothing for null, undefined, and false', () => {
    expect(html`${[1, null, 'a', [html`<i></i>`, undefined, false]]}`.text).toBe('1a<i></i>');
    expect(html`${0}`.text).toBe('0');
  });
});

describe('dataBlock', () => {
  it('holds any text without ending early', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('</script>', '<!--', '<script>', '"', 'x') }),
        (text) => {
          const { text: output } = dataBlock('application/ld+json', { text });
          const content = /^<script type="application\/ld\+json">([^<]*)<\/script>$/.exec(
            output,
          )![1]!;
          expect(JSON.parse(content)).toEqual({ text });
        },
      ),
    );
  });
});
