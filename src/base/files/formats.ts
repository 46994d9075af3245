/** Tells formats that hardly any reader knows from others, by the first bytes or the name of a file. Pure. */
import { extname } from 'node:path';

export interface Format {
  what: string;
  extensions: readonly string[];
  /** Of the first bytes, as Latin-1 text */
  head?: RegExp;
}

const FORMATS: readonly Format[] = [
  { what: 'a GeoPackage', extensions: ['.gpkg'], head: /^SQLite format 3/ },
  { what: 'a KML file', extensions: ['.kml', '.kmz'], head: /^[^]{0,200}<kml\b/ },
  { what: 'a web page', extensions: ['.html', '.htm'], head: /^\s*<(!doctype html|html)\b/i },
  { what: 'an XML file', extensions: ['.xml', '.gml'], head: /^(\u00ef\u00bb\u00bf)?\s*</ },
  { what: 'a FlatGeobuf file', extensions: ['.fgb'], head: /^fgb[^\w\s]/ },
  { what: 'a Parquet file', extensions: ['.parquet', '.geoparquet'], head: /^PAR1/ },
  { what: 'a MapInfo file', extensions: ['.tab', '.mif'] },
  { what: 'a PDF document', extensions: ['.pdf'], head: /^%PDF/ },
  { what: 'a picture', extensions: ['.png', '.jpg'], head: /^(\u0089PNG|\u00ff\u00d8\u00ff)/ },
  {
    what: 'an Excel workbook of an old version (.xls)',
    extensions: ['.xls'],
    head: /^\u00d0\u00cf[^\w\s]\u00e0/,
  },
  { what: 'a spreadsheet', extensions: ['.xlsx', '.ods'] },
  {
    what: 'a compressed archive',
    extensions: ['.gz', '.tgz', '.tar', '.7z', '.rar', '.bz2', '.xz'],
    head: /^([^\w\s]\u008b|7z\u00bc\u00af|Rar!|BZh\d1AY)/,
  },
  {
    what: 'one part of a shapefile',
    extensions: ['.shp', '.shx', '.dbf', '.prj', '.cpg', '.qix', '.sbn', '.sbx'],
    head: /^[^\w\s]{2}'\n/,
  },
  { what: 'a ZIP archive', extensions: ['.zip'], head: /^PK[^\w\s]{2}/ },
];

/** @param name of the file, whose extension tells formats that the first bytes don't */
export function formatOf(head: Buffer, name = ''): Format | undefined {
  const text = head.toString('latin1');
  const extension = extname(name).toLowerCase();
  return (
    FORMATS.find(({ head: pattern }) => pattern?.test(text)) ??
    FORMATS.find(({ extensions }) => extensions.includes(extension))
  );
}
