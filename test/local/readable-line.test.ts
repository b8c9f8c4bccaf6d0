import { describe, expect, test } from "vitest";
import { anyReadableLine, readableLine } from "../../local/logs/readable-line.ts";

const line = (fields: object): string => JSON.stringify({ timestamp: "2026-11-24T12:01:03.000Z", ...fields });
const shown = (fields: object): string | undefined =>
  readableLine(line(fields), "Worker")?.replace(/^\S+ {2}/, "");

describe("at a terminal", () => {
  test("a run is one line: how it ended, what, whose, how long, how much, which", () => {
    const ending = {
      _aws: { Timestamp: 1_795_545_945_485 },
      run_id: "run-1",
      component: "agents/desk",
      user_id: "ada",
      RunsCompleted: 1,
      RunSeconds: 0.409,
      InputTokens: 27,
      OutputTokens: 4,
      Cost: 0.00123,
    };
    expect(shown(ending)).toBe("completed  agents/desk  ada  0.41 s  31 tokens  $0.0012  run run-1");
    const { RunsCompleted: _, ...paused } = ending;
    expect(shown({ ...paused, RunsPaused: 1 })).toContain("paused     agents/desk");
    expect(shown({ _aws: {}, JobsQueued: 1 })).toBeUndefined();
  });

  test("a tool that throws is its error, its message and the place in the user's file", () => {
    const failed = {
      level: "WARN",
      message: "a tool failed",
      service: "runs-stream",
      run_id: "run-1",
      tool_name: "roll_dice",
      error_type: "TypeError",
      error_text: "kaputt",
      at: ["tools/roll-dice.ts:12:53", "agents/desk.ts:1:1"],
    };
    expect(shown(failed)).toBe(
      "a tool failed: roll_dice: TypeError: kaputt at tools/roll-dice.ts:12:53  run run-1",
    );
  });

  test("requests are for `logs`, and what is no line of the log is shown as it is", () => {
    const request = { level: "INFO", message: "request", method: "GET", status: 200 };
    expect(shown(request)).toBeUndefined();
    expect(anyReadableLine(line(request), "Worker")).toMatch(/request {2}method GET, status 200$/);
    expect(readableLine("hello", "Worker")).toBe("[Worker] hello");
  });
});
