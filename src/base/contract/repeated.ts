/** Says that a parameter or field that takes one value has several. */
export const repeated = (name: string, times: number) =>
  `${name} is given ${times === 2 ? 'twice' : `${times} times`}. Send it once.`;
