export type ProgressLine = {
  /** Says where something stands, on a terminal, in place of what was said before. */
  readonly passing: (text: string) => void;
  /** Says something that stays. */
  readonly lasting: (text: string) => void;
  /** Takes away what was said in passing. */
  readonly clear: () => void;
};

type Output = {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly write: (text: string) => unknown;
};

const CLEAR_LINE = "\r\x1b[K";

/** Shows progress without filling the screen. */
export function progressLine(output: Output): ProgressLine {
  if (!output.isTTY) {
    return { passing: () => {}, lasting: (text) => void output.write(`${text}\n`), clear: () => {} };
  }
  return {
    // A line that wraps could not be cleared.
    passing: (text) => void output.write(`${CLEAR_LINE}${text.slice(0, (output.columns || 80) - 1)}`),
    lasting: (text) => void output.write(`${CLEAR_LINE}${text}\n`),
    clear: () => void output.write(CLEAR_LINE),
  };
}
