import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { defineAgent } from "../../shared/engine/define/agent.ts";
import { applyApproval } from "../../shared/engine/pause/apply-answers.ts";
import { decideOnContinue } from "../../shared/engine/pause/decide-on-continue.ts";
import { toolDigest } from "../../shared/engine/pause/tool-digest.ts";
import { awaitsPerson } from "../../shared/engine/run/next-step.ts";
import { defineTool } from "../../shared/engine/tool/tool.ts";
import type { StoredApproval } from "../../shared/stores/approvals/approval-item.ts";
import { aToolCall } from "./support/a-tool-call.ts";

const agentWith = (parameters: v.GenericSchema<{ to: string }, { to: string }>) =>
  defineAgent({
    id: "a",
    name: "A",
    tools: [defineTool({ name: "send", description: "", parameters, effect: "once", execute: () => "sent" })],
  });
const agent = agentWith(v.object({ to: v.string() }));

const call = aToolCall({ requires_confirmation: true, approval_type: "required", approval_id: "p1" });

const given = (changed: Partial<StoredApproval>) =>
  new Map([
    [
      "p1",
      {
        id: "p1",
        digests: { c1: toolDigest(call, agent) },
        resolution_data: null,
        ...changed,
      } as StoredApproval,
    ],
  ]);

const by = { agent, editor: agent };

describe("an approval", () => {
  test("confirms the call that it was given for", () => {
    expect(applyApproval(call, given({ status: "approved" }), by)).toEqual({ ...call, confirmed: true });
  });

  test.each(["note", "feedback"])(
    "leaves what the approver wrote as %s with the call, as an answer does",
    (name) => {
      const resolution_data = { [name]: "for this once" };
      for (const [status, confirmed] of [
        ["approved", true],
        ["rejected", false],
      ] as const)
        expect(applyApproval(call, given({ status, resolution_data }), by)).toEqual({
          ...call,
          confirmed,
          confirmation_note: "for this once",
        });
    },
  );

  test.each([
    [true, "approved"],
    [false, "rejected"],
  ])("that an approver gives with an answer (%s) records the note", (confirmed, status) => {
    const [pending] = given({ status: "pending" }).values();
    const answer = { tool_call_id: "c1", confirmed, confirmation_note: "for this once" };
    const { resolution } = decideOnContinue(pending as StoredApproval, [answer], [], "ada", 1);
    expect(resolution).toMatchObject({ status, resolution_data: { note: "for this once" } });
  });

  test.each([
    ["at top level", { words: "hello" }],
    ["under values", { values: { words: "hello" }, note: "ok" }],
  ])("brings values that stand %s", (_where, resolution_data) => {
    const asking = {
      ...call,
      requires_confirmation: null,
      requires_user_input: true,
      answered: false,
      user_input_schema: [{ name: "words", field_type: "str", description: null, value: null }],
    };
    const filled = applyApproval(asking, given({ status: "approved", resolution_data }), by);
    expect(filled).toMatchObject({ answered: true, user_input_schema: [{ name: "words", value: "hello" }] });
  });

  test.each([
    ["words", "0815", "0815"],
    ["anything else, as JSON", { meter: 815 }, '{"meter":815}'],
  ])("brings a result of %s", (_what, result, text) => {
    const outside = { ...call, requires_confirmation: null, external_execution_required: true };
    expect(
      applyApproval(outside, given({ status: "approved", resolution_data: { result } }), by).result,
    ).toBe(text);
    expect(awaitsPerson(applyApproval(outside, given({ status: "approved" }), by))).toBe(true);
  });

  test("that was refused refuses the call, whatever it waited for", () => {
    const outside = { ...call, requires_confirmation: null, external_execution_required: true };
    const refused = applyApproval(
      outside,
      given({ status: "rejected", resolution_data: { note: "no" } }),
      by,
    );
    expect(refused).toMatchObject({ confirmed: false, confirmation_note: "no" });
    expect(awaitsPerson(refused)).toBe(false);
  });

  test.each(["pending", "expired", "cancelled"] as const)("that is %s lets nothing go on", (status) => {
    expect(() => applyApproval(call, given({ status }), by)).toThrow(status);
  });

  test("that is gone lets nothing go on", () => {
    expect(() => applyApproval(call, new Map(), by)).toThrow("gone");
  });

  test("was not given for other arguments, nor for a tool that reads them otherwise", () => {
    const other = { ...call, tool_args: { to: "lee" } };
    expect(() => applyApproval(other, given({ status: "approved" }), by)).toThrow("changed");
    const changed = agentWith(v.object({ to: v.pipe(v.string(), v.description("an address")) }));
    expect(() =>
      applyApproval(call, given({ status: "approved" }), { agent: changed, editor: changed }),
    ).toThrow("changed");
  });
});
