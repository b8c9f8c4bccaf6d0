import { callerOf } from "../../shared/auth/caller.ts";
import { checkpointAt, checkpointsOf, snapshotAt } from "../../shared/domain/checkpoints-of.ts";
import { notFound, ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { runRoutes } from "../../shared/routes/runs.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { RunOutput } from "../../shared/schemas/run.ts";
import { showRunMedia } from "../../shared/stores/objects/show-run-media.ts";
import type { RunsDeps } from "./runs-deps.ts";
import { visibleRun } from "./visible-run.ts";

type Needs = Pick<RunsDeps, "db" | "clock" | "findAgent">;

/** @source contract, runs-and-queue section 9: any number of messages up to all of them, else 400 */
export const getCheckpoint: Handler<typeof runRoutes.getCheckpoint, Needs> = async (request, deps) => {
  const { agent_id, run_id, message_index } = request.params;
  const { session_id } = request.query;
  if (!deps.findAgent(agent_id)) throw notFound("agent", agent_id);
  const asked = { component_id: agent_id, session_id, run_id };
  const { output } = await visibleRun(deps.db, callerOf(request.principal), asked, epochSeconds(deps.clock));
  const index = indexOf(message_index, output);
  const earlier = checkpointsOf(output).filter((one) => one.message_index < index);
  const snapshot = await showRunMedia(deps.db, snapshotAt(output, index));
  return { checkpoint: checkpointAt(output, index, earlier.length + 1), snapshot };
};

function indexOf(text: string, { messages = [] }: RunOutput): number {
  const index = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (index <= messages.length) return index;
  throw new ServiceError("BAD_REQUEST", `message_index must be a number from 0 to ${messages.length}`);
}
