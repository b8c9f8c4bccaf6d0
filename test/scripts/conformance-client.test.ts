import { expect, test } from "vitest";
import { clientReport, judge, walkedIn } from "../../scripts/conformance/client-report.ts";

const member = (more: object) => ({
  part: "AgentOSClient",
  method: "list_agents",
  calls: 1,
  failures: [],
  ...more,
});
const line = (more: object): string => JSON.stringify(member(more));

test("the report of the walk is read, whatever else the package prints", () => {
  const stopped = { part: "AgentOSClient", stopped: "sessions", reason: "no id" };
  expect(walkedIn(`WARNING something\n${line({})}\n${JSON.stringify(stopped)}\n`)).toEqual({
    members: [member({})],
    stopped: [stopped],
  });
});

test.each([
  ["every call was answered", {}, "ok"],
  ["a call failed", { failures: ["GET /agents: 500"] }, "failed"],
  ["nothing called it", { calls: 0 }, "not walked"],
  ["it asks the platform nothing", { calls: 0, skipped: "writes files" }, "skipped"],
  [
    "the interface asks for the answer",
    {
      part: "RemoteAgent",
      method: "tools",
      failures: ["the JSON object must be str, bytes or bytearray, not list"],
    },
    "differs",
  ],
  [
    "only one of two failures is known",
    { part: "RemoteAgent", method: "tools", failures: ["must be str, bytes or bytearray, not list", "500"] },
    "failed",
  ],
])("a member is judged where %s", (_when, more, verdict) => {
  expect(judge(member(more), "3.1.10").verdict).toBe(verdict);
});

test("what only an old version cannot read fails with the current one", () => {
  const failing = member({ method: "get_config", failures: ["1 validation error: available_models.0"] });
  expect(judge(failing, "2.9.0").verdict).toBe("differs");
  expect(judge(failing, "3.1.10").verdict).toBe("failed");
});

test("a report passes when everything was walked and nothing failed or stopped", () => {
  const walked = { members: [member({}), member({ method: "get_agent" })], stopped: [] };
  const { text, passed } = clientReport(walked, "3.1.10");
  expect(passed).toBe(true);
  expect(text).toMatch(/all +2 +0 +0 +0 +0$/);
  expect(clientReport({ members: [member({ calls: 0 })], stopped: [] }, "3.1.10").passed).toBe(false);
  expect(clientReport({ members: [], stopped: [] }, "3.1.10").passed).toBe(false);
  const stopped = [{ part: "AgentOSClient", stopped: "sessions", reason: "no id" }];
  expect(clientReport({ ...walked, stopped }, "3.1.10")).toMatchObject({
    passed: false,
    text: expect.stringContaining("stopped: AgentOSClient: sessions: no id"),
  });
});
