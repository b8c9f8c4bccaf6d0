/** An answer tells up to a hundred results, and holds 4 MB. */
const MAX_CHARS = 10_000;

/** Text as results show it. The whole output is in the run. */
export const cutText = (text: string): string =>
  text.length <= MAX_CHARS
    ? text
    : `${text.slice(0, MAX_CHARS)}… (${text.length - MAX_CHARS} characters more)`;
