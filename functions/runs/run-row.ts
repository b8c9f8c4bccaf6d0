import type { StoredRun } from "../../shared/stores/runs/run-item.ts";

/**
 * A run as lists show it: times as ISO text, nulls kept.
 *
 * @source contract, sessions section 9, RunSchema
 */
export function runRow({ output }: StoredRun) {
  return {
    run_id: output.run_id,
    parent_run_id: output.parent_run_id ?? "",
    agent_id: output.agent_id ?? null,
    user_id: output.user_id ?? "",
    status: output.status,
    run_input: output.input.input_content,
    content: output.content ?? null,
    run_response_format: "text",
    reasoning_content: output.reasoning_content ?? "",
    reasoning_steps: [],
    metrics: output.metrics ?? {},
    messages: orNull(output.messages),
    tools: orNull(output.tools),
    events: null,
    created_at: new Date(output.created_at * 1000).toISOString().replace(".000Z", "Z"),
    references: [],
    images: [],
    videos: [],
    audio: [],
    files: [],
    citations: null,
    response_audio: null,
    session_state: output.session_state ?? null,
    input_media: { images: [], videos: [], audios: [], files: [] },
    followups: orNull(output.followups),
  };
}

const orNull = <T>(values: readonly T[] | undefined) => (values && values.length > 0 ? values : null);
