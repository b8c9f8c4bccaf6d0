import { requireRunBy } from "../../auth/require-run.ts";
import { refuseChatSession } from "../../domain/sessions/chat-session.ts";
import { ServiceError } from "../../errors.ts";
import { Reply } from "../../http/handler.ts";
import type { runRoutes } from "../../routes/runs.ts";
import { newId } from "../../runtime/ids.ts";
import type { AcceptedRun } from "../../schemas/runs/run.ts";
import { MAX_IDEMPOTENCY_KEY_CHARS } from "../../schemas/runs/run-forms.ts";
import { MAX_MESSAGE_ID_CHARS, type SentMessage } from "../../schemas/runs/run-message.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import { findComponent, type RunsRequest } from "../component.ts";
import { createComponentRun } from "../create/create-component-run.ts";
import { refuseUnshownFiles } from "../create/refuse-unshown-files.ts";
import { readMedia, storeMedia } from "../create/run-form.ts";
import type { RunsDeps } from "../runs-deps.ts";
import { messagedRun } from "./messaged-run.ts";
import { sendRunMessage } from "./send-run-message.ts";

type Request = RunsRequest<typeof runRoutes.sendAgentMessage>;

/**
 * Says something to a run that has begun: it is shown before the run's next model call. To a run that has ended it is said as
 * a new run of its session, or not at all.
 *
 * The same id of a message again changes nothing, and is answered the same.
 *
 * @throws ServiceError NOT_FOUND, CONFLICT for a run that has ended where `if_ended` is `reject`; see `sendRunMessage`
 */
export async function sendComponentMessage(request: Request, deps: RunsDeps): Promise<SentMessage> {
  const { body } = request;
  refuseChatSession(body.session_id);
  const run = await messagedRun(request, deps, body.session_id);
  const { run_id, session_id } = run;
  const runnable = await findComponent(deps, request.component, {
    pinned: run.component_version,
    requireRun: requireRunBy(request.principal),
  });
  const message_id = messageIdOf(request);
  const read = readMedia(body);
  refuseUnshownFiles(read, runnable, deps.models);
  const media = await storeMedia(deps.db, run, read);
  const { message: content, step_id, if_ended } = body;
  const sent = { message_id, content, media, step_id, if_ended };
  const stored = await sendRunMessage(deps, request.principal, runnable, run, sent);
  if (stored) return { message_id, run_id, session_id, delivery: "steered" };
  if (if_ended === "reject") throw new ServiceError("CONFLICT", `run ${run_id} has ended`);
  const next = await runOfMessage(request, deps, run, message_id);
  return { message_id, run_id: next.run_id, session_id: next.session_id, delivery: "new_run" };
}

function messageIdOf({ body, headers }: Request): string {
  const key = headers["idempotency-key"] ?? "";
  if (key.length > MAX_MESSAGE_ID_CHARS) {
    const problem = `Idempotency-Key of a message is longer than ${MAX_MESSAGE_ID_CHARS} characters`;
    throw new ServiceError("UNPROCESSABLE", problem);
  }
  return body.message_id ?? (key === "" ? newId() : key);
}

/** The run that answers a message which came after the end of the one that it was for; the same one for the same message. */
async function runOfMessage(
  request: Request,
  deps: RunsDeps,
  { run_id, session_id }: StoredRun,
  message_id: string,
): Promise<AcceptedRun> {
  const { message, files, files_metadata } = request.body;
  const key = `message ${run_id} ${message_id}`.slice(0, MAX_IDEMPOTENCY_KEY_CHARS);
  const answer = await createComponentRun(
    {
      ...request,
      headers: { ...request.headers, "idempotency-key": key },
      body: {
        ...{ message, files, files_metadata, session_id },
        ...{ session_policy: "queue", background: true, stream: false, stream_events: true },
        metadata: { steered_from: run_id },
      },
    },
    deps,
  );
  if (answer instanceof Reply) return answer.body as AcceptedRun; // what a background run is answered with
  throw new Error(`a message to run ${run_id} made no run`);
}
