/** What the sample says of itself wherever the source of a figure is shown. */
export const SAMPLE_VINTAGE = 'Sample data (synthetic; not ACS)';

/** The year the sample plays in: of the 2020s, homes have been built up to its end. */
export const SAMPLE_YEAR = 2022;
