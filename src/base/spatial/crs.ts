/** NAD 83 and WGS 84 differ by less than 2 m in the US, so files may be in either. */
export const LNG_LAT_CRS = /CRS84|CRS83|EPSG:{1,2}(4326|4269)$/;
