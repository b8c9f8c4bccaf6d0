import * as v from "valibot";
import { callerOf } from "../../shared/auth/caller.ts";
import type { RunnableKind } from "../../shared/engine/define/runnable.ts";
import { notFound, ServiceError } from "../../shared/errors.ts";
import { EventStream, type HandlerRequest, Reply } from "../../shared/http/handler.ts";
import type { a2aRoutes } from "../../shared/routes/protocols/a2a.ts";
import { type Component, requireScope } from "../../shared/runs/index.ts";
import type { A2aDeps, A2aRequest } from "./a2a-deps.ts";
import { readJson } from "./read-json.ts";
import { sendEnvelope, streamEnvelope } from "./send-envelope.ts";

type Request = HandlerRequest<typeof a2aRoutes.sendMessage>;

const DEPRECATED = { deprecation: "true" };

/**
 * Sends a message to the component that it names. The sender needs the scope to run it, whatever the route required.
 */
export async function sendDeprecated(request: Request, deps: A2aDeps): Promise<Reply> {
  const { target, body } = await targetOf(request, deps);
  const { status, body: answer } = await sendEnvelope(target, body, deps);
  return new Reply(status, answer, DEPRECATED);
}

/** The same, with its progress. */
export async function streamDeprecated(request: Request, deps: A2aDeps): Promise<EventStream> {
  const { target, body } = await targetOf(request, deps);
  const { chunks } = await streamEnvelope(target, body, deps);
  return new EventStream(chunks, DEPRECATED);
}

const Named = v.object({
  params: v.object({ message: v.object({ agentId: v.pipe(v.string(), v.nonEmpty()) }) }),
});

/** @source docs/interface/a2a.md 1.2 */
async function targetOf(request: Request, deps: A2aDeps): Promise<{ target: A2aRequest; body: unknown }> {
  const body = readJson(request);
  const named = v.safeParse(Named, body);
  const id = named.success ? named.output.params.message.agentId : request.headers["x-agent-id"];
  if (!id)
    throw new ServiceError("BAD_REQUEST", "name the target as params.message.agentId or in X-Agent-ID");
  const component = await componentWith(id, request, deps);
  if (!component) throw notFound("agent, team or workflow", id);
  const { headers, principal, signal, invocation, origin } = request;
  const target = {
    headers,
    principal,
    signal,
    invocation,
    ...(origin !== undefined && { origin }),
    component,
    params: {},
    query: {},
  };
  requireScope(target, "run");
  return { target, body };
}

const kinds = ["agent", "team", "workflow"] as const satisfies RunnableKind[];

async function componentWith(
  id: string,
  { principal }: Request,
  { findRunnable }: A2aDeps,
): Promise<Component | undefined> {
  const reader = callerOf(principal);
  for (const kind of kinds) {
    if (await findRunnable(kind, id, { reader, version: undefined })) return { kind, id };
  }
  return undefined;
}
