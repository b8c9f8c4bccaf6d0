/** A text of at most so many characters, with a note of how many were left out. */
export const cutText = (text: string, chars: number): string =>
  text.length <= chars ? text : `${text.slice(0, chars)}… (${text.length - chars} characters more)`;
