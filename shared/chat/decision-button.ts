/**
 * The payload of a button under a question: at most 64 bytes, Telegram's limit.
 *
 * @param tag  names the question, so that an old button does not answer a later one of the same run
 */
export const decisionId = (runId: string, approved: boolean, tag: string): string =>
  `run:${runId}:${approved ? "y" : "n"}:${tag}`;

/** Buttons of releases before 2026-11-23 have no tag. */
const DECISION = /^run:([0-9a-f-]{36}):([yn])(?::([0-9a-f]{8}))?$/;

/** Parses a button's payload; undefined for a button that is not ours. */
export function readDecision(
  id: string | undefined,
): { run_id: string; approved: boolean; tag?: string } | undefined {
  const [, run_id, answer, tag] = DECISION.exec(id ?? "") ?? [];
  return run_id === undefined ? undefined : { run_id, approved: answer === "y", ...(tag && { tag }) };
}
