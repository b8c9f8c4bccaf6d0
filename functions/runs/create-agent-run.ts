import { type Caller, callerOf } from "../../shared/auth/caller.ts";
import type { Agent } from "../../shared/engine/agent.ts";
import { notFound, ServiceError } from "../../shared/errors.ts";
import type { Handler, HandlerRequest } from "../../shared/http/handler.ts";
import type { runRoutes } from "../../shared/routes/runs.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { acceptBackgroundRun } from "./accept-background-run.ts";
import { admitToSession } from "./admit-to-session.ts";
import { ownerOf, type PlannedRun, planRun } from "./plan-run.ts";
import { type ReadMedia, readMedia } from "./read-media.ts";
import { refuseBadForm } from "./refuse-bad-form.ts";
import { requireUsableSchema } from "./require-usable-schema.ts";
import { resolveSession } from "./resolve-session.ts";
import { streamForegroundRun, waitForRun } from "./run-in-foreground.ts";
import type { RunsDeps } from "./runs-deps.ts";
import { storeMedia } from "./store-media.ts";

type Request = HandlerRequest<typeof runRoutes.createAgentRun>;

/**
 * Runs an agent in one of four modes.
 *
 *   background  stream   answer
 *   no          yes      events as they happen; tied to the connection
 *   no          no       the finished run
 *   yes         no       202; the run goes on durably
 *   yes         yes      the record's events; the run goes on when the connection ends
 *
 * @source contract, runs-and-queue section 3
 */
export const createAgentRun: Handler<typeof runRoutes.createAgentRun, RunsDeps> = async (request, deps) => {
  const agent = deps.findAgent(request.params.agent_id);
  if (!agent) throw notFound("agent", request.params.agent_id);
  const caller = callerOf(request.principal);
  // The credential decides; only an admin token without a subject may speak for somebody.
  const userId = caller.user_id ?? ownerInForm(request.body.user_id);
  await requireUsableSchema(request.body.output_schema);
  const refused = refuseBadForm(agent, request.body, epochSeconds(deps.clock));
  if (refused) return refused;
  const media = readMedia(request.body);
  const plan = () => plannedRun(request, deps, agent, caller, userId, media);
  if (request.body.background) return acceptBackgroundRun(request, deps, userId, plan);
  if (request.body.session_policy === "queue") {
    throw new ServiceError(
      "BAD_REQUEST",
      "session_policy=queue needs background=true: a foreground run cannot wait",
    );
  }
  return request.body.stream
    ? streamForegroundRun(request, deps, agent, plan)
    : waitForRun(request, deps, agent, plan);
};

async function plannedRun(
  request: Request,
  deps: RunsDeps,
  agent: Agent,
  caller: Caller,
  userId: string | null,
  media: readonly ReadMedia[],
): Promise<PlannedRun> {
  const { body } = request;
  const now = epochSeconds(deps.clock);
  const session = await resolveSession(deps.db, caller, agent.id, body.session_id, deps.newSessionId, now);
  const admission = await admitToSession(deps, body.session_policy, session);
  const at = { owner: ownerOf(session, userId), session_id: session.session_id };
  const planned = planRun(agent, body, session, {
    run_id: deps.newRunId(),
    user_id: userId,
    now,
    model: deps.models.describe(agent.model),
    media: await storeMedia(deps.db, at, media),
  });
  return { ...planned, admission };
}

const reserved = /^(sa:|__oauth__:|__scheduler__$)/;

function ownerInForm(userId: string | undefined): string | null {
  if (userId !== undefined && reserved.test(userId)) {
    throw new ServiceError("FORBIDDEN", "user_id names an internal identity");
  }
  return userId ?? null;
}
