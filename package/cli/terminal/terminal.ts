import { createInterface } from "node:readline/promises";

/** The person at the terminal. */
export type Terminal = {
  readonly write: (text: string) => void;
  /** @returns undefined where the input has ended */
  readonly ask: (question: string) => Promise<string | undefined>;
  readonly close: () => void;
};

/**
 * This process's own; it is closed so that the process can end.
 *
 * @param output  where the person reads; for a command that prints JSON that is not where programs read
 */
export function openTerminal(output: NodeJS.WriteStream = process.stdout): Terminal {
  const { stdin } = process;
  const lines = createInterface({ input: stdin, output, terminal: stdin.isTTY === true });
  const entered = lines[Symbol.asyncIterator]();
  return {
    write: (text) => void output.write(text),
    ask: async (question) => {
      output.write(question);
      const { value, done } = await entered.next();
      return done ? undefined : value;
    },
    close: () => lines.close(),
  };
}
