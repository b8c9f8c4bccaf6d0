/** Largest request body in bytes. More cannot reach a function: forms arrive in base64, and Lambda accepts 6 MB. */
export const MAX_BODY_BYTES = 4_700_000;

/** Where larger files can be sent. */
const KNOWLEDGE = "/knowledge/";
const LARGER_FILES = `; POST ${KNOWLEDGE}content/upload-url gives an address for larger files`;

/** The detail of the response to a body that is too large, by the path of its request. */
export const bodyTooLarge = (maxBytes: number, rawPath: string): string =>
  `a request body may hold at most ${maxBytes} bytes${rawPath.startsWith(KNOWLEDGE) ? LARGER_FILES : ""}`;
