import type { EvalsDeps } from "./evals-deps.ts";

/** A message that cannot be sent is sent by the sweeper: what is to be done is on record. */
export const wake = ({ queue, log }: Pick<EvalsDeps, "queue" | "log">, eval_id: string): Promise<void> =>
  queue
    .send({ eval_id })
    .catch((error) => log.warn("could not enqueue evaluation", { eval_id, error: String(error) }));
