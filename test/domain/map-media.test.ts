import { describe, expect, test } from "vitest";
import {
  listMedia,
  type MapMedia,
  mapEventMedia,
  mapRunMedia,
  outputMedia,
} from "../../shared/domain/runs/output-media.ts";
import type { Media } from "../../shared/schemas/runs/media.ts";
import type { Message, RunOutput } from "../../shared/schemas/runs/run.ts";
import type { StoredOutput } from "../../shared/schemas/runs/stored-output.ts";
import type { StepOutput, StepRequirement } from "../../shared/schemas/runs/workflow-run.ts";

const medium = (id: string): Media => ({ id, object: { key: id, sha256: "0", bytes: 1 } });

const message = (id: string): Message => ({
  id,
  role: "tool",
  audio: [medium(`${id}-audio`)],
  from_history: false,
  stop_after_tool_call: false,
  created_at: 1,
});
const run = (id: string): RunOutput => ({
  run_id: id,
  session_id: "s",
  input: { input_content: "draw", audios: [medium(`${id}-input`)] },
  messages: [message(id)],
  images: [medium(`${id}-image`)],
  created_at: 1,
  status: "COMPLETED",
});
const step = (id: string): StepOutput => ({
  ...{ content: null, step_name: id, step_id: id, step_type: "Step", executor_type: "agent" },
  ...{ executor_name: null, step_run_id: null, images: null, videos: [medium(`${id}-video`)], audio: null },
  ...{ files: null, metrics: null, success: true, error: null, stop: false, is_paused: false },
});
/** What a user wrote that looks like a medium. */
const forged = { images: [medium("of another user")] };
// Only what the map looks at.
const asked = {
  step_id: "s",
  step_output: step("asked"),
  edited_output: forged,
} as unknown as StepRequirement;

const whole: StoredOutput = {
  ...run("own"),
  content: forged,
  metadata: forged,
  session_state: forged,
  member_responses: [{ ...run("member"), member_responses: [run("nested")] }],
  step_executor_runs: [run("step")],
  step_results: [{ ...step("result"), content: forged }],
  step_requirements: [asked],
};

function seen<Value>(value: Value, map: (value: Value, change: MapMedia) => Value) {
  const ids: string[] = [];
  const mapped = map(value, ({ id }) => {
    ids.push(id);
    return { id, content: "shown" };
  });
  return { ids: ids.sort(), mapped };
}

describe("the media of a run", () => {
  test("are found wherever they stand, in runs and steps within it too", () => {
    const ofRun = (id: string) => [`${id}-audio`, `${id}-image`, `${id}-input`];
    const { ids, mapped } = seen(whole, mapRunMedia);
    const runs = ["own", "member", "nested", "step"].flatMap(ofRun);
    expect(ids).toEqual([...runs, "asked-video", "result-video"].sort());
    expect(mapped.images).toEqual([{ id: "own-image", content: "shown" }]);
    expect(mapped.step_results?.[0]).toMatchObject({ images: null, videos: [{ content: "shown" }] });
  });

  test("are nowhere else, whatever a user has written there", () => {
    const { mapped } = seen(whole, mapRunMedia);
    expect(mapped.metadata).toEqual(forged);
    expect(mapped.content).toEqual(forged);
    expect(mapped.step_results?.[0]?.content).toEqual(forged);
  });

  test("that a workflow sent are found, but for its input, which is as the user wrote it", () => {
    const { input: _, ...rest } = whole;
    const event = {
      ...rest,
      ...{ event: "WorkflowRunOutput" as const, nested_depth: 0, workflow_id: "w", workflow_name: "W" },
      ...{ input: forged, metrics: {}, step_results: [step("result")] },
    };
    const { ids, mapped } = seen(event, mapEventMedia);
    expect(mapped.input).toEqual(forged);
    expect(ids).toContain("result-video");
    expect(ids).not.toContain("of another user");
  });
});

test("media of several carriers are joined, each once, and listed in the order in which they are sent", () => {
  const made = outputMedia(run("a"), { files: [medium("f")] }, message("b"), run("a"), step("c"));
  expect(listMedia(made).map(([kind, { id }]) => [kind, id])).toEqual([
    ["images", "a-image"],
    ["videos", "c-video"],
    ["files", "f"],
    ["audios", "b-audio"],
  ]);
  expect(outputMedia({ images: null })).toEqual({});
});
