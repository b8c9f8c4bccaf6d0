import { RequestMalformedError } from "@a2a-js/sdk/errors";
import * as v from "valibot";
import { partsOf } from "../../shared/a2a/envelope-parts.ts";
import { envelopeStream } from "../../shared/a2a/envelope-stream.ts";
import { envelope, envelopeTask } from "../../shared/a2a/envelope-task.ts";
import { ServiceError } from "../../shared/errors.ts";
import { followRun } from "../../shared/events/follow-run.ts";
import { EventStream, Reply } from "../../shared/http/handler.ts";
import { MessageEnvelope } from "../../shared/schemas/a2a/a2a-envelope.ts";
import type { A2aDeps, A2aRequest } from "./a2a-deps.ts";
import { rereadTask } from "./find-task.ts";
import { untilEndOrPause } from "./follow-task.ts";
import { beginTask, type SentTo } from "./send-to-task.ts";

/**
 * A message in the envelope dialect: answered with its task when that has ended or paused, or at once with 202. A
 * workflow is always waited for.
 *
 * @throws ServiceError BAD_REQUEST for an envelope that is none
 * @source docs/interface/a2a.md 4.1
 */
export async function sendEnvelope(request: A2aRequest, body: unknown, deps: A2aDeps): Promise<Reply> {
  const { id, params } = readEnvelope(MessageEnvelope, body, "message/send");
  const to = await begin(request, deps, params.message);
  const waits = params.configuration?.blocking !== false || request.component.kind === "workflow";
  if (waits) await untilEndOrPause(to.run, deps, request.signal, to.from);
  const seen = waits ? ((await rereadTask(deps, to.run)) ?? to) : to;
  return new Reply(waits ? 200 : 202, envelope(id, envelopeTask(seen)));
}

/** The same, answered with the task's progress. */
export async function streamEnvelope(
  request: A2aRequest,
  body: unknown,
  deps: A2aDeps,
): Promise<EventStream> {
  const { id, params } = readEnvelope(MessageEnvelope, body, "message/stream");
  const first = await begin(request, deps, params.message);
  const { signal } = request;
  return new EventStream(
    envelopeStream({
      ...{ id, first },
      events: followRun(deps.db, first.run, deps.clock, signal),
      last: async () => (signal.aborted ? undefined : rereadTask(deps, first.run)),
    }),
  );
}

async function begin(
  request: A2aRequest,
  deps: A2aDeps,
  { messageId, contextId, parts }: MessageEnvelope["params"]["message"],
): Promise<SentTo> {
  const message = { messageId, contextId: contextId ?? "", parts: partsOf(parts) };
  return beginTask(request, deps, message).catch((error) => {
    // This dialect knows no errors but those of the platform.
    throw error instanceof RequestMalformedError ? new ServiceError("BAD_REQUEST", error.message) : error;
  });
}

/** @throws ServiceError BAD_REQUEST naming the first member that is not as it must be */
export function readEnvelope<S extends v.GenericSchema>(
  schema: S,
  body: unknown,
  method?: string,
): v.InferOutput<S> {
  const parsed = v.safeParse(schema, body);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw new ServiceError("BAD_REQUEST", `${v.getDotPath(issue) ?? "body"}: ${issue.message}`);
  }
  const named = v.safeParse(v.object({ method: v.optional(v.literal(method ?? "")) }), body);
  if (method !== undefined && !named.success)
    throw new ServiceError("BAD_REQUEST", `method must be ${method}`);
  return parsed.output;
}
