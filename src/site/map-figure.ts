/** A map on a page, in the picture that fits the reader's screen. */
import { html, type Html } from './html.ts';
import type { Links, MapImage, MapSize } from './links.ts';

export interface MapFigure {
  metroSlug: string;
  verticalSlug: string;
  /** On wide screens; left out: the whole width of the page */
  size?: MapSize;
  /** What the map shows, for who cannot see it */
  alt: string;
  caption?: Html;
  /** Shown without scrolling, so that the browser should not wait to load it */
  first?: boolean;
}

const NARROW: MapSize = '400x400';

/**
 * Shrunk, a map's labels could not be read: narrow screens get one drawn for them. Where the
 * reader's system is dark, the map is too.
 */
export function mapFigure(figure: MapFigure, links: Links): Html {
  const { metroSlug, verticalSlug, size = '1200x800', alt, caption, first } = figure;
  const srcset = (image: Pick<MapImage, 'size' | 'style'>) =>
    ([1, 2] as const)
      .map((ratio) => `${links.map({ metroSlug, verticalSlug, ...image, ratio })} ${ratio}x`)
      .join(', ');
  const source = (media: string, image: Required<Pick<MapImage, 'size' | 'style'>>) => {
    const [width, height] = image.size.split('x');
    return html`<source
      media="${media}"
      srcset="${srcset(image)}"
      width="${width}"
      height="${height}"
    />`;
  };
  const [width, height] = size.split('x');
  return html`<figure class="map">
    <picture>
      ${source('(max-width: 600px) and (prefers-color-scheme: dark)', { size: NARROW, style: 'dark' })}
      ${source('(max-width: 600px)', { size: NARROW, style: 'light' })}
      ${source('(prefers-color-scheme: dark)', { size, style: 'dark' })}
      <img
        src="${links.map({ metroSlug, verticalSlug, size })}"
        srcset="${srcset({ size, style: 'light' })}"
        width="${width}"
        height="${height}"
        alt="${alt}"
        ${first ? html`fetchpriority="high"` : html`loading="lazy"`}
      />
    </picture>
    ${caption && html`<figcaption>${caption}</figcaption>`}
  </figure>`;
}
