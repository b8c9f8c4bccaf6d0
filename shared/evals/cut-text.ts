/** A response carries up to a hundred results, and is limited to 4 MB. */
const MAX_CHARS = 10_000;

/** Text shortened for results. The whole output is in the run. */
export const cutText = (text: string): string =>
  text.length <= MAX_CHARS
    ? text
    : `${text.slice(0, MAX_CHARS)}… (${text.length - MAX_CHARS} characters more)`;
