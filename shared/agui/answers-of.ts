import { ServiceError } from "../errors.ts";
import { type Answers, answerFields, type OpenInterrupt } from "../pauses/open-interrupts.ts";
import type { AguiMessage, AguiResume } from "../schemas/agui/run-agent-input.ts";
import { parsedJson } from "../schemas/values/json-values.ts";
import { aguiInterrupt } from "./agui-interrupt.ts";
import { textOf } from "./input-of.ts";

/** What a client answers to what a paused run waits for. */
export type Answered = {
  /** The fields of a continuation, each as JSON text; undefined where the run is to be cancelled instead. */
  readonly fields: Readonly<Record<string, string>> | undefined;
  /** Ids of calls whose results came as messages. */
  readonly calls: ReadonlySet<string>;
};

/**
 * The answers in a request: entries that name an interrupt, and results that name a call. A result answers any question about
 * its call, as JSON. An interrupt that is abandoned is refused; one that has no "no" cancels the run.
 *
 * @throws ServiceError CONFLICT for what the run does not wait for (any more), BAD_REQUEST for a payload that does not fit
 */
export function answersOf(
  open: readonly OpenInterrupt[],
  resume: readonly AguiResume[],
  results: readonly AguiMessage[],
): Answered {
  const calls = new Set(results.flatMap(({ toolCallId }) => toolCallId ?? []));
  const given: (Answers | undefined)[] = [
    ...resume.map(({ interruptId, status, payload }) => {
      const one = openWith(open, interruptId);
      return status === "cancelled" ? one.refuse() : fitting(one, payload);
    }),
    ...results.flatMap((message) => {
      const { toolCallId, error } = message;
      // Results of calls that the platform has executed itself are among a client's messages too.
      const one = open.find(({ call }) => call?.id === toolCallId);
      return one ? [fitting(one, error ?? resultIn(one, textOf(message)))] : [];
    }),
  ];
  if (given.includes(undefined)) return { fields: undefined, calls };
  return { fields: answerFields(given.filter((one) => one !== undefined)), calls };
}

/** The result of a call is text; answers to other questions are JSON in it. */
const resultIn = ({ interrupt }: OpenInterrupt, text: string): unknown =>
  interrupt.reason === "external_execution" ? text : (parsedJson(text) ?? text);

function openWith(open: readonly OpenInterrupt[], id: string): OpenInterrupt {
  const found = open.find(({ interrupt }) => interrupt.id === id);
  if (!found)
    throw new ServiceError("CONFLICT", `interrupt ${id} is not open; it may have been answered before`);
  return found;
}

function fitting(one: OpenInterrupt, payload: unknown): Answers {
  const answer = one.answer(payload);
  if (answer) return answer;
  const { id, responseSchema } = aguiInterrupt(one);
  throw new ServiceError(
    "BAD_REQUEST",
    `the payload for ${id} is no answer to it; it must fit ${JSON.stringify(responseSchema)}`,
  );
}
