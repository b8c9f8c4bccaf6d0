/** Memories that the model is told of. */
export const KNOWN_MEMORIES = 50;
