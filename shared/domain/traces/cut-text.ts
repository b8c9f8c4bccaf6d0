/** A text of so many characters at most; what was left out is told. */
export const cutText = (text: string, chars: number): string =>
  text.length <= chars ? text : `${text.slice(0, chars)}… (${text.length - chars} characters more)`;
