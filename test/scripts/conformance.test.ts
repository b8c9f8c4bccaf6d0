import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { reasonToFail } from "../../scripts/conformance/expected-failures.ts";
import { kitIn } from "../../scripts/conformance/kit.ts";
import { resultIn } from "../../scripts/conformance/run-kit.ts";
import { steer } from "../../scripts/conformance/steering.ts";
import { redirectedTo } from "../../scripts/conformance/webhook-relay.ts";

const message = (messageId: string, more: object = {}) => ({
  message: { messageId, role: "ROLE_USER", parts: [{ text: "hi" }], ...more },
});
const said = (body: string): unknown => {
  const whole = JSON.parse(body);
  const { parts, content = parts } = (whole.params ?? whole).message;
  return content[0].text;
};

test("a message that begins a task is played by the beginning of its id, by either binding", () => {
  const body = message("tck-reject-task-1");
  expect(said(steer(JSON.stringify(body), "1.0"))).toBe("[[fail:rejected]]");
  expect(said(steer(JSON.stringify({ jsonrpc: "2.0", params: body }), "1.0"))).toBe("[[fail:rejected]]");
});

test("a message of the kit of 0.3 begins a task that stays open", () => {
  const { message: sent } = message("any");
  const byHttp = { message: { ...sent, parts: undefined, content: sent.parts } };
  expect(said(steer(JSON.stringify(byHttp), "0.3"))).toMatch(/^\[\[sleep:1000\]\]\[\[tool:/);
  const spelled = { message: { message_id: "any", content: sent.parts } };
  expect(said(steer(JSON.stringify(spelled), "0.3"))).toMatch(/^\[\[sleep:1000\]\]\[\[tool:/);
  const answer = JSON.stringify({ message: { ...spelled.message, task_id: "t-1" } });
  expect(steer(answer, "0.3")).toBe(answer);
});

test.each([
  ["that answers a task", JSON.stringify(message("tck-reject-task", { taskId: "t-1" }))],
  ["that no play is known for", JSON.stringify(message("tck-complete-task"))],
  ["that is broken on purpose", '{"message":{"messageId":"tck-reject-task"'],
  ["without text", JSON.stringify(message("tck-reject-task", { parts: [{ raw: "dGNr" }] }))],
])("a body %s is handed on as it came", (_what, body) => {
  expect(steer(body, "1.0")).toBe(body);
});

test("what pytest says at its end is counted, and what failed is named", () => {
  const output = `.F.
=== short test summary info ===
FAILED tests/a.py::TestA::test_b[jsonrpc] - AssertionError: no
ERROR tests/c.py::test_d
SKIPPED [2] tests/e.py:12: Skipped: Transport 'grpc' not configured
SKIPPED [1] tests/e.py:30: Transport 'grpc' not configured
2 failed, 151 passed, 80 skipped, 1 xfailed in 46.65s`;
  expect(resultIn(output)).toEqual({
    passed: 151,
    skipped: 80,
    skips: [{ count: 3, why: "Transport 'grpc' not configured" }],
    notFollowed: 1,
    failed: [
      { id: "tests/a.py::TestA::test_b[jsonrpc]", why: "AssertionError: no" },
      { id: "tests/c.py::test_d", why: "" },
    ],
  });
  expect(resultIn("no tests ran in 0.01s")).toBeUndefined();
});

test("the headings of the kit's own report are no failed tests, and its figures no counts", () => {
  const report = `SUT: http://127.0.0.1:1
Overall Compatibility: 94.3%
  MUST       12 passed, 1 failed
  JSONRPC    40 / 42 passed in all

FAILED REQUIREMENTS:
  ✗ DM-SERIAL-001 (jsonrpc): 3 failed in a task
FAILED tests/a.py::test_a[x - y] - AssertionError: DM-SERIAL-001 [JSON] - failed`;
  expect(resultIn(report)).toBeUndefined();
  const ended = "===== 1 failed, 3 passed, 2 warnings in 61.20s (0:01:01) =====";
  for (const output of [`${report}\n${ended}`, `${ended}\n${report}`]) {
    expect(resultIn(output)).toMatchObject({
      passed: 3,
      failed: [{ id: "tests/a.py::test_a[x - y]", why: expect.stringContaining("- failed") }],
    });
  }
});

test("a receiver of the kit is reached by the relay, and no other address is changed", () => {
  const of = (url: string) => JSON.stringify({ params: { url, id: "c" } });
  const relay = "http://127.0.0.1:9";
  expect(redirectedTo(relay, of("http://localhost:4711/webhook"))).toBe(of(`${relay}/4711/webhook`));
  expect(redirectedTo(relay, of("https://example.com/webhook"))).toBe(of("https://example.com/webhook"));
});

test("only what is known to fail may fail", () => {
  const both = "JSON-RPC and HTTP+JSON";
  expect(reasonToFail("tests/x.py::TestX::test_returns_message_with_text_part[http_json]", both)).toMatch(
    /task/,
  );
  expect(reasonToFail("tests/x.py::TestX::test_task_has_text_artifact[jsonrpc]", both)).toBeUndefined();
  expect(reasonToFail("tests/x.py::test_task_history_length", "HTTP+JSON")).toMatch(/history_length/);
  expect(reasonToFail("tests/x.py::test_task_history_length", "JSON-RPC")).toBeUndefined();
});

test("a kit is known by where its tests are", () => {
  const folder = mkdtempSync(join(tmpdir(), "kit-"));
  expect(() => kitIn(folder)).toThrow(/git clone/);
  mkdirSync(join(folder, "tests/mandatory"), { recursive: true });
  expect(kitIn(folder)).toMatchObject({ version: "0.3", python: "python3" });
  expect(kitIn(folder).runs.map(({ binding }) => binding)).toEqual(["JSON-RPC", "HTTP+JSON", "both alike"]);
  mkdirSync(join(folder, "tests/compatibility"));
  expect(kitIn(folder).runs[0]?.args("http://x")).toContain("--sut-host=http://x");
});
