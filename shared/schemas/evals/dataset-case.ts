import * as v from "valibot";
import { JudgedAsText } from "../feedback/judged-as.ts";
import { runStatuses } from "../runs/run.ts";
import { RunVerdictText } from "../runs/run-verdict.ts";
import { SessionId } from "../sessions/session-id.ts";
import { meaning } from "../values/described-as.ts";
import { KeyText } from "../values/key-text.ts";
import { knownMembers } from "../values/known-members.ts";
import { maxChars } from "../values/max-chars.ts";
import { evalCaseEntries } from "./eval-plan.ts";

/** Most cases that one request adds or changes. */
const MAX_AT_ONCE = 500;
const MAX_TAGS = 20;

/** What each kind of personal data looks like is in `shared/evals/redaction/`. */
export const detectable = ["email", "phone", "iban", "card", "ip"] as const;
export type Detectable = (typeof detectable)[number];

/** Ours, beside what a case asks and expects. */
const sorting = {
  tags: meaning(
    v.optional(v.pipe(v.array(v.pipe(v.string(), v.minLength(1), maxChars(64))), v.maxLength(MAX_TAGS))),
    "Words by which cases are found again",
  ),
  split: meaning(
    v.optional(v.picklist(["train", "test"])),
    "Whether a case is for improving a component, or for the last look at it",
  ),
};

/** Where a case was taken from. A case that outlives its session has no ids of it. */
export const CaseSource = v.object({
  run_id: v.optional(v.string()),
  session_id: v.optional(v.string()),
  component_type: v.picklist(["agent", "team", "workflow"]),
  component_id: v.string(),
  component_version: v.optional(v.number()),
  /** How many tools the run has called, those of its members and steps among them. */
  tool_calls: v.number(),
});

/** A case of a version of a dataset. */
const WholeCase = v.object({
  id: v.string(),
  ...evalCaseEntries,
  ...sorting,
  source: v.optional(CaseSource),
});

/** What is left of a case whose session was removed. */
const ErasedCase = v.object({ id: v.string(), erased: v.literal(true) });

export const DatasetCase = v.union([ErasedCase, WholeCase]);
export type DatasetCase = v.InferOutput<typeof DatasetCase>;

const instant = v.optional(v.pipe(v.number(), v.integer()));
const least = v.optional(v.pipe(v.number(), v.finite()));

/** As `GET /runs` takes it, in the types of JSON. */
const RunFilter = knownMembers(
  {
    component_type: meaning(
      v.optional(v.picklist(["agent", "team", "workflow"])),
      "Only runs of components of this kind",
    ),
    component_id: meaning(v.optional(KeyText), "Only of this agent, team or workflow"),
    user_id: meaning(
      v.optional(KeyText),
      "Only of this user; for whoever sees its own alone it is the caller",
    ),
    status: meaning(v.optional(v.array(v.picklist(runStatuses))), "Only runs in any of these states"),
    created_after: meaning(instant, "Not before this time, in epoch seconds"),
    created_before: meaning(instant, "Not after this time, in epoch seconds"),
    error_contains: meaning(v.optional(v.string()), "A part of the error's text, case-sensitive"),
    q: meaning(
      v.optional(v.pipe(v.string(), v.maxLength(500))),
      "Words and quoted phrases of input, answer, error or feedback",
    ),
    version: meaning(
      v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
      "Only runs of this version of a stored component",
    ),
    tool: meaning(v.optional(v.string()), "Only runs that called this tool"),
    cost_min: meaning(least, "Only runs that cost at least so many dollars"),
    duration_min: meaning(least, "Only runs that took at least so many seconds"),
    feedback: meaning(JudgedAsText, "Only runs with feedback of this key, or of this key and score: thumb:0"),
    verdict: meaning(RunVerdictText, "Only runs that the judge of their component has found so"),
  },
  [],
  "In place of runs: those that GET /runs finds, the newest first",
);

const texts = (most: number) =>
  v.optional(v.pipe(v.array(v.pipe(v.string(), v.minLength(1), maxChars(200))), v.maxLength(most)));

const Redact = knownMembers({
  detect: meaning(
    v.optional(v.array(v.picklist(detectable))),
    "What is found by its form and its check digits. On runs of others all five kinds unless given; fewer take an admin then",
  ),
  patterns: meaning(texts(10), "Regular expressions of JavaScript; each match is taken out"),
  names: meaning(texts(100), "Names that are taken out wherever they stand as words, in any case"),
});
export type Redact = v.InferOutput<typeof Redact>;

export const AddCasesBody = v.pipe(
  knownMembers({
    runs: meaning(
      v.optional(
        v.pipe(
          v.array(
            v.object({
              run_id: meaning(KeyText, "Id of the run"),
              session_id: meaning(SessionId, "The session that it belongs to"),
            }),
          ),
          v.minLength(1),
          v.maxLength(MAX_AT_ONCE),
        ),
      ),
      "The runs that cases are made of",
    ),
    filter: v.optional(RunFilter),
    most: meaning(
      v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_AT_ONCE)), 100),
      "How many runs a filter takes at most",
    ),
    expected: meaning(
      v.optional(v.picklist(["answer", "correction", "none"]), "answer"),
      "What the expected output is: the run's answer, the newest correction that was given, or nothing",
    ),
    ...sorting,
    redact: v.optional(
      meaning(
        v.union([v.literal(false), Redact]),
        "What is taken out of the texts. On runs of others all five kinds unless given; false takes an admin then",
      ),
    ),
    on_removed_source: meaning(
      v.optional(v.picklist(["erase", "keep"]), "erase"),
      "What becomes of a case when its session is removed; keep takes an admin and redact",
    ),
  }),
  v.check(
    ({ runs, filter }) => (runs === undefined) !== (filter === undefined),
    "give either runs or filter",
  ),
);
export type AddCasesBody = v.InferOutput<typeof AddCasesBody>;

export const AddedCases = v.object({
  dataset_id: v.string(),
  /** The newest version, which has them; where none was added it is the one before. */
  version: v.number(),
  added: v.number(),
  /** Runs without a case, and why. */
  skipped: v.array(v.object({ run_id: v.string(), reason: v.string() })),
  /** Whether the filter may let more runs through, beyond `most` or beyond what one request reads. */
  more: v.boolean(),
});
export type AddedCases = v.InferOutput<typeof AddedCases>;

const { input, ...expectations } = evalCaseEntries;
const id = v.pipe(v.string(), v.minLength(1), maxChars(100));

/** Members that are given take the place of those of the case; null takes one away. Without an id it is a new case. */
const ChangedCase = v.pipe(
  knownMembers({
    id: meaning(v.optional(id), "The case that is changed; a new one without it"),
    input: meaning(v.optional(input), "What the component is asked"),
    ...expectations,
    tags: sorting.tags,
    split: meaning(v.nullish(v.picklist(["train", "test"])), "Null takes it away"),
  }),
  v.check(
    ({ id: given, input: asked }) => given !== undefined || asked !== undefined,
    "a new case needs an input",
  ),
);

export const ChangeCasesBody = v.pipe(
  knownMembers({
    base_version: meaning(
      v.pipe(v.number(), v.integer(), v.minValue(1)),
      "The version that the change was made of; it must be the newest",
    ),
    set: meaning(
      v.optional(v.pipe(v.array(ChangedCase), v.maxLength(MAX_AT_ONCE)), []),
      "Cases to change or to add",
    ),
    remove: meaning(
      v.optional(v.pipe(v.array(id), v.maxLength(MAX_AT_ONCE)), []),
      "Ids of cases to leave out",
    ),
  }),
  v.check(({ set, remove }) => set.length + remove.length > 0, "give set or remove"),
);
export type ChangeCasesBody = v.InferOutput<typeof ChangeCasesBody>;
