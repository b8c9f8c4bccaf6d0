import { APICallError, type LanguageModelV4Prompt, type LanguageModelV4StreamPart } from "@ai-sdk/provider";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { defineTeam } from "../../shared/engine/define/team.ts";
import { defineWorkflow, stepAnswer, type WorkflowStep } from "../../shared/engine/define/workflow.ts";
import { executeRunnable } from "../../shared/engine/lifecycle/execute-runnable.ts";
import type { GivenMedium } from "../../shared/engine/model/given-medium.ts";
import type { ToolAnswer, ToolLedger } from "../../shared/engine/ports/engine-ports.ts";
import { MAX_FILES } from "../../shared/engine/run/run-media.ts";
import { hasEnded, type RunState } from "../../shared/engine/run/run-state.ts";
import { defineTool, resultWithMedia, type Tool } from "../../shared/engine/tool/tool.ts";
import { newRunId } from "../../shared/runtime/ids.ts";
import type { UnindexedEvent } from "../../shared/schemas/runs/run-event.ts";
import { continueAgent, pausedState } from "./support/continue-agent.ts";
import {
  anAgent,
  aRequest,
  eventsOf,
  type How,
  runAgent,
  scripted,
  tickingClock,
} from "./support/run-agent.ts";
import { watchedModel } from "./support/watched-model.ts";
import { play } from "./team/support.ts";

const PNG = { mime_type: "image/png", filename: "red.png", bytes: Buffer.from("PNG") };
const FRAME = { ...PNG, filename: "frame.png" };
const drawing = "[[tool:draw {}]]";

/** A tool that gives these files; what it is beside that may be said. */
const giving = (media: readonly GivenMedium[], parts: Partial<Tool> = {}): Tool => ({
  ...defineTool({
    name: "draw",
    description: "Draw.",
    parameters: v.object({}),
    effect: "safe",
    execute: () => resultWithMedia("Here it is.", media),
  }),
  ...parts,
});

/** Somewhere to keep files. */
function shelf() {
  const kept = new Map<string, Uint8Array>();
  return {
    kept,
    saveObject: async (bytes: Uint8Array) => {
      const sha256 = Buffer.from(bytes).toString("hex").slice(0, 8);
      kept.set(sha256, bytes);
      return { key: `k/${sha256}`, sha256, bytes: bytes.length };
    },
    loadObject: async ({ sha256 }: { sha256: string }) => kept.get(sha256) ?? Buffer.from("gone"),
  };
}

const draw = (media: readonly GivenMedium[], how: How = {}) =>
  runAgent(drawing, { ...shelf(), agent: anAgent({ tools: [giving(media)] }), ...how });

const resultsIn = (prompt: LanguageModelV4Prompt | undefined) =>
  (prompt ?? []).flatMap(({ role, content }) => (role === "tool" ? content : []));

const pointer = { key: "k/504e47", sha256: "504e47", bytes: 3 };
const picture = {
  id: expect.any(String),
  mime_type: "image/png",
  format: "png",
  filename: "red.png",
  object: pointer,
};

describe("a tool's files", () => {
  test("are kept by reference: on the tool's message, in the output, and in the events about them", async () => {
    const run = await draw([PNG]);
    const { output } = run.outcome;
    expect(output).toMatchObject({ status: "COMPLETED", content: "Here it is.", images: [picture] });
    expect(output.messages?.find(({ role }) => role === "tool")).toMatchObject({
      content: "Here it is.",
      images: [picture],
    });
    expect(eventsOf(run, "ToolCallCompleted")[0]).toMatchObject({ images: [picture] });
    expect(eventsOf(run, "RunCompleted")[0]).toMatchObject({ images: [picture] });
    expect(output.tools?.[0]).not.toHaveProperty("images");
  });

  test("are of the kind that their type says, unless the tool says another", async () => {
    const bytes = Buffer.from("x");
    const { outcome } = await draw([
      { mime_type: "video/mp4", url: "https://videos.example/v.mp4" },
      { mime_type: "audio/mpeg", bytes },
      { mime_type: "application/zip", filename: "all.zip", bytes },
      { mime_type: "image/png", kind: "files", bytes },
    ]);
    const { images, videos, audio, files } = outcome.output;
    expect(images).toBeUndefined();
    expect(videos).toMatchObject([{ url: "https://videos.example/v.mp4" }]);
    expect(audio).toMatchObject([{ mime_type: "audio/mpeg" }]);
    expect(files).toMatchObject([{ filename: "all.zip", format: "zip" }, { mime_type: "image/png" }]);
  });

  test.each([
    ["too large", [{ ...PNG, bytes: new Uint8Array(20_000_001) }], /20\.0 MB/],
    ["too many", Array.from({ length: MAX_FILES + 1 }, () => PNG), /50 files/],
    ["no web address", [{ mime_type: "image/png", url: "file:///etc/passwd" }], /no http address/],
  ])("that are %s make the call a failed one, and the model gets the reason", async (_, media, why) => {
    const { models, prompts } = watchedModel();
    const { outcome } = await draw(media, { models });
    expect(outcome.status).toBe("COMPLETED");
    expect(outcome.output.tools?.[0]).toMatchObject({
      tool_call_error: true,
      result: expect.stringMatching(why),
    });
    expect(resultsIn(prompts.at(-1))).toMatchObject([{ output: { type: "error-text" } }]);
  });

  test("that cannot be kept make the call a failed one, without a word of the store", async () => {
    const saveObject = async () => Promise.reject(new Error("10.0.0.7 refused the connection"));
    const { outcome } = await draw([PNG], { saveObject });
    expect(outcome.output.tools?.[0]?.result).toBe("The files could not be kept; the call itself was made.");
  });

  test("add up over a run", async () => {
    const half = { ...PNG, bytes: new Uint8Array(11_000_000) };
    const twice = await runAgent(`${drawing}${drawing}`, {
      ...shelf(),
      agent: anAgent({ tools: [giving([half])] }),
    });
    expect(twice.outcome.output.tools?.map(({ tool_call_error }) => tool_call_error)).toEqual([false, true]);
    expect(twice.outcome.output.images).toHaveLength(1);
  });

  test("of a call that is on record already are those that it gave then", async () => {
    let calls = 0;
    let ended: ToolAnswer | undefined;
    const ledger: ToolLedger = {
      start: async () => (ended ? { state: "ended", answer: ended } : { state: "started" }),
      startAgain: async () => ({ state: "started" }),
      end: async (_, answer) => {
        ended = answer;
      },
    };
    const once = giving([], { effect: "once", execute: () => resultWithMedia(`call ${++calls}`, [PNG]) });
    const store = shelf();
    const how = { ...store, ledger, agent: anAgent({ tools: [once] }) };
    const first = await runAgent(drawing, how);
    const again = await runAgent(drawing, how);
    expect(calls).toBe(1);
    expect(again.outcome.output.images).toEqual(first.outcome.output.images);
    expect(store.kept.size).toBe(1);
  });
});

test("a run that pauses has what it made before and after", async () => {
  const asking = giving([{ ...PNG, filename: "blue.png" }], {
    name: "ask_first",
    requires_confirmation: true,
  });
  const how = { ...shelf(), agent: anAgent({ tools: [giving([PNG]), asking] }) };
  const message = `${drawing}[[tool:ask_first {}]]`;
  const state = await pausedState(message, how);
  const { outcome } = await continueAgent(state, { confirmed: true }, { ...how, request: aRequest(message) });
  expect(outcome.output.images?.map(({ filename }) => filename)).toEqual(["red.png", "blue.png"]);
});

describe("what the model is shown of a tool's files", () => {
  test("is the picture itself", async () => {
    const { models, prompts } = watchedModel();
    await draw([PNG], { models });
    expect(resultsIn(prompts.at(-1))[0]).toMatchObject({
      output: {
        type: "content",
        value: [
          { type: "text", text: "Here it is." },
          { type: "file", mediaType: "image/png", data: { type: "data", data: "UE5H" } },
        ],
      },
    });
  });

  test("is their names, of what it cannot see", async () => {
    const { models, prompts } = watchedModel();
    await draw([{ mime_type: "audio/mpeg", filename: "song.mp3", bytes: Buffer.from("x") }], { models });
    const value = "Here it is.\n[recording: song.mp3, audio/mpeg]";
    expect(resultsIn(prompts.at(-1))[0]).toMatchObject({ output: { type: "text", value } });
  });

  test("is their names where its provider refuses them, and the run goes on", async () => {
    const refusal = new APICallError({
      message: "this model does not take images",
      url: "",
      requestBodyValues: {},
      statusCode: 400,
    });
    const { models, prompts } = watchedModel((prompt) =>
      JSON.stringify(prompt).includes('"type":"content"') ? [{ type: "error", error: refusal }] : undefined,
    );
    const { outcome } = await draw([PNG], { models });
    expect(prompts).toHaveLength(3);
    expect(outcome.output).toMatchObject({ status: "COMPLETED", images: [picture] });
    expect(outcome.output.content).toBe("Here it is.\n[image: red.png, image/png]");
  });
});

describe("files of a team's member", () => {
  const artist = { ...anAgent({ tools: [giving([PNG])] }), id: "artist", name: "Artist" };
  const team = defineTeam({ id: "studio", name: "Studio", members: [artist] });
  const task = `[[tool:delegate_task_to_member ${JSON.stringify({ member_id: "artist", task: drawing })}]]`;

  test("are the member's and the team's", async () => {
    const { saveObject, loadObject } = shelf();
    const { outcome, events } = await play(team, task, { saveObject, loadObject });
    if (outcome.status !== "COMPLETED") throw new Error(outcome.status);
    expect(outcome.output.images).toEqual([picture]);
    expect(outcome.output.member_responses?.[0]?.images).toEqual([picture]);
    expect(outcome.output.messages?.find(({ role }) => role === "tool")?.images).toEqual([picture]);
    const eventTypes = events.filter((event) => "images" in event).map(({ event }) => event);
    expect(eventTypes).toEqual([
      "ToolCallCompleted",
      "RunCompleted",
      "TeamToolCallCompleted",
      "TeamRunCompleted",
    ]);
  });

  test("outlive a process that dies while another member is still at work", async () => {
    const { saveObject, loadObject } = shelf();
    const slow = { ...anAgent(), id: "slow", name: "Slow" };
    const pair = defineTeam({ id: "studio", name: "Studio", members: [artist, slow], mode: "broadcast" });
    const states: RunState[] = [];
    const saveCheckpoint = async (state: RunState) => void states.push(structuredClone(state));
    await play(pair, drawing, { saveObject, loadObject, saveCheckpoint });
    const middle = states.find(({ members = [] }) => members.some(hasEnded) && !members.every(hasEnded));
    const { outcome } = await play(pair, drawing, {
      saveObject,
      loadObject,
      ...(middle && { from: middle }),
    });
    expect(middle).toBeDefined();
    expect("output" in outcome && outcome.output.images).toEqual([picture]);
  });
});

test("files of a workflow's step are the step's, the workflow's, and in the event that it is completed", async () => {
  const { saveObject, loadObject } = shelf();
  const executor = { ...anAgent({ tools: [giving([PNG])] }), id: "artist", name: "Artist" };
  const steps: WorkflowStep[] = [
    { type: "Step", name: "draw", executor },
    { type: "Step", name: "frame", executor: () => stepAnswer({ content: "Framed.", media: [FRAME] }) },
  ];
  const workflow = defineWorkflow({ id: "flow", name: "Flow", steps });
  const events: UnindexedEvent[] = [];
  const outcome = await executeRunnable(workflow, aRequest(drawing), {
    models: scripted(),
    clock: tickingClock(),
    newId: newRunId,
    signal: new AbortController().signal,
    emit: (event) => events.push(event),
    saveObject,
    loadObject,
  });
  if (outcome.status !== "COMPLETED") throw new Error(outcome.status);
  const { images, step_results, step_executor_runs } = outcome.output;
  const framed = { ...picture, filename: "frame.png" };
  expect(images).toEqual([picture, framed]);
  expect(step_results?.map((step) => step.images)).toEqual([[picture], [framed]]);
  expect(step_executor_runs?.[0]?.images).toEqual([picture]);
  const completed = events.filter(({ event }) => event === "StepCompleted");
  expect(completed).toMatchObject([
    { images: [picture], step_response: { images: [picture] } },
    { images: [framed] },
  ]);
});

describe("a file that a model answers with", () => {
  const finish: LanguageModelV4StreamPart = {
    type: "finish",
    finishReason: { unified: "stop", raw: "stop" },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
  };
  const file: LanguageModelV4StreamPart = {
    type: "file",
    mediaType: "image/png",
    data: { type: "data", data: "UE5H" },
  };

  test("is part of the answer, on the model's message and in the output", async () => {
    const { models } = watchedModel(() => [file, finish]);
    const { outcome } = await runAgent("paint", { ...shelf(), models });
    const made = [{ mime_type: "image/png", object: pointer }];
    expect(outcome.output).toMatchObject({ status: "COMPLETED", images: made });
    expect(outcome.output.messages?.at(-1)).toMatchObject({ role: "assistant", images: made });
  });

  test("is left out where it cannot be kept; the answer stays", async () => {
    const { models } = watchedModel(() => [file, finish]);
    const { outcome } = await runAgent("paint", { models });
    expect(outcome.output.status).toBe("COMPLETED");
    expect(outcome.output.images).toBeUndefined();
  });
});
