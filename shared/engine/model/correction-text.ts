const OPENING = "Your answer does not have the required form.";

/** The message to a model whose answer has the wrong form. */
export const correctionText = (reason: string): string =>
  `${OPENING} ${reason}\nAnswer again, with the corrected JSON alone.`;

/** The message to a model whose answer broke off; what it has said is shown before it. */
export const GO_ON =
  "The connection broke within your answer. Go on exactly where it ended, without repeating any of it.";

/** Whether a message is the platform's own, and not a person's. */
export const isCorrection = (text: string): boolean => text.startsWith(OPENING) || text === GO_ON;
