import type { Caller } from "../../auth/caller.ts";
import { planAdmission } from "../../domain/jobs/plan-admission.ts";
import { newValues } from "../../domain/sessions/session-state.ts";
import type { Runnable } from "../../engine/define/runnable.ts";
import { cancelRun } from "../../engine/lifecycle/cancel-run.ts";
import { newRun, newSessionFor } from "../../engine/lifecycle/new-run.ts";
import { wakeSession } from "../../engine/lifecycle/wake-waiting.ts";
import type { Models } from "../../engine/model/models.ts";
import { notFound } from "../../errors.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import type { ClientTool } from "../../schemas/runs/client-tool.ts";
import type { GivenHistory } from "../../schemas/runs/given-history.ts";
import type { InputMedia } from "../../schemas/runs/media.ts";
import type { CreateRunForm } from "../../schemas/runs/run-forms.ts";
import type { SessionPolicy } from "../../schemas/sessions/session-policy.ts";
import type { Db } from "../../stores/db.ts";
import { getRunHead } from "../../stores/runs/get-run.ts";
import { listLiveRuns } from "../../stores/runs/listing/live-runs.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import { adoptSession } from "../../stores/sessions/adopt-session.ts";
import { getSession, type StoredSession } from "../../stores/sessions/session-item.ts";
import { type StateRead, stateRead } from "../../stores/sessions/session-writes.ts";
import type { Component } from "../component.ts";
import type { RunsDeps } from "../runs-deps.ts";

export type PlannedRun = {
  readonly run: StoredRun;
  /** Set when the run is the first of its session. */
  readonly newSession: StoredSession | undefined;
  readonly admission: Admission;
  /** The session's state, as it was read for this plan or as the run creates it. */
  readonly stateRead: StateRead;
};

export type RunFacts = {
  readonly run_id: string;
  readonly user_id: string | null;
  /** Epoch seconds. */
  readonly now: number;
  readonly models: Pick<Models, "describe">;
  /** Media of the input, stored already. */
  readonly media: InputMedia;
  /** Tools that the client executes. */
  readonly client_tools?: readonly ClientTool[] | undefined;
  /** What the client says was said before. */
  readonly given_history?: GivenHistory | undefined;
  readonly traceparent?: string | undefined;
};

/** Builds the records of a request: the run, not started yet, and its session when that is new. */
export function planRun(
  runnable: Runnable,
  form: CreateRunForm,
  session: RunSession,
  facts: RunFacts,
): Omit<PlannedRun, "admission"> {
  const { run_id, user_id, now, media, client_tools, given_history, traceparent } = facts;
  const stored = session.isNew ? {} : session.session.session_state;
  const fields = {
    run_id,
    session_id: session.session_id,
    opens_session: session.isNew,
    owner: ownerOf(session, user_id),
    user_id,
    input: form.message,
    media,
    kwargs: {
      ...kwargsOf(form),
      ...requestedState(form, stored),
      ...(client_tools && { client_tools }),
      ...(given_history && { given_history }),
    },
    session_state: { ...stored, ...form.session_state },
    ...metadataOf(form),
    traceparent,
    now,
  };
  const run = newRun(runnable, fields, facts.models);
  if (session.isNew) {
    const newSession = newSessionFor(run);
    return { run, newSession, stateRead: stateRead(newSession) };
  }
  const { compaction } = session.session;
  return {
    run: compaction ? { ...run, compacted: true } : run,
    newSession: undefined,
    stateRead: stateRead(session.session),
  };
}

/** What is shown with the run. One of a config that is not stored says so, since it names no version. */
const metadataOf = ({ metadata, draft_config }: CreateRunForm) =>
  (metadata || draft_config) && { metadata: { ...metadata, ...(draft_config && { unsaved_draft: true }) } };

/** A client may send the whole state with every run: what the session has is no change, also where a run changes it first. */
const requestedState = ({ session_state }: CreateRunForm, stored: StoredSession["session_state"]) =>
  session_state && { session_state: newValues(session_state, stored) };

/** The owner of a run: an admin's run in a user's session belongs to that user. */
export const ownerOf = (session: RunSession, userId: string | null): string | null =>
  session.isNew ? userId : session.session.user_id;

const ownFields = new Set<keyof CreateRunForm>([
  "message",
  "stream",
  "background",
  "session_id",
  "session_policy",
  "user_id",
  "use_json_schema",
  "callback_url",
  "callback_events",
  "callback_content",
  "task_token",
  "files",
  "files_metadata",
  "images",
  "audio",
  "videos",
  "input_files",
]);

/** Form fields that the platform itself does not act on. */
function kwargsOf(form: CreateRunForm): Record<string, unknown> {
  const extra = Object.entries(form).filter(
    ([name, value]) => value !== undefined && !ownFields.has(name) && !isDefault(name, value),
  );
  return Object.fromEntries(extra.map(([name, value]) => [name, readWord(value)]));
}

const isDefault = (name: string, value: unknown) => name === "stream_events" && value === true;

/** Undeclared fields arrive as text; these words stand for values. */
function readWord(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const word = value.toLowerCase();
  if (word === "true" || word === "false") return word === "true";
  return word === "null" || word === "none" ? null : value;
}

/** The session that a new run belongs to. */
type RunSession =
  | { readonly isNew: true; readonly session_id: string }
  | { readonly isNew: false; readonly session_id: string; readonly session: StoredSession };

/** What a request finds of its session, before anything is changed. */
export type SessionReading = {
  readonly found: StoredSession | undefined;
  /** Ids of its live runs, the newest first. Read after the session: the write of the run is refused when another one has entered it since. */
  readonly live: readonly string[];
};

/**
 * Reads the client's session, and its live runs where they decide when the new run may begin.
 *
 * @param sessionId  absent: the run opens a new session
 * @param now        epoch seconds
 */
export async function readSession(
  db: Db,
  sessionId: string | undefined,
  policy: SessionPolicy,
  now: number,
): Promise<SessionReading> {
  const found = sessionId === undefined ? undefined : await getSession(db, sessionId);
  if (!found || policy === "parallel") return { found, live: [] };
  return { found, live: await listLiveRuns(db, found.user_id, found.session_id, now) };
}

/**
 * A session that was created without a component belongs to the one that runs in it first.
 *
 * @param sessionId  the client's session id; a new one is made when absent
 * @param found      the session of that id, if there is one
 * @param now        epoch seconds
 * @throws ServiceError NOT_FOUND when the session is another user's or another component's: the same text for both
 * @source docs/interface/runs.md 1.3, 1.4
 */
export async function resolveSession(
  { db, newSessionId }: { readonly db: Db; readonly newSessionId: () => string },
  caller: Caller,
  component: Component,
  sessionId: string | undefined,
  found: StoredSession | undefined,
  now: number,
): Promise<RunSession> {
  if (sessionId === undefined) return { isNew: true, session_id: newSessionId() };
  if (!found) return { isNew: true, session_id: sessionId };
  const isOwn = caller.seesAll || found.user_id === caller.user_id;
  if (!isOwn || found.session_type !== component.kind) throw notFound("session", sessionId);
  const session = found.component_id === undefined ? await adoptSession(db, found, component.id, now) : found;
  if (session?.component_id !== component.id) throw notFound("session", sessionId);
  return { isNew: false, session_id: sessionId, session };
}

/** On what terms a run enters its session. */
type Admission = {
  /** The session as it was read. The write of the run is refused when another run has taken a turn since. */
  readonly turnIn: StoredSession | undefined;
  /** Runs that must have ended before this one is executed, the newest first. */
  readonly waits_for: readonly string[];
  readonly overlaps: boolean;
};

type Needs = Pick<RunsDeps, "db" | "clock" | "queue" | "log" | "settings">;

/**
 * Applies a run's session policy to the live runs of its session: it waits for them, or cancels them. A new session has none; the
 * write that creates it is refused when another request created it first.
 *
 *   read session (turn 4) ─▶ read its live runs ─▶    write the run, turn 4 → 5
 *                                                     refused when the turn is 5 already: start again
 *
 * @throws ServiceError CONFLICT where the policy is to reject and a run is live
 */
export async function admitToSession(
  deps: Needs,
  policy: SessionPolicy,
  session: RunSession,
  { found, live }: SessionReading,
): Promise<Admission> {
  const overlaps = policy === "parallel";
  if (overlaps || session.isNew) return { turnIn: undefined, waits_for: [], overlaps };
  const { user_id: owner, session_id } = session.session;
  const { interrupts, waits_for } = planAdmission(policy, live);
  const now = epochSeconds(deps.clock);
  await Promise.all(interrupts.map((run_id) => interrupt(deps, { owner, session_id, run_id }, now)));
  // Its turn as it was when the live runs were read, also where it was given to a component since.
  return { turnIn: found, waits_for, overlaps };
}

async function interrupt(deps: Needs, at: Parameters<typeof getRunHead>[1], now: number): Promise<void> {
  const run = await getRunHead(deps.db, at, now);
  if (run) await wakeSession(deps, await cancelRun(deps.db, run, now, deps.settings.JOB_RETENTION_SECONDS));
}
