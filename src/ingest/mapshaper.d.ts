/** The one entry of mapshaper that we use; it ships no types. */
declare module 'mapshaper' {
  const mapshaper: {
    /**
     * Runs a command line given as words. Inputs and outputs are held by file name; an input that
     * is not among `inputs` is read from disk.
     */
    applyCommands(
      words: string[],
      inputs: Record<string, string | Buffer | object>,
    ): Promise<Record<string, string | Buffer>>;
  };
  export default mapshaper;
}
