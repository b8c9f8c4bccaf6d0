import { newValues } from "../../domain/sessions/state-changes.ts";
import type { Runnable } from "../../engine/define/runnable.ts";
import { newRun, newSessionFor } from "../../engine/lifecycle/new-run.ts";
import type { Models } from "../../engine/model/models.ts";
import type { ClientTool } from "../../schemas/runs/client-tool.ts";
import type { InputMedia } from "../../schemas/runs/media.ts";
import type { CreateRunForm } from "../../schemas/runs/run-forms.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { StoredSession } from "../../stores/sessions/session-item.ts";
import { type StateRead, stateRead } from "../../stores/sessions/session-writes.ts";
import type { Admission, RunSession } from "./enter-session.ts";

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
};

/** Builds the records of a request: the run, not started yet, and its session when that is new. */
export function planRun(
  runnable: Runnable,
  form: CreateRunForm,
  session: RunSession,
  facts: RunFacts,
): Omit<PlannedRun, "admission"> {
  const { run_id, user_id, now, media, client_tools } = facts;
  const stored = session.isNew ? {} : session.session.session_state;
  const fields = {
    run_id,
    session_id: session.session_id,
    opens_session: session.isNew,
    owner: ownerOf(session, user_id),
    user_id,
    input: form.message,
    media,
    kwargs: { ...kwargsOf(form), ...requestedState(form, stored), ...(client_tools && { client_tools }) },
    session_state: { ...stored, ...form.session_state },
    ...(form.metadata && { metadata: form.metadata }),
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
