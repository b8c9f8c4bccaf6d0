import { describe, expect, test } from "vitest";
import { fillPlaceholders, jsonOf } from "../../scripts/docs/answers.ts";
import { checkClaims } from "../../scripts/docs/claims.ts";
import { describedScopes } from "../../scripts/docs/described-scopes.ts";
import { stepsIn } from "../../scripts/docs/guide-steps.ts";
import { reasonToLeaveOut } from "../../scripts/docs/left-out.ts";

const answer = (more: object) => ({ output: "{}", status: 200, contentType: "application/json", ...more });

describe("the steps of a guide", () => {
  const guide = [
    "Write `registry/tools/a.ts`, or better",
    "Write `registry/tools/roll.ts`:",
    "",
    "```ts",
    "export const a = 1;",
    "```",
    "```json",
    "{}",
    "```",
    "```sh",
    "# Background: answers 202 at once",
    "curl $API/x \\",
    "  -F message='it''s # no comment'   # PAUSED",
    "",
    'curl $API/y --json \'{"a": 1,',
    '  "b": 2}\'',
    "```",
  ].join("\n");

  test("are its commands and its TypeScript blocks, in order and with their lines", () => {
    expect(stepsIn(guide)).toEqual([
      { kind: "source", line: 5, text: "export const a = 1;\n", path: "registry/tools/roll.ts" },
      {
        kind: "command",
        line: 12,
        text: "curl $API/x \\\n  -F message='it''s # no comment'",
        said: ["Background: answers 202 at once", "PAUSED"],
      },
      { kind: "command", line: 15, text: 'curl $API/y --json \'{"a": 1,\n  "b": 2}\'', said: [] },
    ]);
  });

  test.each(["```sh\ncurl", "```sh\necho 'open\n```"])("that have no end are refused: %j", (text) => {
    expect(() => stepsIn(text)).toThrow("no end");
  });
});

describe("placeholders", () => {
  const answered = [
    { command: "curl $API/schedules --json '{}'", json: { id: "schedule-1" } },
    {
      command: "curl -X POST $API/schedules/schedule-1/trigger",
      json: { id: "run-of-schedule", run_id: "r-1" },
    },
    { command: 'curl "$API/queue/jobs?status=failed"', json: { data: [{ id: "job-1" }], meta: {} } },
    { command: "curl $API/agents/a/runs", json: { tools: [{ approval_id: "a-1" }], session_id: "s-1" } },
  ];

  test("are filled from the latest answer that has the value", () => {
    expect(fillPlaceholders("$API/x/<run_id>?session_id=<session_id> <approval_id>", answered)).toBe(
      "$API/x/r-1?session_id=s-1 a-1",
    );
  });

  test("that are ids are those of the collection before them", () => {
    expect(fillPlaceholders('curl "$API/schedules/<id>/runs"', answered)).toBe(
      'curl "$API/schedules/schedule-1/runs"',
    );
    expect(fillPlaceholders('curl "$API/queue/jobs/<job_id>/requeue"', answered)).toContain("/job-1/");
    expect(() => fillPlaceholders('curl "$API/eval-runs/<id>"', answered)).toThrow("<id>");
  });

  test("are filled from the first event of a stream", () => {
    expect(
      jsonOf({ output: 'event: RunStarted\ndata: {"run_id":"r"}\n\ndata: {"run_id":"other"}\n\n' }),
    ).toEqual({
      run_id: "r",
    });
  });
});

describe("claims", () => {
  test.each([
    ["answers 202 at once", { status: 202 }, { status: 200 }],
    ["202", { status: 202 }, { status: 200 }],
    ["202 if it takes longer", { status: 200 }, { status: 500 }],
    ["server-sent events", { contentType: "text/event-stream" }, {}],
    ["Wait for the answer", { output: '{"status":"COMPLETED"}' }, { output: '{"status":"ERROR"}' }],
    ["PAUSED before its last step", { output: '{"status":"PAUSED"}' }, {}],
    [
      "with an approval_id",
      { output: '{"tools":[{"approval_id":"a"}]}' },
      { output: '{"approval_id":null}' },
    ],
    ["dry run", { output: '{"dry_run":true}' }, { output: '{"dry_run":false}' }],
    ["newest first, exact totals", { output: '{"meta":{"total_count":1}}' }, { output: '{"meta":{}}' }],
  ])("%j is compared with the answer", (said, right, wrong) => {
    expect(checkClaims([said], { answer: answer(right), scopes: [] })).toEqual({ checked: 1, problems: [] });
    expect(checkClaims([said], { answer: answer(wrong), scopes: [] }).problems).toHaveLength(1);
  });

  test("of a scope are compared with the interface description", () => {
    const needs = (scope: string) => ({ security: [{ bearer: [scope] }] });
    const description = {
      paths: {
        "/traces/{trace_id}": { get: needs("other") },
        "/traces/search": { post: needs("traces:read") },
        "/sessions/{session_id}": { delete: needs("sessions:delete") },
      },
    };
    expect(describedScopes(description, "curl $API/traces/search --json '{}'")).toEqual(["traces:read"]);
    const scopes = describedScopes(description, 'curl -X DELETE "$API/sessions/s-1" -H x');
    expect(checkClaims(["sessions:delete"], { answer: answer({}), scopes })).toEqual({
      checked: 1,
      problems: [],
    });
    expect(checkClaims(["sessions:read"], { answer: answer({}), scopes }).problems).toHaveLength(1);
    expect(describedScopes(description, "npm run build")).toEqual([]);
  });

  test("that say nothing that can be compared are counted as none", () => {
    expect(checkClaims(["roll back"], { answer: answer({}), scopes: [] })).toEqual({
      checked: 0,
      problems: [],
    });
  });
});

test("a command is left out for a reason only", () => {
  expect(reasonToLeaveOut("npx cdk deploy --all")).toMatch(/AWS/);
  expect(reasonToLeaveOut("npm run build")).toBeUndefined();
});
