import { type Caller, callerOf } from "../../auth/caller.ts";
import { missingScopesText, requireRunBy } from "../../auth/require-run.ts";
import { mayCall } from "../../auth/scopes/scopes.ts";
import { refuseChatSession } from "../../domain/sessions/chat-session.ts";
import type { VersionRequest } from "../../engine/component/find-runnable.ts";
import type { DeclaredCallback } from "../../engine/define/declared-callback.ts";
import type { Runnable } from "../../engine/define/runnable.ts";
import { ServiceError } from "../../errors.ts";
import type { EventStream, Reply } from "../../http/handler.ts";
import { requireReceiver } from "../../outbound/index.ts";
import type { runRoutes } from "../../routes/runs.ts";
import { noteOwner } from "../../runtime/audit-scope.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import { newId } from "../../runtime/ids.ts";
import { noteInLogScope } from "../../runtime/log-scope.ts";
import type { Callback } from "../../schemas/deliveries/callback.ts";
import { runEventTypes } from "../../schemas/deliveries/event-type.ts";
import type { CreateRunForm } from "../../schemas/runs/run-forms.ts";
import type { SessionPolicy } from "../../schemas/sessions/session-policy.ts";
import type { ShownRun } from "../../stores/runs/run-row.ts";
import {
  type ClientToolsRequest,
  findComponent,
  type KeyedRequest,
  type RunsRequest,
  type TaskRequest,
} from "../component.ts";
import { linksFor, refuseBadFeedbackKeys } from "../feedback-links.ts";
import type { FramedRequest } from "../foreground/event-frames.ts";
import { streamForegroundRun, waitForRun } from "../foreground/run-in-foreground.ts";
import { answerRepeated, answerTaken, findRepeated, keyClaimOf } from "../repeated-request.ts";
import type { RunsDeps } from "../runs-deps.ts";
import { acceptBackgroundRun, type Plan, type RunNotifications } from "./accept-background-run.ts";
import {
  admitToSession,
  ownerOf,
  type PlannedRun,
  planRun,
  readSession,
  resolveSession,
  type SessionReading,
} from "./plan-run.ts";
import {
  type ReadMedia,
  readMedia,
  refuseBadForm,
  refuseUnshownFiles,
  requireUsableSchema,
  storeMedia,
} from "./run-form.ts";
import { answerSteered, Steered, steerLiveRun } from "./steer-session.ts";

type CreateRequest = RunsRequest<typeof runRoutes.createAgentRun> &
  TaskRequest &
  ClientToolsRequest &
  FramedRequest &
  KeyedRequest;

/**
 * Runs an agent, a team or a workflow in one of four modes.
 *
 *   background  stream   answer
 *   no          yes      events as they happen; tied to the connection
 *   no          no       the finished run
 *   yes         no       202; the run is executed durably
 *   yes         yes      the record's events; the run continues when the connection ends
 */
export async function createComponentRun(
  asked: CreateRequest,
  deps: RunsDeps,
): Promise<ShownRun | Reply | EventStream> {
  refuseBadFeedbackKeys(deps, asked.body.feedback_keys);
  const request = { ...asked, linksOf: linksFor(deps, asked, asked.body) };
  const caller = callerOf(request.principal);
  if (!isFromChat(request)) refuseChatSession(request.body.session_id);
  const runnable = await findComponent(deps, request.component, askedVersion(request));
  // The credential decides; only an admin token without a subject may name another user.
  const userId = caller.user_id ?? ownerInForm(request.body.user_id);
  await requireUsableSchema(request.body.output_schema);
  const refused = refuseBadForm(runnable, request, epochSeconds(deps.clock));
  if (refused) return refused;
  const callback = callbackOf(request.body, runnable.callback, deps);
  const task_token = taskTokenOf(request.body, deps);
  const before = request.isKeyUnused ? undefined : await findRepeated(request, deps, userId);
  if (before) return answerRepeated(request, deps, before, task_token);
  const media = readMedia(request.body, request.principal.kind === "internal");
  refuseUnshownFiles(media, runnable, deps.models);
  const message_id = request.headers["idempotency-key"] || newId();
  const read = () =>
    readSession(deps.db, request.body.session_id, policyOf(request.body, deps), epochSeconds(deps.clock));
  const planFrom = (reading: SessionReading) =>
    plannedRun({ request, deps, runnable, caller, userId, media, message_id }, reading);
  const started = startedBy(request, deps, runnable, { read, planFrom }, { userId, callback, task_token });
  return started.catch((thrown: unknown) => {
    if (thrown instanceof Steered) return answerSteered(request, deps, thrown);
    throw thrown;
  });
}

/**
 * The version that a request asks for, or the config that it brings along.
 *
 * @throws ServiceError UNAUTHORIZED or BAD_REQUEST where it may bring none along
 */
function askedVersion({ principal, body }: CreateRequest): VersionRequest {
  const asked = { reader: callerOf(principal), requireRun: requireRunBy(principal) };
  const { draft_config: unsaved, version, background } = body;
  if (unsaved === undefined) return { ...asked, version };
  const target = { method: "PATCH", path: "/components/{component_id}", params: {} };
  if (!mayCall(principal, ["components:write"], target))
    throw new ServiceError("UNAUTHORIZED", missingScopesText(["components:write"]));
  if (background || version !== undefined) {
    const instead = background ? "store it as a draft to run it in the background" : "name either of them";
    throw new ServiceError(
      "BAD_REQUEST",
      `draft_config cannot be combined with ${background ? "background=true" : "version"}: ${instead}`,
    );
  }
  return { ...asked, unsaved };
}

/** Executes the run, or has it executed, as its request says. */
async function startedBy(
  request: CreateRequest,
  deps: RunsDeps,
  runnable: Runnable,
  { read, planFrom }: Plan,
  { userId, ...notifications }: RunNotifications & { readonly userId: string | null },
): Promise<ShownRun | Reply | EventStream> {
  const plan = async () => planFrom(await read());
  if (request.body.background)
    return acceptBackgroundRun(request, deps, userId, notifications, { read, planFrom });
  if (request.body.session_policy === "queue") {
    throw new ServiceError(
      "BAD_REQUEST",
      "session_policy=queue needs background=true: a foreground run cannot wait",
    );
  }
  const claim = keyClaimOf(request, userId, deps);
  return answerTaken(request, deps, userId, () =>
    request.body.stream
      ? streamForegroundRun(request, deps, runnable, plan, claim)
      : waitForRun(request, deps, runnable, plan, claim),
  );
}

type Planning = {
  readonly request: CreateRequest;
  readonly deps: RunsDeps;
  readonly runnable: Runnable;
  readonly caller: Caller;
  readonly userId: string | null;
  readonly media: readonly ReadMedia[];
  /** Its id as a message to a live run. */
  readonly message_id: string;
};

/** @throws Steered where a live run has taken what is asked */
async function plannedRun(planning: Planning, reading: SessionReading): Promise<PlannedRun> {
  const { request, deps, runnable, caller, userId, media, message_id } = planning;
  const { body } = request;
  const now = epochSeconds(deps.clock);
  const session = await resolveSession(deps, caller, request.component, body.session_id, reading.found, now);
  if (!session.isNew) noteOwner(session.session.user_id, session.session_id);
  const policy = policyOf(body, deps);
  if (policy === "steer" && !session.isNew) {
    const { live } = reading;
    // In a chat a person sees that a run has failed, and writes again.
    const if_ended = isFromChat(request) ? "reject" : "run";
    const asked = { runnable, session: session.session, live, user_id: userId, media, message_id };
    await steerLiveRun(request, deps, { ...asked, if_ended });
  }
  const admission = await admitToSession(deps, policy, session, reading);
  const at = { owner: ownerOf(session, userId), session_id: session.session_id };
  const planned = planRun(runnable, body, session, {
    run_id: deps.newRunId(),
    user_id: userId,
    now,
    models: deps.models,
    media: await storeMedia(deps.db, at, media),
    client_tools: request.client_tools,
    given_history: request.given_history,
    traceparent: request.headers.traceparent,
  });
  noteInLogScope({ run_id: planned.run.run_id });
  return { ...planned, admission };
}

/** A foreground run cannot wait: it runs at once where the request does not say otherwise. */
const policyOf = (
  { session_policy, background }: CreateRequest["body"],
  { settings }: Pick<RunsDeps, "settings">,
): SessionPolicy => session_policy ?? (background ? settings.SESSION_POLICY : "parallel");

/** The platform's own call for a message of a chat; no other caller is `internal` and says so. */
const isFromChat = ({ principal, headers }: Pick<CreateRequest, "principal" | "headers">): boolean =>
  principal.kind === "internal" && headers["x-chat-message"] !== undefined;

const reserved = /^(sa:|__oauth__:|__scheduler__$)/;

function ownerInForm(userId: string | undefined): string | null {
  if (userId !== undefined && reserved.test(userId)) {
    throw new ServiceError("UNAUTHORIZED", "user_id names an internal identity");
  }
  return userId ?? null;
}

/**
 * Who is notified when a background run ends: what the request names, else what its component names, else what the instance
 * does. A foreground run has no callback: its client waits for the answer.
 *
 * @throws ServiceError UNPROCESSABLE for an address that may not be called; BAD_REQUEST where webhooks are off, or for a
 *         foreground run
 */
function callbackOf(
  { callback_url, callback_events, callback_content, background }: CreateRunForm,
  declared: DeclaredCallback | undefined,
  { db, settings }: Pick<RunsDeps, "db" | "settings">,
): Callback | undefined {
  if (callback_url !== undefined) {
    if (!background)
      throw new ServiceError(
        "BAD_REQUEST",
        "callback_url needs background=true: a foreground run is waited for",
      );
    if (!db.outbox?.webhooks) throw webhooksOff();
  }
  const asked = callback_url && requireReceiver(callback_url, settings.FETCH_ALLOWED_HOSTS, "callback_url");
  const url = asked ?? declared?.url ?? settings.CALLBACK_URL;
  if (!background || !db.outbox?.webhooks || url === undefined) return undefined;
  const named_by = callback_url === undefined ? (declared ? "component" : "instance") : "request";
  return {
    url,
    named_by,
    events: [...(callback_events ?? declared?.events ?? runEventTypes)],
    include_content: callback_content ?? declared?.include_content ?? callback_url !== undefined,
  };
}

const webhooksOff = (): ServiceError =>
  new ServiceError(
    "BAD_REQUEST",
    "webhooks are off on this instance; its operator switches them on (webhooks=on)",
  );

/**
 * The task of a state machine that ends with the run, if its request names one.
 *
 * @throws ServiceError UNPROCESSABLE where the instance may end no tasks; BAD_REQUEST for a foreground run
 */
function taskTokenOf(
  { task_token, background }: CreateRunForm,
  { db }: Pick<RunsDeps, "db">,
): string | undefined {
  if (task_token === undefined) return undefined;
  if (!db.outbox?.taskTokens)
    throw new ServiceError(
      "UNPROCESSABLE",
      "task_token: this instance ends no tasks of Step Functions; its operator allows it with taskTokens",
    );
  if (!background)
    throw new ServiceError(
      "BAD_REQUEST",
      "task_token needs background=true: a task waits for a run that goes on without a connection",
    );
  return task_token;
}
