import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { editedCall } from "../../shared/engine/pause/edit-call.ts";
import { toolDigest } from "../../shared/engine/pause/tool-digest.ts";
import { aToolCall } from "./support/a-tool-call.ts";
import { anAgent, aTool } from "./support/run-agent.ts";

const agentOf = (parts: Parameters<typeof aTool>[0] = {}) => anAgent({ tools: [aTool(parts).tool] });
const call = aToolCall({ tool_name: "add", tool_args: { a: 1, b: 2 }, requires_confirmation: true });

describe("a call with a person's arguments", () => {
  test("keeps what was proposed, also when it is edited again", () => {
    const once = editedCall(call, { a: 1, b: 3 }, agentOf());
    expect(once).toEqual({ ...call, tool_args: { a: 1, b: 3 }, proposed_args: { a: 1, b: 2 } });
    expect(editedCall(once, { a: 4, b: 3 }, agentOf()).proposed_args).toEqual({ a: 1, b: 2 });
  });
  test("has a digest of both", () => {
    const digests = [
      call,
      editedCall(call, { a: 1, b: 3 }, agentOf()),
      editedCall(call, { a: 1, b: 4 }, agentOf()),
    ].map((one) => toolDigest(one, agentOf()));
    expect(new Set(digests).size).toBe(3);
  });
  test.each([
    ["its tool says so", agentOf({ editable: false }), call],
    ["not one of the platform's own", anAgent(), call],
    ["does not wait for a confirmation", agentOf(), { ...call, requires_confirmation: null }],
    ["may have been made already", agentOf(), { ...call, in_doubt: 1 }],
  ])("is refused where %s", (why, agent, waiting) => {
    expect(() => editedCall(waiting, { a: 1, b: 3 }, agent)).toThrow(why);
  });
  test("is refused by the argument that the schema refuses", () => {
    expect(() => editedCall(call, { a: 1, b: "3" }, agentOf())).toThrow("c1 (add): b: ");
    const strict = agentOf({ parameters: v.strictObject({ a: v.number(), b: v.number() }) });
    expect(() => editedCall(call, { a: 1, b: 3, c: 4 }, strict)).toThrow("c: ");
  });
});
