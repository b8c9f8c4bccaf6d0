import { errorText } from "../../../shared/domain/runs/outcome-of-run.ts";
import type { Db } from "../../../shared/stores/db.ts";
import type { RunFacts, StoredEvent } from "../../../shared/stores/outbox/index.ts";
import { getRun, getRunHead } from "../../../shared/stores/runs/get-run.ts";
import { getTombstone } from "../../../shared/stores/sessions/tombstone.ts";

export type BodyOptions = { readonly include_content: boolean };

/** Largest body; a larger content is left out, and fetched where `path` says. */
const MAX_BODY_BYTES = 256_000;
/** Of an error text. */
const MAX_ERROR_CHARS = 4_000;

/**
 * What a message says of a run. A run that has gone on since then has other metrics and another answer by now, so these
 * are left out.
 *
 * @returns undefined when the run or its session was deleted
 */
export async function runData(
  db: Db,
  { subject, owner, occurred_at }: StoredEvent,
  facts: RunFacts,
  { include_content }: BodyOptions,
  now: number,
) {
  const at = { owner, session_id: facts.session_id, run_id: subject.id };
  const needsContent = include_content || facts.status === "ERROR";
  const [run, tombstone] = await Promise.all([
    (needsContent ? getRun : getRunHead)(db, at, now),
    getTombstone(db, facts.session_id),
  ]);
  if (!run || tombstone) return undefined;
  const isAsPublished = run.attempt === facts.attempt && run.status === facts.status;
  const data = {
    run_id: at.run_id,
    session_id: at.session_id,
    user_id: owner,
    component: { type: facts.component_type, id: facts.component_id },
    status: facts.status,
    attempt: facts.attempt,
    created_at: run.output.created_at,
    occurred_at,
    path: pathOf(at, facts),
    ...(facts.schedule_run && { schedule: facts.schedule_run }),
    ...(isAsPublished && run.output.metrics && { metrics: run.output.metrics }),
    ...(isAsPublished &&
      facts.status === "ERROR" && { error: errorText(run.output).slice(0, MAX_ERROR_CHARS) }),
  };
  if (!include_content || facts.status === "ERROR" || facts.status === "RUNNING") return data;
  if (!isAsPublished) return { ...data, content: null, content_omitted: "run_went_on" };
  const withContent = { ...data, content: run.output.content ?? null };
  return Buffer.byteLength(JSON.stringify(withContent)) <= MAX_BODY_BYTES
    ? withContent
    : { ...data, content: null, content_omitted: "too_large" };
}

/** Where the run is read, below the address of the service. */
const pathOf = (at: { run_id: string; session_id: string }, facts: RunFacts): string =>
  `/${facts.component_type}s/${encodeURIComponent(facts.component_id)}/runs/${at.run_id}?session_id=${encodeURIComponent(at.session_id)}`;
