/** The page of a ZIP code for search engines. */
import type { ZipDetails } from '../../market/public/zip-details.ts';
import { metroPath, METROS_PATH, zipPath, type Links } from '../links.ts';
import type { Study } from '../study.ts';

/** https://schema.org/Dataset about a https://schema.org/Place, and the breadcrumbs of the page */
export function structuredDataOf(
  { profile, county, center }: ZipDetails,
  name: string,
  description: string,
  study: Study,
  links: Links,
) {
  const { zipCode, demographics, metroSlug, metroLabel } = profile;
  const url = links.absolute(zipPath(zipCode));
  const trail = [
    ['Metros', METROS_PATH],
    [metroLabel!, metroPath(metroSlug!)],
    [zipCode, zipPath(zipCode)],
  ] as const;
  return {
    '@graph': [
      {
        '@type': 'Dataset',
        name: `${name}: home-services demand and census figures`,
        description: `${description} Source: ${study.vintage}.`,
        url,
        dateModified: study.updatedAt,
        spatialCoverage: {
          '@type': 'Place',
          name,
          address: {
            '@type': 'PostalAddress',
            postalCode: zipCode,
            ...(demographics.city && { addressLocality: demographics.city }),
            ...(demographics.state && { addressRegion: demographics.state }),
            addressCountry: 'US',
          },
          ...(center && {
            geo: {
              '@type': 'GeoCoordinates',
              latitude: Number(center.lat.toFixed(5)),
              longitude: Number(center.lng.toFixed(5)),
            },
          }),
          ...(county && { containedInPlace: { '@type': 'AdministrativeArea', name: county } }),
        },
        isPartOf: links.absolute('/data-study'),
        distribution: {
          '@type': 'DataDownload',
          encodingFormat: 'application/json',
          contentUrl: links.absoluteApi(`/public/zip/${zipCode}`),
        },
      },
      {
        '@type': 'BreadcrumbList',
        itemListElement: trail.map(([label, path], i) => ({
          '@type': 'ListItem',
          position: i + 1,
          name: label,
          item: links.absolute(path),
        })),
      },
    ],
  };
}
