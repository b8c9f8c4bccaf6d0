import { readFileSync } from "node:fs";
import * as v from "valibot";
import { table } from "../../../build/table.ts";
import { differenceOf } from "./peer-differences.ts";

const PeerTest = v.object({
  /** `tests/<file>.py::<class>::<function>` */
  test: v.string(),
  outcome: v.picklist(["passed", "failed", "skipped"]),
  /** The assertion that failed, or why it was skipped. */
  why: v.string(),
});
export type PeerTest = v.InferOutput<typeof PeerTest>;

type Verdict = "ok" | "differs" | "skipped" | "failed";

/** What the plugin wrote. */
export function readReport(path: string): PeerTest[] {
  const lines = readFileSync(path, "utf8").trim().split("\n");
  return lines.map((line) => v.parse(PeerTest, JSON.parse(line)));
}

/** A test that fails although its difference is not known fails the whole, and so does one that passes although one is. */
export function judge(one: PeerTest): { readonly verdict: Verdict; readonly why: string } {
  const reason = differenceOf(one.test);
  switch (one.outcome) {
    case "passed":
      return reason === undefined
        ? { verdict: "ok", why: "" }
        : { verdict: "failed", why: `passes; remove its difference: ${reason}` };
    case "failed":
      return reason === undefined
        ? { verdict: "failed", why: firstLine(one.why) }
        : { verdict: "differs", why: reason };
    case "skipped":
      return { verdict: "skipped", why: reason ?? firstLine(one.why) };
  }
}

/** A line for each test that is not ok, and the counts of each file. */
export function peerReport(tests: readonly PeerTest[]): { readonly text: string; readonly passed: boolean } {
  const judged = tests.map((one) => ({ ...one, ...judge(one) }));
  const files = [...new Set(judged.map(({ test }) => fileOf(test)))];
  const counts = files.map((file) => {
    const own = judged.filter(({ test }) => fileOf(test) === file);
    const count = (verdict: Verdict) => String(own.filter((one) => one.verdict === verdict).length);
    return [file, count("ok"), count("differs"), count("skipped"), count("failed")];
  });
  const shown = judged
    .filter(({ verdict }) => verdict !== "ok")
    .map(
      ({ test, verdict, why }) => `${verdict.padEnd(8)}${test.replace(/^.*?tests\//, "")}\n        ${why}`,
    );
  const text = [...shown, "", table(["file", "ok", "differs", "skipped", "failed"], counts)].join("\n");
  return { text, passed: judged.length > 0 && judged.every(({ verdict }) => verdict !== "failed") };
}

const fileOf = (test: string): string => /([^/]+)\.py/.exec(test)?.[1] ?? test;

const firstLine = (text: string): string => text.split("\n")[0] ?? "";
