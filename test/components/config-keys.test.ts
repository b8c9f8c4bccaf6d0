import { describe, expect, test } from "vitest";
import { inspectConfig, keysOf } from "../../shared/domain/components/inspect-config.ts";
import { agentEntries } from "../../shared/engine/component/build/agent-entries.ts";
import { teamEntries } from "../../shared/engine/component/build/build-team.ts";
import { workflowEntries } from "../../shared/engine/component/build/build-workflow.ts";

/** Keys that a builder reads, beside those with an entry of their own. */
const readOtherwise = {
  agent: [
    "id",
    "model",
    "fallback_models",
    "fallback_config",
    "helper_model",
    "followup_model",
    "followups",
    "compaction",
    "tools",
    "skills",
    "knowledge",
    "input_schema",
    "output_schema",
    "enable_user_memories",
    "db",
    "name",
    // By the check before a version is live.
    "require_eval",
  ],
  team: ["members", "respond_directly", "delegate_to_all_members"],
  workflow: ["id", "steps", "input_schema", "db"],
};

describe("the table of keys", () => {
  const read = {
    agent: [...Object.keys(agentEntries), ...readOtherwise.agent],
    team: [
      ...Object.keys(agentEntries),
      ...readOtherwise.agent,
      ...Object.keys(teamEntries),
      ...readOtherwise.team,
    ],
    workflow: [...Object.keys(workflowEntries), ...readOtherwise.workflow],
  };

  test.each(["agent", "team", "workflow"] as const)("says of an %s that works what is read", (type) => {
    const working = Object.entries(keysOf[type]).filter(([, { status }]) => status === "works");
    expect(working.map(([name]) => name).sort()).toEqual([...new Set(read[type])].sort());
  });
});

const warned = (type: Parameters<typeof inspectConfig>[0], config: Record<string, unknown>) =>
  inspectConfig(type, config).warnings.map(({ path }) => path);

describe("looking at a config", () => {
  test("says nothing of nulls, and of values that ask for what happens anyway", () => {
    const config = { cache_session: false, reasoning: null, stream: true, store_media: true, unheard: null };
    expect(inspectConfig("agent", config)).toEqual({ warnings: [], refusals: [] });
    expect(warned("agent", { ...config, cache_session: true, store_media: false })).toEqual([
      "cache_session",
      "store_media",
    ]);
  });

  test("names the nearest key to one that is unknown, also for names that objects have anyway", () => {
    expect(inspectConfig("agent", { num_history_run: 1 }).warnings).toEqual([
      {
        path: "num_history_run",
        message: "num_history_run is unknown and ignored; the nearest key is num_history_runs",
      },
    ]);
    expect(warned("workflow", { toString: 1, constructor: 1 })).toEqual(["toString", "constructor"]);
  });

  test("goes into steps at every depth and into their reviews", () => {
    const steps = [
      { type: "Parallel", name: "p", steps: [{ name: "s", executor_ref: "f", agent: "x" }] },
      { type: "Condition", else_steps: [{ type: "Router", choices: [{ strict_input_validation: true }] }] },
      { name: "r", human_review: { requires_confirmation: true, confirm: true } },
      "no step",
      { type: "Teleport", anything: 1 },
    ];
    expect(warned("workflow", { steps })).toEqual([
      "steps[0].steps[0].agent",
      "steps[1].else_steps[0].choices[0].strict_input_validation",
      "steps[2].human_review.confirm",
    ]);
  });

  test("refuses what would leave out a question to a person, or execute an expression", () => {
    const steps = [
      { type: "Router", choices: [], human_review: { requires_confirmation: true } },
      { type: "Loop", steps: [], human_review: { requires_iteration_review: true } },
      { type: "Parallel", steps: [], human_review: {} },
      { type: "Loop", steps: [], end_condition: "x", end_condition_type: "cel" },
      { type: "Steps", steps: [], human_review: { requires_output_review: false } },
    ];
    expect(inspectConfig("workflow", { steps }).refusals.map(({ path }) => path)).toEqual([
      "steps[0].human_review.requires_confirmation",
      "steps[1].human_review.requires_iteration_review",
      "steps[2].human_review",
      "steps[3].end_condition_type",
    ]);
  });

  test("warns of a team whose mode contradicts what says the same in another way", () => {
    expect(warned("team", { respond_directly: true })).toEqual([]);
    expect(warned("team", { mode: "route", respond_directly: true })).toEqual([]);
    expect(
      warned("team", { mode: "coordinate", respond_directly: true, delegate_to_all_members: false }),
    ).toEqual(["respond_directly"]);
  });
});
