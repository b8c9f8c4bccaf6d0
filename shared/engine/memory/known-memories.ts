/** How many memories the model is shown. */
export const KNOWN_MEMORIES = 50;
