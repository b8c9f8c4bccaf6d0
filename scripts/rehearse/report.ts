import type { Rehearsed } from "./rehearsal.ts";

/** What a rehearsal has found, as a table, and whether all of it is right. */
export function reportOf({ moto, steps, types, functions }: Rehearsed): {
  readonly text: string;
  readonly isRight: boolean;
} {
  const lines = [`Deployed into moto ${moto}`, ""];
  for (const { step, went, isRight } of steps)
    lines.push(`${isRight ? "ok  " : "FAIL"} ${step.padEnd(22)} ${went}`);
  lines.push("", "Resource types: made and changed; what the imitation does not know is accepted as it is");
  for (const [type, { accepted, unknown, refused }] of [...types].sort(([one], [other]) =>
    one < other ? -1 : 1,
  )) {
    const counts = [
      accepted > 0 && `${accepted} accepted`,
      unknown > 0 && `${unknown} not known`,
      refused.length > 0 && `${refused.length} REFUSED: ${[...new Set(refused)].join("; ").slice(0, 200)}`,
    ];
    lines.push(`  ${type.padEnd(40)} ${counts.filter(Boolean).join(", ")}`);
  }
  lines.push(
    "",
    "Functions under AWS's client of the runtime interface: events answered, and failed at by the function",
  );
  for (const { name, answered, failed, wrong } of functions) {
    lines.push(
      `  ${wrong.length > 0 ? "FAIL" : "ok  "} ${name.padEnd(60)} ${answered} answered, ${failed} failed`,
    );
    for (const one of wrong) lines.push(`         ${one.replaceAll("\n", " ")}`);
  }
  const isRight =
    steps.every((step) => step.isRight) &&
    functions.every(({ wrong }) => wrong.length === 0) &&
    [...types.values()].every(({ refused }) => refused.length === 0);
  return { text: lines.join("\n"), isRight };
}
