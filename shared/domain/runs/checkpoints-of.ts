import type { Checkpoint } from "../../schemas/runs/checkpoint.ts";
import type { Message, RunOutput } from "../../schemas/runs/run.ts";
import { wholePart } from "./message-cut.ts";
import { madeIn } from "./output-media.ts";

const PREVIEW_CHARS = 200;

/** The places from which a run can be continued: after each of its own steps that a model can resume from, and its end. */
export function checkpointsOf(run: RunOutput): Checkpoint[] {
  const { messages = [] } = run;
  const indexes = messages.map((_, i) => i + 1).filter((index) => isCheckpoint(messages, index));
  return indexes.map((index, i) => checkpointAt(run, index, i + 1));
}

/** The run after its first messages. @param index  from 0 to the number of messages */
export function checkpointAt(run: RunOutput, index: number, number: number): Checkpoint {
  const { run_id, session_id, messages = [], status, created_at } = run;
  const last = messages[index - 1];
  const isLatest = index === messages.length;
  return {
    checkpoint_id: String(number),
    run_id,
    session_id,
    message_index: index,
    continue_from: index,
    status: isLatest ? status : "RUNNING",
    reason: isLatest ? "end" : "checkpoint",
    created_at: last?.created_at ?? created_at,
    message_id: last?.id ?? null,
    message_role: last?.role ?? null,
    message_preview: last?.content?.slice(0, PREVIEW_CHARS) ?? null,
    is_latest: isLatest,
  };
}

/** The run as it was after its first messages. */
export function snapshotAt(run: RunOutput, index: number): RunOutput {
  const messages = (run.messages ?? []).slice(0, index);
  const called = new Set(messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id)));
  const { tools, images: _i, videos: _v, audio: _a, files: _f, ...rest } = run;
  const results = tools?.filter(({ tool_call_id }) => called.has(tool_call_id));
  return { ...rest, ...madeIn(messages), messages, ...(results && { tools: results }) };
}

function isCheckpoint(messages: readonly Message[], index: number): boolean {
  const last = messages[index - 1];
  if (index === messages.length) return true;
  return (
    last !== undefined &&
    !last.from_history &&
    last.role !== "system" &&
    wholePart(messages, index).length === index
  );
}
