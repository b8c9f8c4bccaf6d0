import { isoTime } from "../../domain/iso-time.ts";
import { beginningOf } from "../../domain/runs/beginning-of.ts";
import { mapRunMedia, namedMedium } from "../../domain/runs/output-media.ts";
import type { RunOutput } from "../../schemas/runs/run.ts";
import type {
  AgentRunRow,
  RunPreview,
  RunRow,
  TeamRunRow,
  WorkflowRunRow,
} from "../../schemas/runs/run-row.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { WorkflowRunOutput } from "../../schemas/runs/workflow-run.ts";
import type { SessionType } from "../../schemas/sessions/session.ts";
import type { Db } from "../db.ts";
import { showRunMedia, signMadeMedia } from "../objects/show-media.ts";
import type { StoredRun } from "./run-item.ts";

/** Fields of the rows of all kinds of run, with their nulls. */
const commonRow = ({ output }: StoredRun) => ({
  run_id: output.run_id,
  status: output.status,
  run_input: output.input.input_content,
  content: output.content ?? null,
  reasoning_content: output.reasoning_content ?? "",
  reasoning_steps: [] as [],
  metrics: output.metrics ?? {},
  events: null,
  created_at: isoTime(output.created_at),
  references: [] as [],
  images: output.images ?? [],
  videos: output.videos ?? [],
  audio: output.audio ?? [],
  files: output.files ?? [],
  citations: null,
  response_audio: null,
});

/** Further fields for agents and teams. */
const conversationRow = (run: StoredRun) => ({
  ...commonRow(run),
  parent_run_id: run.output.parent_run_id ?? "",
  run_response_format: "text" as const,
  messages: orNull(run.output.messages),
  tools: orNull(run.output.tools),
  session_state: run.output.session_state ?? null,
  input_media: inputMedia(run.output),
  followups: orNull(run.output.followups),
  forked_from_run_id: run.output.forked_from_run_id ?? null,
  forked_from_message_index: run.output.forked_from_message_index ?? null,
  forked_from_session_id: run.output.forked_from_session_id ?? null,
  regenerated_from: run.output.regenerated_from ?? null,
  last_checkpoint_at_message_index: null,
});

const agentRunRow = (run: StoredRun): AgentRunRow => ({
  ...conversationRow(run),
  agent_id: run.output.agent_id ?? null,
  user_id: run.output.user_id ?? "",
});

const teamRunRow = (run: StoredRun): TeamRunRow => ({ ...conversationRow(run), team_id: run.component_id });

const workflowRunRow = (run: StoredRun): WorkflowRunRow => ({
  ...commonRow(run),
  workflow_id: run.component_id,
  user_id: run.output.user_id ?? "",
  content_type: run.output.content_type ?? null,
  step_results: run.output.step_results ?? [],
  step_executor_runs: run.output.step_executor_runs ?? null,
  step_requirements: run.output.step_requirements ?? null,
  pause_kind: run.output.pause_kind ?? null,
  paused_step_name: run.output.paused_step_name ?? null,
  paused_step_index: run.output.paused_step_index ?? null,
});

type ShownRow = AgentRunRow & TeamRunRow & WorkflowRunRow;

const rows = { agent: agentRunRow, team: teamRunRow, workflow: workflowRunRow } as const;

/** A run as the list of its component's runs shows it. */
export const runRow = (run: StoredRun): ShownRow =>
  // Which fields there are depends on the kind of run, which the route knows.
  rows[run.component_type](withNamedMedia(run)) as ShownRow;

/**
 * A run as the lists of its session show it. In a session of an agent every run is shown as an agent's.
 *
 * @source docs/interface/sessions.md 5.3
 */
export const sessionRunRow = (sessionType: SessionType, run: StoredRun): RunRow =>
  rows[sessionType === "agent" ? "agent" : run.component_type](withNamedMedia(run));

/** Characters of a preview's texts. */
const PREVIEW_CHARS = 280;

/** The least that a client needs to list a run. */
export const runPreview = ({ output, component_type, component_id }: StoredRun): RunPreview => ({
  run_id: output.run_id,
  parent_run_id: output.parent_run_id ?? null,
  [`${component_type}_id`]: component_id,
  user_id: output.user_id ?? null,
  status: output.status,
  run_input: beginningOf(output.input.input_content, PREVIEW_CHARS) ?? null,
  content_preview: beginningOf(output.content, PREVIEW_CHARS) ?? null,
  created_at: isoTime(output.created_at),
});

/** Lists show the media of runs without their contents; the route of a single run has those. */
const withNamedMedia = (run: StoredRun): StoredRun => ({
  ...run,
  output: mapRunMedia(run.output, namedMedium),
});

const inputMedia = ({ input }: RunOutput) => ({
  images: input.images ?? [],
  videos: input.videos ?? [],
  audios: input.audios ?? [],
  files: input.files ?? [],
});

const orNull = <T>(values: T[] | undefined) => (values && values.length > 0 ? values : null);

/** A run as the wire shows it. */
export type ShownRun = RunOutput & WorkflowRunOutput;

/**
 * The output of a run as clients see it: with the contents and addresses of its media, and for a workflow its input as it was sent.
 *
 * @throws ServiceError when a medium is missing or damaged
 */
export async function shownOutput(db: Db, output: StoredOutput): Promise<ShownRun> {
  const shown = await showRunMedia(db, await signMadeMedia(db, output));
  const { input } = shown;
  const shownInput = output.workflow_name === undefined ? input : input.input_content;
  // Which fields there are depends on the kind of run, which the route knows.
  return { ...shown, input: shownInput } as unknown as ShownRun;
}
