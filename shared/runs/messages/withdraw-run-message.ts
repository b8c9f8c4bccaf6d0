import { notFound, ServiceError } from "../../errors.ts";
import type { runRoutes } from "../../routes/runs.ts";
import { listInbox, markMessage } from "../../stores/runs/inbox-item.ts";
import type { RunsRequest } from "../component.ts";
import type { RunsDeps } from "../runs-deps.ts";
import { messagedRun } from "./messaged-run.ts";

type Needs = Pick<RunsDeps, "db" | "clock" | "knowsRunnable">;

/**
 * Takes back a message that its run has not taken. Of this and the run's next look one is first.
 *
 * @throws ServiceError NOT_FOUND, CONFLICT where the message is not unread any more
 */
export async function withdrawRunMessage(
  request: RunsRequest<typeof runRoutes.withdrawAgentMessage>,
  deps: Needs,
): Promise<undefined> {
  const run = await messagedRun(request, deps, request.query.session_id);
  const { message_id } = request.params;
  const message = (await listInbox(deps.db, run.run_id)).find((one) => one.message_id === message_id);
  if (!message) throw notFound("message", message_id);
  const state =
    message.state === "unread"
      ? await markMessage(deps.db, run.run_id, message.seq, "withdrawn")
      : `${message.state} already`;
  if (state !== "withdrawn") throw new ServiceError("CONFLICT", `message ${message_id} is ${state}`);
}
