const OPENING = "Your answer does not have the required form.";

/** What a model is told about an answer of the wrong form. */
export const correctionText = (reason: string): string =>
  `${OPENING} ${reason}\nAnswer again, with the corrected JSON alone.`;

/** Whether a message is such a correction, and not something that a person said. */
export const isCorrection = (text: string): boolean => text.startsWith(OPENING);
