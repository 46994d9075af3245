/** The only mapshaper function we use; the package has no types. */
declare module 'mapshaper' {
  const mapshaper: {
    /**
     * Runs a command line given as words. Inputs and outputs are keyed by file name; an input that
     * isn't in `inputs` is read from disk.
     */
    applyCommands(
      words: string[],
      inputs: Record<string, string | Buffer | object>,
    ): Promise<Record<string, string | Buffer>>;
  };
  export default mapshaper;
}
