import { describe, expect, test } from "vitest";
import { RunStopped } from "../../shared/engine/run-request.ts";
import type { RunEvent } from "../../shared/schemas/run-event.ts";
import { anAgent, aRequest, aTool, runAgent, scripted } from "./support/run-agent.ts";

/** Fields of every agent event, those with a question mark only where they apply. @source contract, runs-and-queue 5.2 */
const base = "created_at event agent_id agent_name run_id parent_run_id? session_id nested_depth";

/** What each type carries besides. @source contract, runs-and-queue 5.3 */
const extra: Readonly<Record<string, string>> = {
  RunStarted: "model model_provider",
  RunContent: "content content_type workflow_agent reasoning_content",
  RunContentCompleted: "",
  RunCompleted: "content content_type reasoning_content? additional_input? metadata? metrics? session_state?",
  RunPaused: "content? tools requirements",
  RunError: "content error_type? error_id?",
  RunCancelled: "content? reason",
  PreHookStarted: "pre_hook_name run_input",
  PreHookCompleted: "pre_hook_name run_input",
  PostHookStarted: "post_hook_name",
  PostHookCompleted: "post_hook_name",
  ToolCallStarted: "tool",
  ToolCallCompleted: "tool content",
  ToolCallError: "tool error",
  SessionSummaryStarted: "",
  SessionSummaryCompleted: "session_summary?",
  ModelRequestStarted: "model model_provider",
  ModelRequestCompleted:
    "model model_provider input_tokens output_tokens total_tokens time_to_first_token? reasoning_tokens cache_read_tokens cache_write_tokens",
  FollowupsStarted: "",
  FollowupsCompleted: "followups",
};

const fieldsOf = (type: string) => {
  const words = `${base} ${extra[type] ?? "unknown type"}`.split(" ").filter((word) => word !== "");
  return {
    required: words.filter((word) => !word.endsWith("?")),
    allowed: words.map((word) => word.replace("?", "")),
  };
};

const { tool: add } = aTool();
const failing = aTool({ name: "fail", execute: () => Promise.reject(new Error("no")) }).tool;
const asking = aTool({ name: "ask", requires_confirmation: true }).tool;
const allow = { name: "allow", check: () => undefined };
const agent = anAgent({
  tools: [add, failing, asking],
  additional_input: [{ role: "user", content: "First." }],
  enable_session_summaries: true,
  followups: true,
  pre_hooks: [allow],
  post_hooks: [allow],
});

const inputs = [
  "hello",
  '[[tool:add {"a":1,"b":2}]]',
  '[[tool:fail {"a":1,"b":2}]]',
  '[[tool:ask {"a":1,"b":2}]]',
  "[[fail:boom]]",
];

async function everyEvent(): Promise<readonly RunEvent[]> {
  const runs = await Promise.all(
    inputs.map((input) =>
      runAgent("", { agent, request: aRequest(input, { metadata: { a: 1 } }), models: scripted() }),
    ),
  );
  const refused = { name: "refuse", check: () => ({ refused: "No.", error_id: "no" }) };
  const stop = AbortSignal.abort(new RunStopped("cancelled", "Enough."));
  return [
    ...runs,
    await runAgent("hello", { agent: anAgent({ pre_hooks: [refused] }) }),
    await runAgent("hello", { signal: stop }),
  ].flatMap(({ events }) => events);
}

const events = await everyEvent();

describe.each(Object.keys(extra))("%s", (type) => {
  const told = events.filter(({ event }) => event === type);

  test("has exactly the fields of the wire, and none of them is null", () => {
    expect(told.length).toBeGreaterThan(0);
    const { required, allowed } = fieldsOf(type);
    for (const event of told) {
      const keys = Object.keys(event);
      expect(required.filter((name) => !keys.includes(name))).toEqual([]);
      expect(keys.filter((name) => !allowed.includes(name))).toEqual([]);
      expect(Object.values(event)).not.toContain(null);
      expect(Object.values(event)).not.toContain(undefined);
    }
  });
});

test("no event of another type is told", () => {
  expect([...new Set(events.map(({ event }) => event))].filter((event) => !(event in extra))).toEqual([]);
});
