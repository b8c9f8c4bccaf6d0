/** The payload of a button under a question: at most 64 bytes, Telegram's limit. */
export const decisionId = (runId: string, approved: boolean): string =>
  `run:${runId}:${approved ? "y" : "n"}`;

const DECISION = /^run:([0-9a-f-]{36}):([yn])$/;

/** Parses a button's payload; undefined for a button that is not ours. */
export function readDecision(id: string | undefined): { run_id: string; approved: boolean } | undefined {
  const [, run_id, answer] = DECISION.exec(id ?? "") ?? [];
  return run_id === undefined ? undefined : { run_id, approved: answer === "y" };
}
