/** A map on a page, as a picture for the reader's screen size and color scheme. */
import { html, type Html } from './html.ts';
import type { Links, MapImage, MapSize } from './links.ts';

interface Figure {
  /** Size on wide screens. Default: the full width of the page */
  size?: MapSize;
  alt: string;
  caption?: Html;
  /** Whether it is visible without scrolling. The browser then loads it immediately */
  first?: boolean;
}

interface MapFigure extends Figure {
  metroSlug: string;
  verticalSlug: string;
}

/** The size of a picture. The server's default style and ratio apply if these are missing */
export type PictureSize = Pick<MapImage, 'size' | 'style' | 'ratio'>;

const NARROW_SIZE: MapSize = '400x400';

/** A map of a metro. */
export const mapFigure = ({ metroSlug, verticalSlug, ...figure }: MapFigure, links: Links): Html =>
  pictureFigure(figure, (picture) => links.map({ metroSlug, verticalSlug, ...picture }));

/**
 * Narrow screens get a picture of their own, since labels in a scaled picture would be too small.
 * @param address returns the address of a picture
 */
export function pictureFigure(
  { size = '1200x800', alt, caption, first }: Figure,
  address: (picture: PictureSize) => string,
): Html {
  const srcset = (image: Pick<MapImage, 'size' | 'style'>) =>
    ([1, 2] as const).map((ratio) => `${address({ ...image, ratio })} ${ratio}x`).join(', ');
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
        src="${address({ size })}"
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
