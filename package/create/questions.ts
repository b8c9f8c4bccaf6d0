import { createInterface } from "node:readline/promises";
import { CreateError } from "./create-error.ts";

/** Asks a person what the command has not said. */
export type Questions = {
  /**
   * @param otherwise  what an empty answer means
   * @param problemOf  why an answer cannot be, as a sentence: it is asked again then
   * @throws CreateError where the person leaves
   */
  readonly ask: (question: string, otherwise: string, problemOf?: ProblemOf) => Promise<string>;
  /** One of several, by its name or its number in the list that is shown. */
  readonly choose: <T extends string>(
    question: string,
    choices: Readonly<Record<T, string>>,
    otherwise: T,
  ) => Promise<T>;
  readonly close: () => void;
};

export type ProblemOf = (answer: string) => string | undefined;

/** At a terminal; it is closed so that the process can end. */
export function openQuestions(
  input: NodeJS.ReadableStream = process.stdin,
  output: NodeJS.WritableStream = process.stdout,
): Questions {
  const lines = createInterface({ input, output });
  // Ctrl-C ends the questions, as the end of the input does.
  lines.on("SIGINT", () => lines.close());
  const entered = lines[Symbol.asyncIterator]();
  const ask: Questions["ask"] = async (question, otherwise, problemOf = () => undefined) => {
    for (;;) {
      output.write(`${question} (${otherwise}) `);
      const { value, done } = await entered.next();
      if (done) throw new CreateError("\nNothing was made.");
      const answer = value.trim() || otherwise;
      const problem = problemOf(answer);
      if (problem === undefined) return answer;
      output.write(`${problem}\n`);
    }
  };
  return {
    ask,
    choose: async <T extends string>(
      question: string,
      choices: Readonly<Record<T, string>>,
      otherwise: T,
    ) => {
      const names = Object.keys(choices).filter((name): name is T => Object.hasOwn(choices, name));
      const width = Math.max(...names.map((name) => name.length));
      names.forEach(
        (name, at) => void output.write(`  ${at + 1}  ${name.padEnd(width)}  ${choices[name]}\n`),
      );
      const named = (answer: string) =>
        names.find((name, at) => answer === name || answer === String(at + 1));
      const problemOf: ProblemOf = (answer) =>
        named(answer) === undefined ? `There is no ${answer} in the list.` : undefined;
      return named(await ask(question, otherwise, problemOf)) ?? otherwise;
    },
    close: () => lines.close(),
  };
}
