const OPENING = "Your answer does not have the required form.";

/** The message to a model whose answer has the wrong form. */
export const correctionText = (reason: string): string =>
  `${OPENING} ${reason}\nAnswer again, with the corrected JSON alone.`;

/** Whether a message is such a correction, and not a person's message. */
export const isCorrection = (text: string): boolean => text.startsWith(OPENING);
