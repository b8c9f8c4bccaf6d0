import { describe, expect, test } from "vitest";
import { pauseOf } from "../../functions/chat-worker/pause-of.ts";
import { openQuestions } from "../../shared/a2a/open-questions.ts";
import { openRequirement } from "../../shared/engine/workflow/review/requirement.ts";
import type { Requirement, RunOutput, ToolExecution } from "../../shared/schemas/runs/run.ts";
import type { StoredOutput } from "../../shared/schemas/runs/stored-output.ts";
import type {
  ErrorRequirement,
  StepOutput,
  StepRequirement,
} from "../../shared/schemas/runs/workflow-run.ts";
import { aToolCall } from "../engine/support/a-tool-call.ts";
import { aJob, aRunOf } from "../support/records.ts";

const names = ["refund", "mail"] as const;
type Name = (typeof names)[number];

const asks = (
  tool_name: Name,
  call: Partial<ToolExecution>,
  changed: Partial<Requirement> = {},
): Requirement => ({
  id: tool_name,
  created_at: "2026-09-21T14:13:24.000000+00:00",
  tool_execution: { ...aToolCall({ tool_call_id: `call-${tool_name}`, tool_name }), ...call },
  ...changed,
});
const confirmation: Partial<ToolExecution> = { requires_confirmation: true };
const input: Partial<ToolExecution> = {
  requires_user_input: true,
  answered: false,
  user_input_schema: [{ name: "to", field_type: "str", description: null, value: null }],
};
const external: Partial<ToolExecution> = { external_execution_required: true };

const step = (name: Name, changed: Partial<StepRequirement>): StepRequirement => ({
  ...openRequirement({ type: "Step" }, { path: name, name, index: 0 }),
  ...changed,
});
/** Only what is read of them. */
const executorRun = (run_id: string, status: RunOutput["status"]) => ({ run_id, status }) as RunOutput;
const gave = (step_id: string) => ({ step_id }) as StepOutput;
const failure = (step_name: Name, decision: ErrorRequirement["decision"] = null): ErrorRequirement => ({
  ...{ step_id: step_name, step_name, step_index: 0, error_message: "no", error_type: "Error" },
  ...{ retry_count: 0, decision },
});

const paused = (kind: "agent" | "workflow", output: Partial<StoredOutput>) => {
  const run = aRunOf(aJob());
  return { ...run, component_type: kind, output: { ...run.output, ...output, status: "PAUSED" as const } };
};

/** What another agent is asked, by the names that the questions speak of. */
const askedOfAgents = (output: Partial<StoredOutput>): Name[] => {
  const texts = openQuestions(paused("agent", output)).map(({ text }) => text);
  return names.filter((name) => texts.some((text) => text.includes(name)));
};
/** What a chat counts as open. */
const openInChat = (kind: "agent" | "workflow", output: Partial<StoredOutput>): string[] =>
  pauseOf(paused(kind, output))
    .id.split(",")
    .filter((id) => id !== "")
    .sort();

const askedNow = asks("mail", confirmation);

describe("an agent's call, beside one that waits for a yes", () => {
  test.each<[string, Requirement, open: Name[]]>([
    ["that waits too", asks("refund", confirmation), ["refund", "mail"]],
    ["that was confirmed", asks("refund", { ...confirmation, confirmed: true }), ["mail"]],
    ["that was refused", asks("refund", { ...confirmation, confirmed: false }), ["mail"]],
    [
      "that was refused before its input was given",
      asks("refund", { ...confirmation, ...input, confirmed: false }),
      ["mail"],
    ],
    [
      "that was refused, so that it is not executed elsewhere",
      asks("refund", { ...external, confirmed: false }),
      ["mail"],
    ],
    [
      "that was confirmed and still has to be executed elsewhere",
      asks("refund", { ...confirmation, ...external, confirmed: true }),
      ["refund", "mail"],
    ],
    [
      "that was confirmed and still needs input",
      asks("refund", { ...confirmation, ...input, confirmed: true }),
      ["refund", "mail"],
    ],
    [
      "that has a result although it was not confirmed",
      asks("refund", { ...confirmation, result: "done" }),
      ["mail"],
    ],
    ["that asks nothing", asks("refund", {}), ["mail"]],
    [
      "whose requirement has an answer that its call has not",
      asks("refund", confirmation, { confirmation: true }),
      ["refund", "mail"],
    ],
    [
      "whose requirement has a result that its call has not",
      asks("refund", external, { external_execution_result: "done" }),
      ["refund", "mail"],
    ],
  ])("%s", (_, other, open) => {
    const requirements = [other, askedNow];
    const output = { requirements, tools: requirements.map(({ tool_execution }) => tool_execution) };
    expect(askedOfAgents(output)).toEqual(open);
    expect(openInChat("agent", output)).toEqual([...open].sort());
  });

  test("that may have happened: only whether to repeat it is open, though it once needed input", () => {
    const doubtful = asks("refund", { ...confirmation, ...input, answered: true, in_doubt: 1 });
    const output = { requirements: [doubtful], tools: [doubtful.tool_execution] };
    expect(openQuestions(paused("agent", output)).map(({ answer }) => answer("yes"))).toEqual([
      { requirements: [expect.objectContaining({ confirmation: true })] },
    ]);
    expect(pauseOf(paused("agent", output)).next([])?.about[0]).toContain("whether it took effect");
  });
});

describe("a workflow's step, beside one that waits for a yes", () => {
  const executor = {
    requires_executor_input: true,
    executor_run_id: "run-of-refund",
    executor_requirements: [asks("refund", confirmation)],
  };
  test.each<[string, Partial<StoredOutput> & { other?: StepRequirement }, open: Name[]]>([
    ["that waits too", { other: step("refund", { requires_confirmation: true }) }, ["refund", "mail"]],
    [
      "that was confirmed",
      { other: step("refund", { requires_confirmation: true, confirmed: true }) },
      ["mail"],
    ],
    [
      "that was given its input",
      { other: step("refund", { requires_user_input: true, user_input: { to: "x" } }) },
      ["mail"],
    ],
    [
      "whose way was chosen",
      { other: step("refund", { requires_route_selection: true, selected_choices: ["x"] }) },
      ["mail"],
    ],
    [
      "that was refused before its input was given",
      { other: step("refund", { requires_confirmation: true, requires_user_input: true, confirmed: false }) },
      ["mail"],
    ],
    [
      "that was confirmed and still needs input",
      { other: step("refund", { requires_confirmation: true, requires_user_input: true, confirmed: true }) },
      ["refund", "mail"],
    ],
    [
      "whose way was not chosen, whatever else was said",
      { other: step("refund", { requires_route_selection: true, confirmed: false }) },
      ["refund", "mail"],
    ],
    ["that failed and asks how to go on", { error_requirements: [failure("refund")] }, ["refund", "mail"]],
    ["that failed and is tried again", { error_requirements: [failure("refund", "retry")] }, ["mail"]],
    [
      "whose agent waits",
      { other: step("refund", executor), step_executor_runs: [executorRun("run-of-refund", "PAUSED")] },
      ["refund", "mail"],
    ],
    [
      "whose agent was answered in an earlier pause",
      {
        other: step("refund", executor),
        step_results: [gave("refund")],
        step_executor_runs: [executorRun("run-of-refund", "COMPLETED")],
      },
      ["mail"],
    ],
    [
      "that began because it was not answered in time, and has ended",
      { other: step("refund", { requires_confirmation: true }), step_results: [gave("refund")] },
      ["mail"],
    ],
    [
      "whose output was refused and is made again",
      { other: step("refund", { requires_output_review: true, is_post_execution: true }) },
      ["mail"],
    ],
  ])("%s", (_, { other, ...output }, open) => {
    const asked = step("mail", { requires_confirmation: true });
    const whole = { step_requirements: [...(other ? [other] : []), asked], ...output };
    expect(askedOfAgents(whole)).toEqual(open);
    expect(openInChat("workflow", whole)).toEqual([...open].sort());
  });

  test("that failed: no yes in a chat would be enough", () => {
    const asked = step("mail", { requires_confirmation: true });
    const output = { step_requirements: [asked], error_requirements: [failure("refund")] };
    expect(pauseOf(paused("workflow", output)).isDecision).toBe(false);
  });
});

describe("in a chat, one question after the other", () => {
  const workflow = (output: Partial<StoredOutput>) => pauseOf(paused("workflow", output));
  test("a way is chosen by its name", () => {
    const choices = { requires_route_selection: true, available_choices: ["fast", "slow"] };
    const pause = workflow({ step_requirements: [step("mail", choices)] });
    expect(pause.next([])?.field).toMatchObject({ kind: "choices", choices: ["fast", "slow"] });
    expect(JSON.parse(pause.fields([["slow"]])?.step_requirements ?? "")).toMatchObject([
      { selected_choices: ["slow"] },
    ]);
  });
  test("an output is shown before a person says whether it may go on", () => {
    const step_output = { content: "Dear Ada" } as StepOutput;
    const review = { requires_output_review: true, is_post_execution: true, step_output };
    const pause = workflow({ step_requirements: [step("mail", review)] });
    expect([pause.isDecision, pause.next([])?.about.at(-1)]).toEqual([true, "Dear Ada"]);
    expect(pause.id).toMatch(/:after$/);
  });
  test("a failure asks for retry or skip, beside what else waits", () => {
    const asked = step("mail", { requires_confirmation: true });
    const pause = workflow({ step_requirements: [asked], error_requirements: [failure("refund")] });
    expect(pause.next([true])?.field).toMatchObject({ kind: "choice", choices: ["retry", "skip"] });
    expect(pause.next([true, "skip"])).toBeUndefined();
    const answers: object[] = JSON.parse(pause.fields([true, "skip"])?.step_requirements ?? "");
    expect(answers).toMatchObject([{ confirmed: true }, { decision: "skip" }]);
  });
  test("a no leaves out what else would be asked about the same thing, and no name reaches a prototype", () => {
    const fields = [{ name: "__proto__", field_type: "str", description: null, value: null }];
    const both = { ...confirmation, ...input, user_input_schema: fields };
    const pause = pauseOf(
      paused("agent", { requirements: [asks("mail", both, { user_input_schema: fields })] }),
    );
    expect(pause.next([true])?.field.path).toEqual(["values", "__proto__"]);
    expect(pause.next([false])).toBeUndefined();
    expect(pause.fields([true, "x"])?.requirements).toContain('"value":"x"');
  });
  test("an approval of another user is not the person's to give", () => {
    const call = { ...confirmation, approval_type: "required" as const };
    expect(pauseOf(paused("agent", { requirements: [asks("mail", call)] })).isTheirs).toBe(false);
  });
});
