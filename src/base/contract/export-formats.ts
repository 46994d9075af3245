/**
 * The formats of files with figures. The command line loads this module without the rest of the territory
 * code.
 */
export const EXPORT_FORMATS = ['xlsx', 'csv', 'geojson', 'kml', 'shp'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
  geojson: 'application/geo+json',
  kml: 'application/vnd.google-earth.kml+xml',
  shp: 'application/zip',
};

/** The extension of a file's name. A shapefile consists of several files, so it is a ZIP archive. */
export const exportExtension = (format: ExportFormat) => (format === 'shp' ? 'zip' : format);
