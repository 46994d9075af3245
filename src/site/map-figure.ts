/** A map on a page, as a picture for the reader's screen size and color scheme. */
import { html, type Html } from './html.ts';
import type { Links, MapImage, MapSize } from './links.ts';

export interface MapFigure {
  metroSlug: string;
  verticalSlug: string;
  /** Size on wide screens. Default: the full width of the page */
  size?: MapSize;
  alt: string;
  caption?: Html;
  /** Whether it is visible without scrolling: the browser then loads it immediately */
  first?: boolean;
}

const NARROW_SIZE: MapSize = '400x400';

/** Narrow screens get a picture drawn for them, since labels in a scaled one would be too small. */
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
      ${source('(max-width: 600px) and (prefers-color-scheme: dark)', { size: NARROW_SIZE, style: 'dark' })}
      ${source('(max-width: 600px)', { size: NARROW_SIZE, style: 'light' })}
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
