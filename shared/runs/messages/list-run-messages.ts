import { steeredIds } from "../../domain/runs/steered-ids.ts";
import type { runRoutes } from "../../routes/runs.ts";
import type { RunMessage } from "../../schemas/runs/run-message.ts";
import type { Db } from "../../stores/db.ts";
import { readCheckpoint } from "../../stores/runs/checkpoint.ts";
import { listInbox, saidIn } from "../../stores/runs/inbox-item.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { RunsRequest } from "../component.ts";
import type { RunsDeps } from "../runs-deps.ts";
import { messagedRun } from "./messaged-run.ts";

type Needs = Pick<RunsDeps, "db" | "clock" | "knowsRunnable">;

/** The messages to a run, in the order in which they were accepted, and what became of each. */
export async function listRunMessages(
  request: RunsRequest<typeof runRoutes.listAgentMessages>,
  deps: Needs,
): Promise<{ messages: RunMessage[] }> {
  const run = await messagedRun(request, deps, request.query.session_id);
  const stored = await listInbox(deps.db, run.run_id);
  const lost = await neverPlaced(deps.db, run, stored);
  const messages = stored.map(async (one) => {
    const { message_id, state, step_id, moved_to, created_at } = one;
    const { content } = await saidIn(deps.db, one);
    return {
      ...{ message_id, content, state: lost.has(message_id) ? ("unread" as const) : state, created_at },
      ...(step_id !== undefined && { step_id }),
      ...(moved_to !== undefined && { moved_to }),
    };
  });
  return { messages: await Promise.all(messages) };
}

/** Those that an execution had taken which got no further, where no other one is under way: the run does not have them. */
async function neverPlaced(
  db: Db,
  run: StoredRun,
  stored: Awaited<ReturnType<typeof listInbox>>,
): Promise<ReadonlySet<string>> {
  const taken = stored.filter(({ state }) => state === "taken");
  if (taken.length === 0 || run.status === "PENDING" || run.status === "RUNNING") return new Set();
  const checkpoint = await readCheckpoint<unknown>(db, run);
  const placed = new Set([run.output, checkpoint?.state].flatMap(steeredIds));
  return new Set(taken.flatMap(({ message_id }) => (placed.has(message_id) ? [] : [message_id])));
}
