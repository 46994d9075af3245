/**
 * The longest wait of a test for a condition, in milliseconds. Only a hang reaches it: on a busy machine with one core,
 * a step takes ten times as long as alone.
 */
export const PATIENCE_MS = 300_000;
