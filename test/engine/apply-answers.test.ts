import { describe, expect, test } from "vitest";
import { applyAnswers, requireAnswers } from "../../shared/engine/pause/apply-answers.ts";
import type { ToolExecution } from "../../shared/schemas/runs/run.ts";
import { aToolCall } from "./support/a-tool-call.ts";

const call = (changed: Partial<ToolExecution> = {}) =>
  aToolCall({ tool_args: { to: "kim", cc: ["a", "b"] }, ...changed });
const colours = {
  question: "Which colours?",
  header: "Colour",
  multi_select: false,
  selected_options: null,
  options: ["red", "blue"].map((label) => ({ label, description: null, selected: false })),
};
const asking = call({ requires_user_input: true, answered: false, user_feedback_schema: [colours] });
const field = { field_type: "str", description: null };
const chosen = (selected_options: string[]) => [
  { tool_call_id: "c1", user_feedback_schema: [{ question: "Which colours?", selected_options }] },
];

describe("answers", () => {
  test("say yes or no, with a note, and change nothing else of the call", () => {
    const waiting = call({ requires_confirmation: true });
    const [answered] = applyAnswers(
      [waiting],
      [{ tool_call_id: "c1", confirmed: false, confirmation_note: "no", result: "forged", approval_id: "x" }],
    );
    expect(answered).toEqual({ ...waiting, confirmed: false, confirmation_note: "no" });
  });

  test("count where the arguments come back in another order", () => {
    const waiting = call({ requires_confirmation: true });
    const sent = { tool_call_id: "c1", tool_args: { cc: ["a", "b"], to: "kim" }, confirmed: true };
    expect(applyAnswers([waiting], [sent])[0]?.confirmed).toBe(true);
    const other = { ...sent, tool_args: { cc: ["b", "a"], to: "kim" } };
    expect(() => applyAnswers([waiting], [other])).toThrow("arguments");
  });

  test("to a call that needs none change nothing", () => {
    const done = call({ requires_confirmation: true, confirmed: true, result: "done" });
    expect(applyAnswers([done], [{ tool_call_id: "c1", confirmed: false }])).toEqual([done]);
  });

  test("fill a call's own fields only, and keep what the model gave", () => {
    const fields = [
      { ...field, name: "to", value: "kim" },
      { ...field, name: "words", value: null },
    ];
    const waiting = call({ requires_user_input: true, answered: false, user_input_schema: fields });
    const given = [
      { name: "words", value: "hello" },
      { name: "foreign", value: 1 },
    ];
    const [answered] = applyAnswers([waiting], [{ tool_call_id: "c1", user_input_schema: given }]);
    expect(answered).toMatchObject({ answered: true });
    expect(answered?.user_input_schema).toEqual([
      { ...field, name: "to", value: "kim" },
      { ...field, name: "words", value: "hello" },
    ]);
    const [half] = applyAnswers([waiting], [{ tool_call_id: "c1", user_input_schema: [] }]);
    expect(half?.answered).toBe(false);
  });

  test("choose among the options that were offered, and one where one was asked for", () => {
    const [answered] = applyAnswers([asking], chosen(["blue"]));
    expect(answered).toMatchObject({
      answered: true,
      user_feedback_schema: [{ selected_options: ["blue"] }],
    });
    expect(() => applyAnswers([asking], chosen(["green"]))).toThrow("no option");
    expect(() => applyAnswers([asking], chosen(["red", "blue"]))).toThrow("takes one");
    expect(applyAnswers([asking], chosen([]))[0]?.answered).toBe(false);
  });

  test("bring another executor's result, or refuse on its behalf", () => {
    const outside = call({ external_execution_required: true });
    expect(applyAnswers([outside], [{ tool_call_id: "c1", result: "" }])[0]?.result).toBe("");
    const [refused] = applyAnswers([outside], [{ tool_call_id: "c1", confirmed: false }]);
    expect(() => requireAnswers(refused ? [refused] : [], "tools")).not.toThrow();
  });

  test("that are missing are named, call by call", () => {
    const open = [
      call({ requires_confirmation: true }),
      call({ tool_call_id: "c2", external_execution_required: true }),
    ];
    expect(() => requireAnswers(open, "requirements")).toThrow(
      /in requirements that.*c1 \(send\): confirmed.*c2 \(send\): result/,
    );
  });
});
