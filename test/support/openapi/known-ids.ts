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

/** Things of one sort: those with the same names of ids. */
const KEPT = 40;

/** The ids of one thing, by the names of the variables that they stand for: a run's are its own, its session's, its agent's. */
export type Thing = Readonly<Record<string, string>>;

/** Things that are there, found in answers. So what one operation makes is what the others are asked about. */
export function knownIds() {
  let things: readonly Thing[] = [];
  const keep = (thing: Thing): void => {
    const same = things.filter((one) => sortOf(one) === sortOf(thing));
    const oldest = same.length < KEPT ? undefined : same[0];
    things = [...things.filter((one) => one !== oldest), thing];
  };
  const visit = (value: unknown, family: string, about: Thing): void => {
    if (typeof value !== "object" || value === null) return;
    // A run within another is shown with that one, and no route acts on it alone.
    if ("parent_run_id" in value && value.parent_run_id) return;
    const thing = idsIn(value, family);
    if (Object.keys(thing).length > 0) keep({ ...about, ...thing });
    for (const member of Object.values(value)) visit(member, family, about);
  };
  return {
    /**
     * Takes the ids out of an answer of a family's.
     *
     * @param about  the variables of the path that it answers
     */
    learn: visit,
    /** The things that have all of these ids; where there is none, those that have the first of them that any has. */
    with: (names: readonly string[]): readonly Thing[] => {
      const whole = things.filter((thing) => names.every((name) => idNamed(thing, name) !== undefined));
      return whole.length > 0 ? whole : things.filter((thing) => names.some((name) => name in thing));
    },
  };
}

export type KnownIds = ReturnType<typeof knownIds>;

/** A task is a run, and its context the run's session. */
export const idNamed = (thing: Thing, name: string): string | undefined =>
  thing[name] ?? (name === "task_id" ? thing.run_id : undefined);

const sortOf = (thing: Thing): string => Object.keys(thing).sort().join(" ");

function idsIn(record: object, family: string): Thing {
  const found = Object.entries(record).flatMap(([key, member]): [string, string][] => {
    const name = key === "id" ? idOf[family] : key;
    return name !== undefined && name in pathExamples && typeof member === "string" ? [[name, member]] : [];
  });
  return Object.fromEntries(found);
}
