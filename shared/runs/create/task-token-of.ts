import { ServiceError } from "../../errors.ts";
import type { CreateRunForm } from "../../schemas/runs/run-forms.ts";
import type { RunsDeps } from "../runs-deps.ts";

/**
 * The task of a state machine that ends with the run, if its request names one.
 *
 * @throws ServiceError UNPROCESSABLE where the instance may end no tasks; BAD_REQUEST for a foreground run
 */
export function taskTokenOf(
  { task_token, background }: CreateRunForm,
  { db }: Pick<RunsDeps, "db">,
): string | undefined {
  if (task_token === undefined) return undefined;
  if (!db.outbox?.taskTokens)
    throw new ServiceError(
      "UNPROCESSABLE",
      "task_token: this instance ends no tasks of Step Functions; its operator allows it with taskTokens",
    );
  if (!background)
    throw new ServiceError(
      "BAD_REQUEST",
      "task_token needs background=true: a task waits for a run that goes on without a connection",
    );
  return task_token;
}
