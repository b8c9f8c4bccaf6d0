import { requireRunBy } from "../../auth/require-run.ts";
import { refuseChatSession } from "../../domain/sessions/chat-session.ts";
import { ServiceError } from "../../errors.ts";
import { Reply } from "../../http/handler.ts";
import type { runRoutes } from "../../routes/runs.ts";
import { newId } from "../../runtime/ids.ts";
import type { AcceptedRun } from "../../schemas/runs/run.ts";
import { MAX_MESSAGE_ID_CHARS, type SentMessage } from "../../schemas/runs/run-message.ts";
import { type NewMessage, putLateMessage } from "../../stores/runs/inbox-item.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import { findComponent, pinOf, type RunsRequest } from "../component.ts";
import { MessageChanged } from "../create/accept-background-run.ts";
import { createComponentRun } from "../create/create-component-run.ts";
import { type MediaFields, readMedia, refuseUnshownFiles, storeMedia } from "../create/run-form.ts";
import type { RunsDeps } from "../runs-deps.ts";
import { messagedRun } from "./messaged-run.ts";
import { type Stored, sendRunMessage } from "./send-run-message.ts";

type Sent = RunsRequest<typeof runRoutes.sendAgentMessage>;
/** Other protocols give files by their kind. */
type Request = Sent & { readonly body: MediaFields };

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
    ...pinOf(run),
    requireRun: requireRunBy(request.principal),
  });
  const message_id = messageIdOf(request);
  const read = readMedia(body);
  refuseUnshownFiles(read, runnable, deps.models);
  const media = await storeMedia(deps.db, run, read);
  const { message: content, step_id, if_ended } = body;
  const member_run_id = run_id === request.params.run_id ? undefined : request.params.run_id;
  const sent = { message_id, content, media, step_id, member_run_id, if_ended };
  const late = async (message: NewMessage): Promise<Stored | undefined> => {
    if (if_ended === "reject") throw new ServiceError("CONFLICT", `run ${run_id} has ended`);
    return runOfMessage(request, deps, run, message);
  };
  const stored = await sendRunMessage(deps, request.principal, runnable, run, sent, late);
  if (!stored.late) return { message_id, run_id, session_id, delivery: "steered" };
  return { message_id, run_id: stored.moved_to ?? run_id, session_id, delivery: "new_run" };
}

function messageIdOf({ body, headers }: Request): string {
  const key = headers["idempotency-key"] ?? "";
  if (key.length > MAX_MESSAGE_ID_CHARS) {
    const problem = `Idempotency-Key of a message is longer than ${MAX_MESSAGE_ID_CHARS} characters`;
    throw new ServiceError("UNPROCESSABLE", problem);
  }
  return body.message_id ?? (key === "" ? newId() : key);
}

/**
 * Makes the run that answers a message to one that has ended. Both are written together.
 *
 * @returns undefined where another message has its number: nothing was written
 */
async function runOfMessage(
  request: Request,
  deps: RunsDeps,
  run: StoredRun,
  message: NewMessage,
): Promise<Stored | undefined> {
  const { message: content, message_id: _id, step_id: _step, if_ended: _end, ...media } = request.body;
  const { run_id, session_id } = run;
  try {
    const answer = await createComponentRun(
      {
        ...request,
        headers: { ...request.headers, "idempotency-key": undefined },
        body: {
          ...media,
          ...{ message: content, session_id },
          ...{ session_policy: "queue", background: true, stream: false, stream_events: true },
          metadata: { steered_from: run_id },
        },
        late: (moved_to) => putLateMessage(deps.db, run, message, moved_to),
      },
      deps,
    );
    if (!(answer instanceof Reply)) throw new Error(`a message to run ${run_id} made no run`);
    const next = answer.body as AcceptedRun; // what a background run is answered with
    return { message_id: message.message_id, state: "moved", moved_to: next.run_id, late: true };
  } catch (error) {
    if (error instanceof MessageChanged) return undefined;
    throw error;
  }
}
