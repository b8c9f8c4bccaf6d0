import * as v from "valibot";
import { Message, RunMetrics } from "../runs/run.ts";
import { describedAs, meaning } from "../values/described-as.ts";
import { fault, jsonObject } from "../values/fields.ts";
import { KeyText } from "../values/key-text.ts";
import { maxChars } from "../values/max-chars.ts";
import { storableObject } from "../values/storable-object.ts";
import { SessionId } from "./session-id.ts";

const sessionTypes = ["agent", "team", "workflow"] as const;
export const SessionType = v.picklist(sessionTypes);
export type SessionType = (typeof sessionTypes)[number];

const JsonObject = jsonObject();
const StorableObject = storableObject();
/** A large state is spilled; all else of a session must fit into its item. */
const MAX_METADATA_BYTES = 100_000;
const MAX_NAME_CHARS = 10_000;
const MAX_SUMMARY_CHARS = 30_000;
const Metadata = storableObject(MAX_METADATA_BYTES);
const Name = v.pipe(v.string(), maxChars(MAX_NAME_CHARS));

const isInstant = (text: string): boolean => !Number.isNaN(Date.parse(text));
const Instant = v.pipe(v.string(), v.check(isInstant, "expected an ISO 8601 instant"));

/** A summary of a session in a few sentences. */
export const SessionSummary = v.object({
  summary: v.string(),
  topics: v.optional(v.array(v.string())),
  /** ISO 8601. */
  updated_at: v.optional(Instant),
});
export type SessionSummary = v.InferOutput<typeof SessionSummary>;

/** The same as it is sent. Other keys are refused. */
const SessionSummaryBody = v.objectWithRest(
  {
    ...SessionSummary.entries,
    summary: meaning(v.pipe(v.string(), maxChars(MAX_SUMMARY_CHARS)), "The text"),
    updated_at: meaning(
      v.optional(describedAs(Instant, { type: "string", format: "date-time" })),
      "When it was written",
    ),
    topics: meaning(
      v.optional(v.pipe(v.array(v.pipe(v.string(), maxChars(200))), v.maxLength(100))),
      "What the session is about",
    ),
  },
  v.never(fault("extra_forbidden", "Extra inputs are not permitted")),
);

/**
 * A session as lists show it; what is null is left out.
 *
 * @source docs/interface/sessions.md 2.2
 */
export const SessionItem = v.object({
  session_id: v.string(),
  session_name: v.string(),
  session_state: JsonObject,
  /** ISO 8601 in UTC, as every time here. */
  created_at: v.string(),
  updated_at: v.string(),
  session_type: SessionType,
  user_id: v.optional(v.string()),
  agent_id: v.optional(v.string()),
  team_id: v.optional(v.string()),
  workflow_id: v.optional(v.string()),
  session_summary: v.optional(SessionSummary),
  metrics: RunMetrics,
  total_tokens: v.number(),
  /** Ours: dollars that its runs cost with all runs within them; absent where the price of one of these is not known. */
  total_cost: v.optional(v.number()),
  metadata: v.optional(JsonObject),
});
export type SessionItem = v.InferOutput<typeof SessionItem>;

/** Nulls are in the answers of a changed session, and left out of the others. */
const shown = <S extends v.GenericSchema>(schema: S) => v.optional(v.nullable(schema));

const detail = {
  session_id: v.string(),
  session_name: v.string(),
  user_id: shown(v.string()),
  session_state: JsonObject,
  metadata: shown(JsonObject),
  created_at: v.string(),
  updated_at: v.string(),
};

const conversation = {
  ...detail,
  session_summary: shown(SessionSummary),
  metrics: RunMetrics,
  total_tokens: v.number(),
  /** The messages of its user and its component, in order; of a very long session the last ones. */
  chat_history: v.array(Message),
};

const model = v.object({ id: v.string(), provider: v.string(), name: v.string() });

/** What the session's agent, team or workflow is today; both spellings of its id, for clients of different versions. */
const AgentData = v.object({ id: v.string(), agent_id: v.string(), name: v.string(), model });
const TeamData = v.object({ id: v.string(), team_id: v.string(), name: v.string(), model });
const WorkflowData = v.object({
  id: v.string(),
  workflow_id: v.string(),
  name: v.string(),
  steps: v.array(v.object({ name: v.string(), description: v.nullable(v.string()), type: v.string() })),
});

export const AgentSessionDetail = v.object({
  ...conversation,
  agent_session_id: v.string(),
  agent_id: shown(v.string()),
  agent_data: shown(AgentData),
});

export const TeamSessionDetail = v.object({
  ...conversation,
  team_id: shown(v.string()),
  team_data: shown(TeamData),
});

export const WorkflowSessionDetail = v.object({
  ...detail,
  workflow_id: shown(v.string()),
  workflow_name: shown(v.string()),
  workflow_data: shown(WorkflowData),
  session_data: v.object({
    session_name: v.nullable(v.string()),
    session_state: JsonObject,
    session_metrics: RunMetrics,
  }),
});

/**
 * A session as the routes of a single session show it, by its type.
 *
 * @source docs/interface/sessions.md 3.2
 */
export const SessionDetail = v.union([AgentSessionDetail, TeamSessionDetail, WorkflowSessionDetail]);
export type SessionDetail = v.InferOutput<typeof SessionDetail>;

/** Without a body the session is empty. */
export const CreateSessionBody = v.object({
  session_id: meaning(
    v.nullish(v.pipe(SessionId, v.minLength(1))),
    "Id of the new session; made up without it",
  ),
  session_name: meaning(v.nullish(Name), "What the session is called"),
  session_state: meaning(v.nullish(StorableObject), "Values that its runs read and write"),
  metadata: meaning(v.nullish(Metadata), "Values that are stored with it"),
  user_id: meaning(v.nullish(KeyText), "Whose session it is; admins only, for all others it is the token's"),
  agent_id: meaning(v.nullish(KeyText), "The agent that it is with"),
  team_id: meaning(v.nullish(KeyText), "The team that it is with"),
  workflow_id: meaning(v.nullish(KeyText), "The workflow that it is with"),
});
export type CreateSessionBody = v.InferOutput<typeof CreateSessionBody>;

/** Members that are null or absent stay as they are. */
export const PatchSessionBody = v.object({
  session_name: meaning(v.nullish(Name), "What the session is called"),
  session_state: meaning(v.nullish(StorableObject), "Values that its runs read and write"),
  metadata: meaning(v.nullish(Metadata), "Values that are stored with it"),
  summary: meaning(v.nullish(SessionSummaryBody), "A summary in a few sentences"),
});

/**
 * A new name, or `autogenerate: true` to have the model generate one.
 *
 * @decided `autogenerate` is ours; without it the name is required, as the interface says
 */
export const RenameSessionBody = v.pipe(
  v.object({
    session_name: meaning(v.optional(Name), "What the session is called"),
    autogenerate: meaning(v.optional(v.boolean(), false), "Whether the model names it"),
  }),
  v.forward(
    v.partialCheck(
      [["session_name"], ["autogenerate"]],
      ({ session_name, autogenerate }) => session_name !== undefined || autogenerate,
      fault("missing", "Field required"),
    ),
    ["session_name"],
  ),
);

/** Most sessions that one request removes. */
const MAX_REMOVALS = 1000;

export const RemoveSessionsBody = v.object({
  session_ids: meaning(
    v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(MAX_REMOVALS)),
    "Ids of the sessions",
  ),
  session_types: meaning(
    v.pipe(v.array(SessionType), v.minLength(1)),
    "The kind of component that each is with, in the same order",
  ),
});

/** Columns that a list may be sorted by. */
export const sessionSortFields = [
  "created_at",
  "updated_at",
  "session_id",
  "user_id",
  "agent_id",
  "team_id",
  "workflow_id",
  "session_type",
] as const;
export type SessionSortField = (typeof sessionSortFields)[number];
