import { callerOf } from "../../shared/auth/caller.ts";
import type { Principal } from "../../shared/auth/principal.ts";
import { ServiceError } from "../../shared/errors.ts";
import { caseOfRun, redactor } from "../../shared/evals/index.ts";
import { type Handler, Reply } from "../../shared/http/handler.ts";
import type { evalRoutes } from "../../shared/routes/evals.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import {
  type AddCasesBody,
  type AddedCases,
  detectable,
  type Redact,
} from "../../shared/schemas/evals/dataset-case.ts";
import { MAX_CASES } from "../../shared/schemas/evals/eval-bodies.ts";
import { MAX_DATASET_BYTES } from "../../shared/schemas/evals/eval-dataset.ts";
import { auditedChange } from "../../shared/stores/audit/audit-item.ts";
import type { Db } from "../../shared/stores/db.ts";
import {
  addDatasetVersion,
  getDatasetCases,
  noteSources,
  type StoredCase,
  type StoredDataset,
} from "../../shared/stores/evals/index.ts";
import { feedbackOfRun } from "../../shared/stores/feedback/index.ts";
import { retryUntilWritten } from "../../shared/stores/retry-until-written.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";
import { readSessions } from "../../shared/stores/sessions/session-item.ts";
import type { EvalsDeps } from "./evals-deps.ts";
import { runsForCases } from "./runs-for-cases.ts";
import { visibleDataset } from "./visible-dataset.ts";

/**
 * Adds a version with cases that are made of runs.
 *
 *   runs ─▶ cases, redacted ─▶ note of each session ─▶ version
 *                               └ first, so that the removal of a session finds every copy
 *
 * @throws ServiceError NOT_FOUND, UNAUTHORIZED; UNPROCESSABLE for a copy that would stay although nothing is taken out of it
 * @decided ours; the peer has no datasets
 */
export const addDatasetCases: Handler<
  typeof evalRoutes.addDatasetCases,
  Pick<EvalsDeps, "db" | "clock">
> = async ({ params, query, body, principal }, { db, clock }) => {
  const { id } = await visibleDataset(db, principal, params.dataset_id, query);
  const now = epochSeconds(clock);
  const { runs, skipped: unseen = [], more } = await runsForCases(db, principal, body, now);
  const redact = redactionOf(principal, body, runs);
  const made = await casesOf(db, runs, body, redact);
  const skipped = [
    ...unseen.map(({ run_id }) => ({ run_id, reason: "there is no such run" })),
    ...made.flatMap(({ run_id, made: why }) => (typeof why === "string" ? [{ run_id, reason: why }] : [])),
  ];
  const cases = made.flatMap(({ run_id, made: one }) => (typeof one === "string" ? [] : [{ run_id, one }]));
  await noteSources(
    db,
    id,
    cases.flatMap(({ one }) => one.source_key ?? []),
  );
  return retryUntilWritten(
    async () => {
      const seen = await visibleDataset(db, principal, id, query);
      const before = (await getDatasetCases(db, id, seen.version)) ?? [];
      // After the dataset: a session that is removed from now on counts an erasure, which refuses the version.
      const { present, gone } = await bySession(db, cases);
      const { added, refused } = fitting(before, present);
      const answer: AddedCases = {
        dataset_id: id,
        version: seen.version,
        added: added.length,
        skipped: [...skipped, ...gone, ...refused],
        more,
      };
      if (added.length === 0) return new Reply(200, answer);
      const entry = auditedChange(db, auditEntry(seen, body, redact, added.length));
      const written = await addDatasetVersion(db, seen, [...before, ...added], now, entry);
      return written && { ...answer, version: written.version };
    },
    () => new ServiceError("CONFLICT", `dataset ${id} changes all the time; try again`),
  );
};

/** What is taken out. @throws ServiceError UNAUTHORIZED, UNPROCESSABLE */
function redactionOf(
  principal: Principal,
  { redact, on_removed_source }: AddCasesBody,
  runs: readonly StoredRun[],
): Redact | undefined {
  const { seesAll, user_id } = callerOf(principal);
  const hasOthers = runs.some(({ owner }) => owner !== user_id);
  const given = redact === false ? [] : redact?.detect;
  const detect = given ?? (hasOthers ? [...detectable] : []);
  const isWhole = detectable.every((kind) => detect.includes(kind));
  if (hasOthers && !isWhole && !seesAll) {
    throw new ServiceError("UNAUTHORIZED", "only an admin may copy what other users said without redaction");
  }
  const taken = redact === false || (!redact && !hasOthers) ? undefined : { ...redact, detect };
  if (on_removed_source === "erase") return taken;
  if (!seesAll)
    throw new ServiceError("UNAUTHORIZED", "only an admin may keep cases whose session is removed");
  if (taken && (taken.detect.length > 0 || taken.patterns?.length || taken.names?.length)) return taken;
  throw new ServiceError(
    "UNPROCESSABLE",
    "on_removed_source=keep needs redact: say what is taken out of the texts",
  );
}

type Made = { readonly run_id: string; readonly made: StoredCase | string };

async function casesOf(
  db: Db,
  runs: readonly StoredRun[],
  body: AddCasesBody,
  redact: Redact | undefined,
): Promise<Made[]> {
  const redacting = redact && redactor(redact);
  const made: Made[] = [];
  for (const run of runs) {
    const said = body.expected === "correction" ? (await feedbackOfRun(db, run.run_id)).feedback : [];
    made.push({
      run_id: run.run_id,
      made: caseOfRun(run, said, body, redacting?.forCase() ?? ((text) => text)),
    });
  }
  return made;
}

type MadeCase = { readonly run_id: string; readonly one: StoredCase };

/** Cases whose sessions are there still, and the runs of those whose are not. One that is to be kept has no session. */
async function bySession(db: Db, cases: readonly MadeCase[]) {
  const ids = cases.flatMap(({ one }) => one.source?.session_id ?? []);
  const there = new Set((await readSessions(db, ids)).map(({ session_id }) => session_id));
  const isGone = ({ one: { source } }: MadeCase) =>
    source?.session_id !== undefined && !there.has(source.session_id);
  return {
    present: cases.filter((one) => !isGone(one)),
    gone: cases.filter(isGone).map(({ run_id }) => ({ run_id, reason: "there is no such run" })),
  };
}

/** The cases for which the dataset has room, and which it does not have. */
function fitting(before: readonly StoredCase[], cases: readonly MadeCase[]) {
  const ids = new Set(before.map(({ id }) => id));
  const added: StoredCase[] = [];
  const refused: AddedCases["skipped"] = [];
  let bytes = sizeOf(before);
  for (const { run_id, one } of cases) {
    const grown = bytes + sizeOf(one);
    const reason = ids.has(one.id)
      ? "the dataset has a case of it"
      : before.length + added.length >= MAX_CASES
        ? `the dataset has ${MAX_CASES} cases`
        : grown > MAX_DATASET_BYTES
          ? `the dataset would have more than ${MAX_DATASET_BYTES} bytes`
          : undefined;
    if (reason !== undefined) {
      refused.push({ run_id, reason });
      continue;
    }
    ids.add(one.id);
    added.push(one);
    bytes = grown;
  }
  return { added, refused };
}

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const auditEntry = (
  { id, user_id, version }: StoredDataset,
  { on_removed_source, expected }: AddCasesBody,
  redact: Redact | undefined,
  added: number,
) => ({
  on_behalf_of: user_id,
  target: { dataset_id: id },
  before: { version },
  after: { version: version + 1, added, expected, on_removed_source, redact: redact ?? false },
});
