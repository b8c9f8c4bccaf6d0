import { describe, expect, test } from "vitest";
import { defineTool } from "../../../shared/engine/tool/tool.ts";
import type { RunEvent } from "../../../shared/schemas/runs/run-event.ts";
import { aTool } from "../support/run-agent.ts";
import {
  aMember,
  answer,
  answersTo,
  aTeam,
  directive,
  orderOf,
  paused,
  playInSlices,
  playOut,
  timeless,
} from "./support.ts";

const team = (parts: Parameters<typeof aTeam>[0] = {}) => aTeam({ mode: "tasks", ...parts });

const create = (title: string, more: Record<string, unknown> = {}) =>
  directive("create_task", { title, assignee: "ann", ...more });
const run = directive("run_tasks");
const done = directive("complete_goal", { summary: "All done." });

const ofType = <Type extends RunEvent["event"]>(events: readonly RunEvent[], type: Type) =>
  events.filter((event): event is Extract<RunEvent, { event: Type }> => event.event === type);

const results = (tools: readonly { result: string | null }[] = []) => tools.map(({ result }) => result);

describe("a team that works off tasks", () => {
  test("runs them once what they depend on is completed, and answers with its summary", async () => {
    const script = [
      create("outline"),
      create("draft", { assignee: "ben", dependencies: ["task-1"], description: "Write it." }),
      run,
      run,
      done,
    ].join("");
    const { outcome, events } = await playOut(team(), script);
    expect(outcome.output).toMatchObject({ status: "COMPLETED", content: "All done." });
    expect(outcome.output.member_responses).toMatchObject([
      { agent_id: "ann", input: { input_content: "outline" } },
      { agent_id: "ben", input: { input_content: "Write it." } },
    ]);
    const asked = outcome.output.member_responses?.[1]?.messages?.[0];
    expect(asked).toMatchObject({
      role: "user",
      context: expect.stringContaining("outline: You said: outline"),
    });
    expect(outcome.output.team_tasks).toMatchObject({ goal_complete: true, completion_summary: "All done." });
    expect(ofType(events, "TeamTaskStateUpdated").at(-1)).toMatchObject({
      goal_complete: true,
      completion_summary: "All done.",
      task_summary: "2 of 2 tasks completed.",
      tasks: [
        { id: "task-1", title: "outline", status: "completed", result: "You said: outline", assignee: "ann" },
        { id: "task-2", status: "completed", dependencies: ["task-1"] },
      ],
    });
  });

  test("emits its rounds and what becomes of each task", async () => {
    const { events } = await playOut(team({ max_iterations: 7 }), `${create("one")}${run}${done}`);
    expect(orderOf(events)).toEqual([
      "TeamRunStarted",
      "TeamTaskIterationStarted",
      "TeamModelRequestStarted",
      "TeamModelRequestCompleted",
      "TeamToolCallStarted",
      "TeamTaskCreated",
      "TeamTaskStateUpdated",
      "TeamToolCallCompleted",
      "TeamTaskIterationCompleted",
      "TeamTaskIterationStarted",
      "TeamModelRequestStarted",
      "TeamModelRequestCompleted",
      "TeamToolCallStarted",
      "TeamTaskUpdated",
      "TeamTaskStateUpdated",
      "ann RunStarted",
      "ann ModelRequestStarted",
      "ann RunContent",
      "ann ModelRequestCompleted",
      "ann RunContentCompleted",
      "ann RunCompleted",
      "TeamTaskUpdated",
      "TeamTaskStateUpdated",
      "TeamToolCallCompleted",
      "TeamTaskIterationCompleted",
      "TeamTaskIterationStarted",
      "TeamModelRequestStarted",
      "TeamModelRequestCompleted",
      "TeamToolCallStarted",
      "TeamTaskStateUpdated",
      "TeamToolCallCompleted",
      "TeamRunContent",
      "TeamTaskIterationCompleted",
      "TeamRunContentCompleted",
      "TeamRunCompleted",
    ]);
    expect(ofType(events, "TeamTaskIterationStarted")).toMatchObject(
      [1, 2, 3].map((iteration) => ({ iteration, max_iterations: 7 })),
    );
    expect(ofType(events, "TeamTaskUpdated")).toMatchObject([
      { task_id: "task-1", title: "one", previous_status: "pending", status: "in_progress", result: null },
      { previous_status: "in_progress", status: "completed", result: "You said: one", assignee: "ann" },
    ]);
  });

  test("runs what is ready side by side, each task in a run of its own", async () => {
    const script = [create("one"), create("two", { assignee: "ben" }), create("three"), run, done].join("");
    const { outcome, events } = await playOut(team(), script);
    expect(outcome.output.member_responses).toHaveLength(3);
    const begun = events.filter(({ event }) => event === "RunStarted").length;
    const firstEnd = events.findIndex(({ event }) => event === "RunCompleted");
    expect(events.slice(0, firstEnd).filter(({ event }) => event === "RunStarted")).toHaveLength(begun);
    expect(outcome.output.tools?.[3]).toMatchObject({ child_run_id: null, tool_call_error: false });
  });

  test("blocks what depends on a task that failed, until that is resumed", async () => {
    let fails = true;
    const flaky = defineTool({
      ...aTool().tool,
      name: "flaky",
      execute: () => "fine",
    });
    const ann = aMember("ann", {
      tools: [flaky],
      pre_hooks: [
        { name: "once", check: () => (fails ? { refused: "Not now.", error_id: "no" } : undefined) },
      ],
    });
    const again = aMember("ben", {
      pre_hooks: [
        {
          name: "fix",
          check: () => {
            fails = false;
            return undefined;
          },
        },
      ],
    });
    const script = [
      create("one"),
      create("two", { dependencies: ["task-1"] }),
      create("three", { dependencies: ["task-2"] }),
      create("fix", { assignee: "ben" }),
      directive("run_tasks", { task_ids: ["task-1"] }),
      directive("run_tasks", { task_ids: ["task-2"] }),
      directive("run_tasks", { task_ids: ["task-4"] }),
      directive("update_task", { task_id: "task-1", status: "pending" }),
      run,
      run,
      run,
      done,
    ].join("");
    const { outcome, events } = await playOut(team({ members: [ann, again], max_iterations: 20 }), script);
    const statuses = ofType(events, "TeamTaskStateUpdated").map(({ tasks }) =>
      tasks.map(({ status }) => status).join(" "),
    );
    expect(statuses).toContain("failed blocked blocked pending");
    expect(statuses.at(-1)).toBe("completed completed completed completed");
    expect(results(outcome.output.tools)[5]).toContain("task-2: it is blocked.");
    expect(outcome.output.content).toBe("All done.");
  });

  test.each([
    [
      "a dependency that is no task",
      directive("create_task", { title: "x", dependencies: ["task-9"] }),
      "There is no task task-9.",
    ],
    ["an assignee who is no member", create("x", { assignee: "zoe" }), "is no member; members are ann, ben"],
    [
      "a task that would wait for itself",
      `${create("a")}${create("b", { dependencies: ["task-1"] })}${directive("update_task", { task_id: "task-1", dependencies: ["task-2"] })}`,
      "task-1 would wait for itself.",
    ],
    [
      "a task that waits",
      `${create("a")}${create("b", { dependencies: ["task-1"] })}${directive("run_tasks", { task_ids: ["task-2"] })}`,
      "task-2: it waits for task-1.",
    ],
    [
      "a task without an assignee",
      `${directive("create_task", { title: "mine" })}${run}`,
      "task-1: it has no assignee",
    ],
    [
      "a task that is not there",
      directive("run_tasks", { task_ids: ["task-5"] }),
      "There is no task task-5.",
    ],
    ["an end before all is done", `${create("a")}${done}`, "Not done yet: task-1."],
  ])("refuses %s", async (_, script, text) => {
    const { outcome } = await playOut(team(), script);
    expect(outcome.output.tools?.at(-1)).toMatchObject({
      tool_call_error: true,
      result: expect.stringContaining(text),
    });
  });

  test("lets its leader do a task itself", async () => {
    const script = `${directive("create_task", { title: "mine" })}${directive("update_task", { task_id: "task-1", status: "completed", result: "Did it." })}${done}`;
    const { outcome } = await playOut(team(), script);
    expect(outcome.output.team_tasks?.list).toMatchObject([
      { status: "completed", result: "Did it.", assignee: null },
    ]);
    expect(outcome.output.content).toBe("All done.");
  });

  test("has its leader answer without tools after the last round", async () => {
    const script = `${create("one")}${create("two")}${create("three")}${create("four")}`;
    const { outcome, events } = await playOut(
      team({ max_iterations: 2 }),
      `${create("one")}${create("two")}`,
    );
    expect(outcome.status).toBe("COMPLETED");
    expect(ofType(events, "TeamTaskIterationStarted")).toHaveLength(2);
    const stubborn = await playOut(team({ max_iterations: 2 }), script);
    expect(stubborn.outcome).toMatchObject({
      status: "ERROR",
      error: expect.stringContaining("in 2 rounds"),
    });
    expect(results(stubborn.outcome.output.tools).at(-1)).toContain("There is no tool named create_task.");
  });

  test("emits and gives the same when it is handed off after every step", async () => {
    const script = [create("one"), create("two", { dependencies: ["task-1"] }), run, run, done].join("");
    const [whole, sliced] = [await playOut(team(), script), await playInSlices(team(), script)];
    expect(timeless(sliced.events)).toEqual(timeless(whole.events));
    expect(timeless(sliced.outcome)).toEqual(timeless(whole.outcome));
  });

  test("remembers its tasks while a member waits for a person", async () => {
    const { tool, seen } = aTool({ requires_confirmation: true });
    const asking = team({ members: [aMember("ann", { tools: [tool] })] });
    const script = `${create("sum", { description: directive("add", { a: 1, b: 2 }) })}${run}${done}`;
    const record = paused(asking, await playOut(asking, script));
    expect(record.output.team_tasks?.list).toMatchObject([{ status: "in_progress" }]);
    const { state } = answer(record, asking, answersTo(record, { confirmation: true }));
    const { outcome, events } = await playOut(asking, script, { from: state, continues: true });
    expect(ofType(events, "TeamTaskUpdated")).toMatchObject([
      { previous_status: "in_progress", result: "3" },
    ]);
    expect(outcome.output.content).toBe("All done.");
    expect(seen).toHaveLength(1);
  });
});
