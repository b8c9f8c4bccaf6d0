/**
 * After so long it counts as hanging what a test waits for. It ends the test and decides nothing: a busy machine takes
 * several times as long as a quiet one.
 */
export const HANGS_AFTER_MS = 60_000;
