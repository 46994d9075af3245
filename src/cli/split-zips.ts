/** Splits ZIP codes in an argument or a file at commas, spaces, and line ends. The service checks them. */
export const splitZips = (text: string) => text.split(/[\s,]+/).filter((zip) => zip !== '');
