import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { jobMoves, jobTransitions, type Transition } from "../shared/domain/jobs/job-transitions.ts";
import { jobStatuses, terminalJobStatuses } from "../shared/schemas/queue/queue-job.ts";

const conditions = {
  none: "",
  held: "the caller holds the lock, in this attempt",
  stale: "the lock is older than the lock grace",
} as const;

/** docs/job-states.md, drawn from the transition table. */
export function jobStatesDoc(): string {
  const moves = jobMoves.map((name) => ({ name, ...(jobTransitions[name] as Transition) }));
  const arrows = moves
    .filter(({ name }) => name !== "heartbeat")
    .flatMap(({ name, from, to }) => from.map((state) => `  ${state} --> ${to}: ${name}`));
  const rows = moves.map(
    (move) => `| ${move.name} | ${move.from.join(", ")} | ${move.to} | ${guard(move)} |`,
  );
  return `# States of a queue job

\`node scripts/job-states-doc.ts\` generates this page from \`shared/domain/jobs/job-transitions.ts\`; do not edit it. The
condition of each write is generated from the same row.

\`\`\`mermaid
stateDiagram-v2
  [*] --> ${jobStatuses[0]}: submit
${arrows.join("\n")}
${terminalJobStatuses.map((status) => `  ${status} --> [*]: retention`).join("\n")}
\`\`\`

| Move | From | To | Only if |
| --- | --- | --- | --- |
${rows.join("\n")}
`;
}

function guard({ lock, due, inTurn, unlessCancelled }: Transition): string {
  const parts = [
    conditions[lock],
    due ? "`available_at` has come" : "",
    inTurn ? "it waits for no other run of its session" : "",
    unlessCancelled ? "no cancellation is recorded" : "",
  ];
  return parts.filter(Boolean).join("; ");
}

export const jobStatesPath = join(import.meta.dirname, "../docs/job-states.md");

if (import.meta.main) writeFileSync(jobStatesPath, jobStatesDoc());
