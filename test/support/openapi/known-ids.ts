import { pathExamples } from "../../../shared/openapi/examples/path-examples.ts";

/** Under which name the `id` of a family's records stands in paths and bodies. */
const idOf: Readonly<Record<string, string>> = {
  approvals: "approval_id",
  evals: "eval_run_id",
  knowledge: "content_id",
  queue: "job_id",
  schedules: "schedule_id",
  "service-accounts": "account_id",
};

const KEPT = 20;

/**
 * Ids of what is there, by the name of the variable that they stand for, found in answers. So what one operation makes
 * is what the others are asked about.
 */
export function knownIds() {
  const known = new Map<string, string[]>();
  const add = (name: string, id: string) => {
    const ids = known.get(name) ?? [];
    if (!ids.includes(id)) known.set(name, [...ids, id].slice(-KEPT));
  };
  const visit = (value: unknown, family: string): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      const name = key === "id" ? idOf[family] : key;
      if (name !== undefined && name in pathExamples && typeof member === "string") add(name, member);
      else visit(member, family);
    }
  };
  return {
    /** Takes the ids out of an answer of a family's. */
    learn: visit,
    of: (name: string): readonly string[] => known.get(name === "task_id" ? "run_id" : name) ?? [],
  };
}

export type KnownIds = ReturnType<typeof knownIds>;
