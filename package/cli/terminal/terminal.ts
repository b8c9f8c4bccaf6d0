import { createInterface } from "node:readline/promises";

/** The person at the terminal. */
export type Terminal = {
  readonly write: (text: string) => void;
  /** @returns undefined where the input has ended */
  readonly ask: (question: string) => Promise<string | undefined>;
  readonly close: () => void;
};

/** This process's own; it is closed so that the process can end. */
export function openTerminal(): Terminal {
  const { stdin, stdout } = process;
  const lines = createInterface({ input: stdin, output: stdout, terminal: stdin.isTTY === true });
  const entered = lines[Symbol.asyncIterator]();
  return {
    write: (text) => void stdout.write(text),
    ask: async (question) => {
      stdout.write(question);
      const { value, done } = await entered.next();
      return done ? undefined : value;
    },
    close: () => lines.close(),
  };
}
