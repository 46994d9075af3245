/** Display text for the source of sample figures. */
export const SAMPLE_VINTAGE = 'Sample data (synthetic; not ACS)';

/** The year of the sample: homes of the 2020s were built until its end. */
export const SAMPLE_YEAR = 2022;
