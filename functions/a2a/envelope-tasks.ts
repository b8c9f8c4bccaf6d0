import { bareTask, envelope, envelopeTask } from "../../shared/a2a/envelope-task.ts";
import type { TaskView } from "../../shared/a2a/task-of.ts";
import { envelopeStateOf, hasEnded } from "../../shared/a2a/task-states.ts";
import { callerOf } from "../../shared/auth/caller.ts";
import { notFound, ServiceError } from "../../shared/errors.ts";
import { requireComponent } from "../../shared/runs/index.ts";
import { TaskEnvelope } from "../../shared/schemas/a2a/a2a-envelope.ts";
import type { A2aDeps, A2aRequest } from "./a2a-deps.ts";
import { stopTask } from "./cancel-task.ts";
import { findTask } from "./find-task.ts";
import { notJson, readJson } from "./read-json.ts";
import { readEnvelope } from "./send-envelope.ts";

/** Polls a task in the envelope dialect, which names its context as well. */
export async function readTask(request: A2aRequest, deps: A2aDeps) {
  const { id, params } = await readTaskEnvelope(request, deps);
  if (!params.contextId) throw new ServiceError("BAD_REQUEST", "params.contextId is required");
  return envelope(id, envelopeTask(await find(request, deps, params.id, params.contextId)));
}

/**
 * Cancels a task. One that has ended stays as it is; for one that is executed the cancellation is recorded when this
 * answers.
 *
 * @source docs/interface/a2a.md 4.5
 */
export async function stopTaskByEnvelope(request: A2aRequest, deps: A2aDeps) {
  const { id, params } = await readTaskEnvelope(request, deps);
  const context = params.contextId ?? undefined;
  if (context === undefined && !callerOf(request.principal).seesAll) {
    throw new ServiceError("BAD_REQUEST", "params.contextId is required");
  }
  const seen = await find(request, deps, params.id, context);
  if (hasEnded(seen.run.status)) return envelope(id, bareTask(seen));
  await stopTask(deps, seen);
  return envelope(id, bareTask(seen, envelopeStateOf.CANCELLED));
}

async function readTaskEnvelope(request: A2aRequest, deps: A2aDeps): Promise<TaskEnvelope> {
  await requireComponent(deps, request.component);
  const body = readJson(request);
  if (body === notJson) throw new ServiceError("BAD_REQUEST", "the body is not JSON");
  return readEnvelope(TaskEnvelope, body);
}

async function find(
  request: A2aRequest,
  deps: A2aDeps,
  id: string,
  context: string | undefined,
): Promise<TaskView> {
  const seen = await findTask(request, deps, id, context);
  if (!seen) throw notFound("task", id);
  return seen;
}
