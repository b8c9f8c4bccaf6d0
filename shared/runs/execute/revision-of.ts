import type { Runnable } from "../../engine/define/runnable.ts";
import type { StoredJob } from "../../stores/jobs/job-item.ts";
import type { WorkerDeps } from "./worker-deps.ts";

/** The revision that code declares for a component, as text; undefined for none. */
export const revisionOf = ({ revision }: Runnable): string | undefined =>
  revision === undefined ? undefined : String(revision);

/**
 * The revision of a job's component in this code. Read before the run is marked as RUNNING, so that it is recorded with
 * the same write: looking up what code declares takes no request.
 *
 * @returns null where none is declared; also for a stored component, which is known by its version
 */
export async function declaredRevision(
  { findRunnable }: Pick<WorkerDeps, "findRunnable">,
  { component_type, component_id, payload }: StoredJob,
): Promise<string | null> {
  if (payload.version !== undefined) return null;
  const declared = await findRunnable(component_type, component_id, { pinned: undefined });
  return (declared && revisionOf(declared)) ?? null;
}
