/** ZIP codes in an argument or a file, separated by commas, spaces, or line ends. The service checks them. */
export const splitZips = (text: string) => text.split(/[\s,]+/).filter((zip) => zip !== '');
