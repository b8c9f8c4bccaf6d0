import { isObject } from "../../shared/schemas/values/json-values.ts";
import { type Answer, jsonOf } from "./answers.ts";

/** What a claim can be compared with. */
export type Evidence = {
  readonly answer: Answer;
  /** Scopes that the interface description names for the route that was asked. */
  readonly scopes: readonly string[];
};

type Claim = {
  /** How comments say it. */
  readonly said: RegExp;
  /** @returns what is wrong, undefined where it is true */
  readonly problem: (evidence: Evidence, words: RegExpExecArray) => string | undefined;
};

const memberOf = (answer: Answer, name: string): unknown => {
  const json = jsonOf(answer);
  return isObject(json) ? json[name] : undefined;
};

const unless = (isTrue: boolean, seen: unknown): string | undefined =>
  isTrue ? undefined : `it is ${JSON.stringify(seen)}`;

const claims: readonly Claim[] = [
  {
    said: /\b(\d{3})\b( if )?/,
    problem: ({ answer: { status } }, [, expected, isConditional]) =>
      unless(status === Number(expected) || (isConditional !== undefined && status === 200), status),
  },
  {
    said: /server-sent events/,
    problem: ({ answer }) => unless(answer.contentType.startsWith("text/event-stream"), answer.contentType),
  },
  {
    said: /\bwait for the answer/i,
    problem: ({ answer }) => unless(memberOf(answer, "status") === "COMPLETED", memberOf(answer, "status")),
  },
  {
    said: /\bPAUSED\b/,
    problem: ({ answer }) => unless(memberOf(answer, "status") === "PAUSED", memberOf(answer, "status")),
  },
  {
    said: /\bwith an approval_id/,
    problem: ({ answer: { output } }) => unless(/"approval_id":\s*"[^"]/.test(output), "without one"),
  },
  {
    said: /\bdry run\b/,
    problem: ({ answer }) => unless(memberOf(answer, "dry_run") === true, memberOf(answer, "dry_run")),
  },
  {
    said: /\bexact totals/,
    problem: ({ answer }) => {
      const meta = memberOf(answer, "meta");
      return unless(isObject(meta) && Number(meta.total_count) > 0, meta);
    },
  },
  {
    said: /\b([a-z_]+:(?:read|write|delete|run))\b/,
    problem: ({ scopes }, [, scope = ""]) => unless(scopes.includes(scope), scopes),
  },
];

export type Checked = { readonly checked: number; readonly problems: readonly string[] };

/** Compares what comments say of a command with what it was answered. A comment that claims nothing known counts as 0. */
export function checkClaims(said: readonly string[], evidence: Evidence): Checked {
  const found = said.flatMap((text) =>
    claims.flatMap(({ said: pattern, problem }) => {
      const words = pattern.exec(text);
      return words ? [{ text, problem: problem(evidence, words) }] : [];
    }),
  );
  const wrong = found.filter(({ problem }) => problem !== undefined);
  return { checked: found.length, problems: wrong.map(({ text, problem }) => `"${text}": ${problem}`) };
}
