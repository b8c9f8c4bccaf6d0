import { callerOf } from "../../shared/auth/caller.ts";
import type { Principal } from "../../shared/auth/principal.ts";
import { readableKinds } from "../../shared/auth/scopes/readable-kinds.ts";
import { FEEDBACK_OF_ALL, hasFeedbackScope } from "../../shared/auth/scopes/sees-all-feedback.ts";
import { searchTerms } from "../../shared/domain/runs/run-search.ts";
import { EVERYBODY, noteOwner } from "../../shared/runtime/audit-scope.ts";
import type { AddCasesBody } from "../../shared/schemas/evals/dataset-case.ts";
import { judgedAs } from "../../shared/schemas/feedback/judged-as.ts";
import type { RunStatus } from "../../shared/schemas/runs/run.ts";
import type { Db } from "../../shared/stores/db.ts";
import { getRun } from "../../shared/stores/runs/get-run.ts";
import { findRuns, PAGE_DEPTH, type ReadableKind } from "../../shared/stores/runs/listing/find-runs.ts";
import { isNested, type StoredRun } from "../../shared/stores/runs/run-item.ts";
import type { RunAddress } from "../../shared/stores/runs/run-keys.ts";
import { getSessionHead } from "../../shared/stores/sessions/session-item.ts";

/** Runs that are looked at for those that a filter lets through. */
const DEPTH = 10_000;
/** Runs that are read at the same time. */
const AT_A_TIME = 16;

export type RunsForCases = {
  readonly runs: readonly StoredRun[];
  readonly skipped: AddCasesBody["runs"];
  readonly more: boolean;
};

/**
 * The runs that a request makes cases of, as far as its caller may read them: its own, or for an admin and whoever has
 * `feedback:everybody` those of others. A run that it may not read is skipped as if there were none.
 *
 * @param now  epoch seconds
 * @throws ServiceError UNAUTHORIZED for a caller who may read no runs
 */
export async function runsForCases(
  db: Db,
  principal: Principal,
  body: AddCasesBody,
  now: number,
): Promise<RunsForCases> {
  const caller = callerOf(principal);
  const seesOthers = caller.seesAll || hasFeedbackScope(principal, FEEDBACK_OF_ALL);
  const kinds = readableKinds(principal, body.filter ?? {});
  if (body.runs === undefined) {
    const { user_id, ...filter } = body.filter ?? {};
    // A credential without a subject is an admin's.
    const owner = seesOthers ? user_id : (caller.user_id ?? undefined);
    noteOwner(owner ?? EVERYBODY);
    const { found, more } = await matching(db, { ...filter, owner, kinds, limit: body.most }, now);
    return { ...(await whole(db, found, now)), more };
  }
  const addresses = await inWaves(body.runs, async (asked) => {
    const session = await getSessionHead(db, asked.session_id);
    const isVisible = session && (seesOthers || session.user_id === caller.user_id);
    if (isVisible) noteOwner(session.user_id, session.session_id);
    return { ...asked, owner: isVisible ? session.user_id : undefined };
  });
  const known = addresses.flatMap(({ owner, ...at }) => (owner === undefined ? [] : [{ ...at, owner }]));
  const { runs, skipped = [] } = await whole(db, known, now);
  const readable = runs.filter((run) => isReadable(run, kinds));
  const others = [
    ...addresses.filter(({ owner }) => owner === undefined),
    ...runs.filter((run) => !readable.includes(run)),
  ];
  return {
    runs: readable,
    skipped: [...skipped, ...others.map(({ run_id, session_id }) => ({ run_id, session_id }))],
    more: false,
  };
}

type Wanted = Omit<NonNullable<AddCasesBody["filter"]>, "user_id"> & {
  readonly owner: string | undefined;
  readonly kinds: readonly ReadableKind[];
  readonly limit: number;
};

async function matching(db: Db, { status, q, feedback, limit, ...rest }: Wanted, now: number) {
  const query = {
    ...rest,
    statuses: status && new Set<RunStatus>(status),
    terms: q === undefined ? undefined : searchTerms(q),
    judged: feedback === undefined ? undefined : judgedAs(feedback),
  };
  const found: RunAddress[] = [];
  let after_place: string | undefined;
  for (let seen = 0; seen < DEPTH; seen += PAGE_DEPTH) {
    const page = await findRuns(db, { ...query, after_place, limit: limit - found.length }, now);
    found.push(...page.runs);
    after_place = page.next_place;
    if (after_place === undefined || found.length >= limit) break;
  }
  return { found, more: after_place !== undefined };
}

/** Runs with all that is recorded of them. Those that are gone, or part of others, are skipped. */
async function whole(db: Db, addresses: readonly RunAddress[], now: number) {
  const read = await inWaves(addresses, async (at) => ({ at, run: await getRun(db, at, now) }));
  const runs = read.flatMap(({ run }) => (run && !isNested(run) ? [run] : []));
  const skipped = read
    .filter(({ run }) => !run || isNested(run))
    .map(({ at: { run_id, session_id } }) => ({ run_id, session_id }));
  return { runs, skipped };
}

const isReadable = (run: StoredRun, kinds: readonly ReadableKind[]): boolean =>
  kinds.some(
    ({ component_type, ids }) =>
      component_type === run.component_type && (ids === "all" || ids.has(run.component_id)),
  );

/** Answers in the order of the questions. */
async function inWaves<T, R>(all: readonly T[], ask: (one: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  for (let from = 0; from < all.length; from += AT_A_TIME)
    answers.push(...(await Promise.all(all.slice(from, from + AT_A_TIME).map(ask))));
  return answers;
}
