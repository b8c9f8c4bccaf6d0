import { describe, expect, test, vi } from "vitest";
import { defineAgent } from "../../../shared/engine/define/agent.ts";
import { defineWorkflow, stepAnswer } from "../../../shared/engine/define/workflow.ts";
import type { RunOutput } from "../../../shared/schemas/runs/run.ts";
import { answered, cancelled, functionStep, play, stateOf } from "./support.ts";

const started = "WorkflowStarted";
const step = ["StepStarted", "StepOutput", "StepCompleted"];

describe("steps one after the other", () => {
  test("emit the events of the interface, and each is given what the one before gave", async () => {
    const { outcome, eventNames } = await play([functionStep("a"), functionStep("b")]);
    expect(eventNames).toEqual([started, ...step, ...step, "WorkflowCompleted"]);
    expect(outcome).toMatchObject({ status: "COMPLETED", output: { content: "topic>a>b", input: "topic" } });
  });

  test("see every result by name, and the session's state as earlier steps left it", async () => {
    const { outcome } = await play([
      functionStep("a", () => stepAnswer({ content: 1, session_state: { seen: true } })),
      functionStep("b", ({ results, session_state }) => [results.a?.content, session_state.seen]),
    ]);
    expect(outcome).toMatchObject({
      output: { content: [1, true], content_type: "dict", session_state: { seen: true } },
    });
  });

  test("end well where a step says so", async () => {
    const { outcome } = await play([
      functionStep("a", () => stepAnswer({ content: "enough", stop: true })),
      functionStep("b"),
    ]);
    expect(outcome).toMatchObject({ status: "COMPLETED", output: { content: "enough" } });
  });

  test("are each handed off and resumed by another process, and none runs twice", async () => {
    const runs: string[] = [];
    const counted = (name: string) =>
      functionStep(name, ({ previous }) => {
        runs.push(name);
        return `${previous}>${name}`;
      });
    const steps = [
      counted("a"),
      { name: "both", type: "Parallel" as const, steps: [counted("b"), counted("c")] },
      counted("d"),
    ];
    const whole = await play(steps);
    runs.length = 0;
    const resumedNames: string[] = [];
    let last = await play(steps, { shouldYield: () => true });
    resumedNames.push(...last.eventNames);
    while (last.outcome.status === "YIELDED") {
      last = await play(steps, { from: last.outcome.state, shouldYield: () => true });
      resumedNames.push(...last.eventNames);
    }
    expect(runs.sort()).toEqual(["a", "b", "c", "d"]);
    expect(resumedNames).toEqual(whole.eventNames);
    expect(last.outcome).toMatchObject({
      status: "COMPLETED",
      output: { content: (whole.outcome as { output: { content: unknown } }).output.content },
    });
  });
});

describe("a step that fails", () => {
  const boom = () => {
    throw new Error("boom");
  };

  const skip = { on_error: "skip" } as const;

  test("is passed over where it may be, and the run completes and says so", async () => {
    const { outcome, eventNames } = await play([functionStep("a", boom, skip), functionStep("b")]);
    expect(eventNames).toEqual([started, "StepStarted", "StepError", ...step, "WorkflowCompleted"]);
    expect(outcome).toMatchObject({
      status: "COMPLETED",
      output: {
        content: "topic>b",
        step_results: [{ step_name: "a", success: false, error: "boom" }, { success: true }],
      },
    });
  });

  test("is reported to the operator, with the place, each time that it is tried", async () => {
    const warn = vi.fn();
    await play([functionStep("a", boom, { max_retries: 1 })], { warn });
    const at = expect.arrayContaining([expect.stringContaining("test/engine/workflow/steps.test.ts:")]);
    const line = ["a step's function failed", { run_id: "run-1", step_name: "a", error_type: "Error", at }];
    expect(warn.mock.calls).toEqual([line, line]);
  });

  test("passes on the same input when the run resumes behind it", async () => {
    const steps = [functionStep("a", boom, skip), functionStep("b")];
    const first = await play(steps, { shouldYield: () => true });
    const second = await play(steps, { from: stateOf(first.outcome) });
    expect(second.outcome).toMatchObject({ status: "COMPLETED", output: { content: "topic>b" } });
  });

  test.each([
    ["the only one", [functionStep("a", boom, skip)], "No step succeeded. a: boom"],
    [
      "one of several that all fail",
      [
        functionStep("a", boom, skip),
        { name: "p", type: "Parallel" as const, steps: [functionStep("b", boom, skip)] },
      ],
      "No step succeeded. a: boom; b: boom",
    ],
  ])("never gives the run its own input as content: %s", async (_, steps, error) => {
    const { outcome } = await play(steps);
    expect(outcome).toMatchObject({ status: "ERROR", error, output: { content: error } });
  });

  test("has no part in what concurrent steps answer", async () => {
    const steps = [functionStep("fine", () => "well"), functionStep("bad", boom, skip)];
    const { outcome } = await play([{ name: "both", type: "Parallel", steps }]);
    expect(outcome).toMatchObject({ status: "COMPLETED", output: { content: "## fine\n\nwell" } });
  });

  test("fails the run unless its failure may be skipped", async () => {
    const { outcome, eventNames } = await play([functionStep("a", boom), functionStep("b")]);
    expect(eventNames).toEqual([started, "StepStarted", "StepError", "WorkflowError"]);
    expect(outcome).toMatchObject({ status: "ERROR", error: "The step a failed: boom" });
  });

  test.each([
    ["a number beyond the table's", () => ({ n: 1e300 })],
    ["what is no JSON", () => 1n],
    ["a state that no item can hold", () => stepAnswer({ session_state: { "": 1 } })],
  ])("is also one that gives %s", async (_, gives) => {
    const { outcome } = await play([functionStep("a", gives, { on_error: "fail" })]);
    expect(outcome).toMatchObject({ status: "ERROR", error: expect.stringMatching(/^The step a failed: /) });
  });

  test.each(["fail", "skip"] as const)(
    "gives the workflow's run its cause (on_error: %s)",
    async (on_error) => {
      const throws = () => {
        throw new TypeError("kaputt");
      };
      const ofFunction = await play([functionStep("a", throws, { on_error })]);
      expect(ofFunction.outcome).toMatchObject({ status: "ERROR", cause: "tools" });
      expect(ofFunction.events.at(-1)).toMatchObject({ event: "WorkflowError", error_type: "tools" });
      const agent = defineAgent({ id: "a", name: "A" });
      for (const cause of ["input", "throttled", "timeout", "model"] as const) {
        const { outcome } = await play([{ name: "a", type: "Step", executor: agent, on_error }], {
          execute: async ({ run }) => {
            // Only what a step looks at.
            const output = { run_id: run.run_id, status: "ERROR" } as unknown as RunOutput;
            return { status: "ERROR", output, error: "no", cause, mayPass: false };
          },
        });
        expect(outcome).toMatchObject({ status: "ERROR", cause });
      }
    },
  );

  test("whose failure was skipped before another process resumed gives its cause too", async () => {
    const throws = () => {
      throw new Error("kaputt");
    };
    const steps = [
      functionStep("a", throws, { on_error: "skip" }),
      functionStep("b", throws, { on_error: "skip" }),
    ];
    let finished = 0;
    const first = await play(steps, { shouldYield: () => finished++ === 0 });
    const { outcome } = await play(steps, { from: stateOf(first.outcome) });
    expect(outcome).toMatchObject({ status: "ERROR", cause: "tools" });
  });

  test("is tried again first, as often as it may", async () => {
    let calls = 0;
    const flaky = () => {
      calls += 1;
      if (calls < 3) throw new Error("not yet");
      return "now";
    };
    const { outcome } = await play([functionStep("a", flaky, { max_retries: 2, on_error: "fail" })]);
    expect(outcome).toMatchObject({ status: "COMPLETED", output: { content: "now" } });
    expect(calls).toBe(3);
  });

  test.each([
    ["may pass and nothing was called", true, [], 4],
    ["may pass, but a tool was called", true, [{ tool_name: "pay" }], 1],
    ["will not pass", false, [], 1],
  ])(
    "is an agent's whose model failed: it is tried again by itself where that %s",
    async (_, mayPass, tools, tries) => {
      let calls = 0;
      const agent = defineAgent({ id: "a", name: "A" });
      await play([{ name: "a", type: "Step", executor: agent }], {
        execute: async ({ run }) => {
          calls += 1;
          // Only what a step looks at.
          const output = { run_id: run.run_id, status: "ERROR", tools } as unknown as RunOutput;
          return { status: "ERROR", output, error: "busy", cause: "model", mayPass };
        },
      });
      expect(calls).toBe(tries);
    },
  );

  test.each([
    ["retry", "topic>fine>b"],
    ["skip", "topic>b"],
  ] as const)("asks a person where it is to, who says %s", async (decision, content) => {
    let calls = 0;
    const steps = [
      functionStep(
        "a",
        ({ previous }) => {
          calls += 1;
          if (calls === 1) throw new Error("boom");
          return `${previous}>fine`;
        },
        { on_error: "pause" },
      ),
      functionStep("b"),
    ];
    const first = await play(steps);
    expect(first.outcome).toMatchObject({
      status: "PAUSED",
      output: {
        pause_kind: "step",
        paused_step_name: "a",
        error_requirements: [{ step_name: "a", error_message: "boom", decision: null }],
      },
    });
    const state = stateOf(first.outcome);
    const { a } = state.errors;
    if (!a) throw new Error("nothing is asked");
    const second = await play(steps, { from: { ...state, errors: { a: { ...a, decision } } } });
    expect(second.outcome).toMatchObject({ status: "COMPLETED", output: { content } });
  });
});

const broken = (): never => {
  throw new Error("no way is known");
};

describe("branches", () => {
  test.each([
    [true, "topic>yes", "if"],
    [false, "topic>no", "else"],
  ])("a condition that is %s takes its side, and is asked once", async (holds, content, branch) => {
    let asked = 0;
    const steps = [
      {
        name: "choice",
        type: "Condition" as const,
        evaluate: () => {
          asked += 1;
          return holds;
        },
        steps: [functionStep("yes")],
        else_steps: [functionStep("no")],
      },
    ];
    const put = await play(steps, { shouldYield: () => true });
    const { outcome, events } =
      put.outcome.status === "YIELDED" ? await play(steps, { from: put.outcome.state }) : put;
    expect(outcome).toMatchObject({ status: "COMPLETED", output: { content } });
    expect(asked).toBe(1);
    const ended = [...put.events, ...events].filter(({ event }) => event === "ConditionExecutionCompleted");
    expect(ended.at(-1)).toMatchObject({ condition_result: holds, branch, executed_steps: 1 });
  });

  test.each([
    ["router", { type: "Router", selector: broken, choices: [functionStep("a")] }],
    ["condition", { type: "Condition", evaluate: broken, steps: [functionStep("a")] }],
    ["loop", { type: "Loop", end_condition: broken, max_iterations: 2, steps: [functionStep("a")] }],
  ] as const)("a %s whose function throws ends the run with its reason", async (name, step) => {
    const { outcome } = await play([{ name, ...step }]);
    expect(outcome).toMatchObject({
      status: "ERROR",
      output: { content: `The step ${name} failed: no way is known` },
    });
  });

  test("parallel steps are each given the same, and their answers go on together", async () => {
    const { outcome, eventNames } = await play([
      { name: "both", type: "Parallel", steps: [functionStep("x"), functionStep("y")] },
    ]);
    expect(outcome).toMatchObject({ output: { content: "## x\n\ntopic>x\n\n## y\n\ntopic>y" } });
    expect(eventNames.filter((event) => event.startsWith("Parallel"))).toEqual([
      "ParallelExecutionStarted",
      "ParallelExecutionCompleted",
    ]);
  });

  test("a loop ends where its condition holds, or after its last round", async () => {
    const loop = (end_condition?: () => boolean) => ({
      name: "again",
      type: "Loop" as const,
      steps: [functionStep("x")],
      max_iterations: 3,
      ...(end_condition && { end_condition }),
    });
    let rounds = 0;
    const early = await play([loop(() => ++rounds === 2)]);
    expect(early.outcome).toMatchObject({ output: { content: "topic>x>x" } });
    const full = await play([loop()]);
    expect(full.outcome).toMatchObject({ output: { content: "topic>x>x>x" } });
    const rounded = full.events.filter(({ event }) => event === "LoopIterationCompleted");
    expect(rounded).toMatchObject([
      { iteration: 1, should_continue: true },
      { iteration: 2, should_continue: true },
      { iteration: 3, should_continue: true },
    ]);
  });

  test("a router takes what its function names, in that order, and fails on a name that it does not have", async () => {
    const router = (names: string[]) => ({
      name: "way",
      type: "Router" as const,
      choices: [functionStep("x"), functionStep("y")],
      selector: () => names,
    });
    expect((await play([router(["y", "x"])])).outcome).toMatchObject({ output: { content: "topic>y>x" } });
    expect((await play([router(["z"])])).outcome).toMatchObject({ status: "ERROR" });
  });

  test("steps under one name, and a workflow within a workflow, run in their place", async () => {
    const { outcome, events, eventNames } = await play([
      { name: "group", type: "Steps", steps: [functionStep("x")] },
      {
        name: "inner",
        type: "Workflow",
        workflow: defineWorkflow({ id: "inner", name: "Inner", steps: [functionStep("y")] }),
      },
    ]);
    expect(outcome).toMatchObject({ output: { content: "topic>x>y" } });
    expect(eventNames).toEqual([
      started,
      "StepsExecutionStarted",
      ...step,
      "StepsExecutionCompleted",
      started,
      ...step,
      "WorkflowCompleted",
      "WorkflowCompleted",
    ]);
    const inner = events.filter((event) => event.workflow_id === "inner");
    expect(inner.map(({ nested_depth }) => nested_depth)).toEqual([1, 1, 1, 1, 1]);
  });
});

describe("a step that asks for consent", () => {
  const steps = (on_reject: "skip" | "cancel") => [
    functionStep("a"),
    functionStep("b", undefined, {
      review: { requires_confirmation: true, on_reject, confirmation_message: "Go on?" },
    }),
    functionStep("c"),
  ];

  test("pauses the run before it begins", async () => {
    const { outcome, eventNames } = await play(steps("skip"));
    expect(eventNames).toEqual([started, ...step, "StepPaused", "WorkflowPaused", "WorkflowRunOutput"]);
    expect(outcome).toMatchObject({
      status: "PAUSED",
      output: {
        paused_step_name: "b",
        paused_step_index: 1,
        pause_kind: "step",
        step_requirements: [
          { step_id: "b", requires_confirmation: true, confirmed: null, confirmation_message: "Go on?" },
        ],
      },
    });
  });

  test("goes on once a person has consented", async () => {
    const state = stateOf((await play(steps("skip"))).outcome);
    const { outcome, eventNames } = await play(steps("skip"), {
      from: answered(state, "b", { confirmed: true }),
    });
    expect(eventNames).toEqual(["StepContinued", ...step, ...step, "WorkflowCompleted"]);
    expect(outcome).toMatchObject({ status: "COMPLETED", output: { content: "topic>a>b>c" } });
  });

  test("is passed over where a person has refused", async () => {
    const state = stateOf((await play(steps("skip"))).outcome);
    const { outcome, eventNames } = await play(steps("skip"), {
      from: answered(state, "b", { confirmed: false }),
    });
    expect(eventNames).toEqual([...step, "WorkflowCompleted"]);
    expect(outcome).toMatchObject({ status: "COMPLETED", output: { content: "topic>a>c" } });
  });

  test("cancels the run where a refusal is to", async () => {
    const state = stateOf((await play(steps("cancel"))).outcome);
    const { outcome, eventNames } = await play(steps("cancel"), {
      from: answered(state, "b", { confirmed: false }),
    });
    expect(eventNames).toEqual(["WorkflowCancelled"]);
    expect(outcome).toMatchObject({ status: "CANCELLED", output: { content: "topic>a" } });
  });

  test("waits on without an answer, and emits no question twice", async () => {
    const state = stateOf((await play(steps("skip"))).outcome);
    const { outcome, eventNames } = await play(steps("skip"), { from: state });
    expect(eventNames).toEqual(["WorkflowPaused", "WorkflowRunOutput"]);
    expect(outcome.status).toBe("PAUSED");
  });

  test("lets the branches beside it come to their end first", async () => {
    const [, asking] = steps("skip");
    if (!asking) throw new Error("no step");
    const { outcome, eventNames } = await play([
      { name: "both", type: "Parallel", steps: [asking, functionStep("x")] },
    ]);
    expect(eventNames).toEqual([
      started,
      "ParallelExecutionStarted",
      "StepPaused",
      ...step,
      "WorkflowPaused",
      "WorkflowRunOutput",
    ]);
    const done = await play([{ name: "both", type: "Parallel", steps: [asking, functionStep("x")] }], {
      from: answered(stateOf(outcome), "both/b", { confirmed: true }),
    });
    expect(done.outcome).toMatchObject({
      status: "COMPLETED",
      output: { step_results: [{ step_name: "x" }, { step_name: "b" }] },
    });
  });
});

describe("a step that asks for input", () => {
  test("is given what a person said", async () => {
    const steps = [
      functionStep("a", ({ user_input }) => `hello ${user_input?.name}`, {
        review: { requires_user_input: true, user_input_schema: [{ name: "name", field_type: "str" }] },
      }),
    ];
    const paused = await play(steps);
    expect(paused.outcome).toMatchObject({
      output: {
        step_requirements: [
          { requires_user_input: true, user_input_schema: [{ name: "name", value: null }] },
        ],
      },
    });
    const { outcome } = await play(steps, {
      from: answered(stateOf(paused.outcome), "a", { user_input: { name: "Kim" } }),
    });
    expect(outcome).toMatchObject({ status: "COMPLETED", output: { content: "hello Kim" } });
  });
});

describe("a router without a function", () => {
  test("asks a person which way to take", async () => {
    const steps = [{ name: "way", type: "Router" as const, choices: [functionStep("x"), functionStep("y")] }];
    const paused = await play(steps);
    expect(paused.eventNames).toEqual([started, "RouterPaused", "WorkflowPaused", "WorkflowRunOutput"]);
    const { outcome, eventNames } = await play(steps, {
      from: answered(stateOf(paused.outcome), "way", { selected_choices: ["y"] }),
    });
    expect(eventNames[0]).toBe("StepContinued");
    expect(outcome).toMatchObject({ status: "COMPLETED", output: { content: "topic>y" } });
  });
});

describe("a step whose output a person reviews", () => {
  let made = 0;
  const steps = (on_reject: "retry" | "cancel" | "skip") => [
    functionStep("a", () => `version ${++made}`, {
      review: { requires_output_review: true, on_reject, max_retries: 1 },
    }),
    functionStep("b"),
  ];

  test("is not run again for the review, and its edited output goes on", async () => {
    made = 0;
    const paused = await play(steps("retry"));
    expect(paused.eventNames).toEqual([
      started,
      "StepStarted",
      "StepOutput",
      "StepOutputReview",
      "WorkflowPaused",
      "WorkflowRunOutput",
    ]);
    const { outcome } = await play(steps("retry"), {
      from: answered(stateOf(paused.outcome), "a#output", { confirmed: true, edited_output: "better" }),
    });
    expect(outcome).toMatchObject({ status: "COMPLETED", output: { content: "better>b" } });
    expect(made).toBe(1);
  });

  test("is made again when it is refused, as often as the review allows, and then ends the run", async () => {
    made = 0;
    const first = stateOf((await play(steps("retry"))).outcome);
    const again = await play(steps("retry"), {
      from: answered(first, "a#output", { confirmed: false, rejection_feedback: "too long" }),
    });
    expect(again.outcome).toMatchObject({
      status: "PAUSED",
      output: { step_requirements: [{ retry_count: 1, confirmed: null }] },
    });
    expect(made).toBe(2);
    const last = await play(steps("retry"), {
      from: answered(stateOf(again.outcome), "a#output", { confirmed: false }),
    });
    expect(last.outcome).toMatchObject({ status: "CANCELLED" });
  });
});

test("a workflow that is cancelled keeps what is finished, and the step that was under way as not successful", async () => {
  const stop = new AbortController();
  const slow = functionStep("b", () => {
    stop.abort(cancelled());
    return new Promise(() => {});
  });
  const { outcome, eventNames } = await play([functionStep("a"), slow, functionStep("c")], {
    signal: stop.signal,
  });
  expect(eventNames).toEqual([started, ...step, "StepStarted", "WorkflowCancelled", "WorkflowCompleted"]);
  expect(outcome).toMatchObject({
    status: "CANCELLED",
    output: { content: "topic>a", step_results: [{ success: true }, { step_name: "b", success: false }] },
  });
});
