import { table } from "../../build/table.ts";
import { parsedJson } from "../../shared/schemas/values/json-values.ts";
import { differenceFor } from "./client-differences.ts";
import type { WalkedMember } from "./walked-member.ts";

/** A scenario that could not go on; what it would have called stays with 0 calls. */
export type StoppedScenario = { readonly part: string; readonly stopped: string; readonly reason: string };

export type Walked = {
  readonly members: readonly WalkedMember[];
  readonly stopped: readonly StoppedScenario[];
};

export type Verdict = "ok" | "differs" | "skipped" | "failed" | "not walked";
type JudgedMember = WalkedMember & { readonly verdict: Verdict; readonly why: string };

/** The report of `client/main.py`: a line of JSON for each member. Other lines are the package's own and left out. */
export function walkedIn(output: string): Walked {
  const lines = output.split("\n").filter((line) => line.startsWith("{"));
  const parsed = lines.map((line) => parsedJson(line) as WalkedMember | StoppedScenario | undefined);
  const reported = parsed.filter((line) => line !== undefined);
  return {
    members: reported.filter((line): line is WalkedMember => "method" in line),
    stopped: reported.filter((line): line is StoppedScenario => "stopped" in line),
  };
}

/**
 * A member is `ok` if every call of it was answered as expected, and `differs` if the interface asks for each answer that
 * was not. One that nothing called is `not walked`: the script does not know it.
 *
 * @param version  of the package
 */
export function judge(member: WalkedMember, version: string): JudgedMember {
  const { failures, calls, skipped } = member;
  const reasons = failures.map((failure) => differenceFor(member, failure, version));
  const verdict =
    failures.length > 0
      ? reasons.every((reason) => reason !== undefined)
        ? "differs"
        : "failed"
      : calls > 0
        ? "ok"
        : skipped === undefined
          ? "not walked"
          : "skipped";
  const known = [...new Set(reasons.filter((reason) => reason !== undefined))];
  const unknown = failures.filter((_failure, at) => reasons[at] === undefined);
  const why = verdict === "skipped" ? (skipped ?? "") : [...unknown, ...known].join("; ");
  return { ...member, verdict, why };
}

export type ClientReport = {
  readonly text: string;
  /** Whether nothing failed, everything was walked and no scenario was stopped. */
  readonly passed: boolean;
};

/** Formats a walk: a line for each member, the totals of each client, and what went wrong. */
export function clientReport({ members, stopped }: Walked, version: string): ClientReport {
  const judged = members.map((member) => judge(member, version));
  const rows = judged.map(({ part, method, calls, verdict }) => [
    `${part}: ${method}`,
    String(calls),
    verdict,
  ]);
  const parts = [...new Set(judged.map(({ part }) => part))];
  const totals = parts.map((part) => [part, ...countsOf(judged.filter((one) => one.part === part))]);
  const all = ["all", ...countsOf(judged)];
  const remarks = judged.filter(({ verdict }) => verdict !== "ok");
  const text = [
    table(["method", "calls", "result"], rows),
    "",
    ...remarks.map(({ part, method, verdict, why }) => `${verdict}: ${part}: ${method}${why && `: ${why}`}`),
    ...stopped.map(({ part, stopped: scenario, reason }) => `stopped: ${part}: ${scenario}: ${reason}`),
    "",
    table([`agno ${version}`, ...verdicts], [...totals, all]),
  ].join("\n");
  const isBad = ({ verdict }: JudgedMember) => verdict === "failed" || verdict === "not walked";
  return { text, passed: members.length > 0 && stopped.length === 0 && !judged.some(isBad) };
}

const verdicts: readonly Verdict[] = ["ok", "differs", "skipped", "failed", "not walked"];

const countsOf = (judged: readonly JudgedMember[]): string[] =>
  verdicts.map((verdict) => String(judged.filter((one) => one.verdict === verdict).length));
