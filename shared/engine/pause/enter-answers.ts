import { ServiceError } from "../../errors.ts";
import type { RunOutput } from "../../schemas/runs/run.ts";
import { applyAnswers } from "./apply-answers.ts";
import type { ContinueRequest } from "./continue-request.ts";
import type { PlacedCall } from "./placed-calls.ts";
import { type PlacedAnswer, toolAnswersOf } from "./tool-answers-of.ts";

/**
 * The answers of a request, whether they come as calls or as requirements.
 *
 * @throws ServiceError BAD_REQUEST for an answer that names no call
 */
export function answersIn(
  { tools, requirements = [] }: Pick<ContinueRequest, "tools" | "requirements">,
  output: Pick<RunOutput, "requirements">,
): PlacedAnswer[] {
  const placed = toolAnswersOf(requirements, output.requirements);
  if (placed.length < requirements.length) {
    throw new ServiceError("BAD_REQUEST", "an answer in requirements names nothing that this run waits for");
  }
  return [...tools.map((answer) => ({ ...answer, member_run_id: undefined })), ...placed];
}

/**
 * Enters answers in their calls; see `applyAnswers`. Answers to nested runs that no longer wait are ignored: clients
 * send back everything that they were shown.
 */
export function enterAnswers<Placed extends PlacedCall>(
  placed: readonly Placed[],
  answers: readonly PlacedAnswer[],
): Placed[] {
  const runs = [...new Set(placed.map(({ member_run_id }) => member_run_id)), undefined];
  const answered = new Map(
    [...new Set(runs)].flatMap((run_id) => {
      const own = placed.filter(({ member_run_id }) => member_run_id === run_id);
      const calls = applyAnswers(
        own.map(({ call }) => call),
        answers.filter(({ member_run_id }) => member_run_id === run_id),
      );
      return own.map(({ key }, i) => [key, calls[i]] as const);
    }),
  );
  return placed.map((one) => ({ ...one, call: answered.get(one.key) ?? one.call }));
}
