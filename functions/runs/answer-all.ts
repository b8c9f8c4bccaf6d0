import { decideInPassing } from "../../shared/engine/decide-in-passing.ts";
import { type AnsweredRun, answerRun } from "../../shared/engine/plan-continue.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { newId } from "../../shared/runtime/ids.ts";
import type { Continuation } from "../../shared/stores/transactions/continue-run.ts";
import type { Continuing } from "./continue-agent-run.ts";
import type { RunsDeps } from "./runs-deps.ts";

/**
 * A paused run with the request's answers and what its approvals say. An admin's answers settle what is pending.
 *
 * @throws ServiceError BAD_REQUEST while something is unanswered; CONFLICT while an approval is pending
 */
export function answerAll(
  { request, run, asked, agent, approvals }: Continuing,
  { clock }: RunsDeps,
): AnsweredRun & Pick<Continuation, "settled"> {
  const now = epochSeconds(clock);
  const { admin, user_id } = request.principal;
  const decided = approvals.map((approval) =>
    admin ? decideInPassing(approval, asked.tools, user_id, now) : { approval },
  );
  const known = decided.map(({ approval }) => approval);
  const answered = answerRun(run, asked, known, agent, { resolved_by: user_id, now }, { clock, newId });
  const settled = decided.flatMap(({ approval: { id }, settlement }) =>
    settlement ? [{ id, settlement }] : [],
  );
  return { ...answered, settled };
}
