import { type ForeignSpan, foreignSpanIn } from "../domain/traceparent.ts";
import type { StoredRun } from "../stores/runs/run-item.ts";
import { traceIdOf } from "../stores/traces/index.ts";

/** Where a run is exported to. */
export type ExportedPlace = {
  /** 32 hexadecimal digits. */
  readonly id: string;
  /** The parent of the root, in another system. */
  readonly parent?: ForeignSpan;
  /** What the root links to, in another system. */
  readonly link?: ForeignSpan;
};

/**
 * Where a run's spans are exported to, beside the span of another system that it was requested in: the root links to that span, or,
 * where the system is trusted, the spans are part of its trace and the root is its child.
 */
export function exportedTrace(
  { run_id, traceparent }: Pick<StoredRun, "run_id" | "traceparent">,
  isTrusted: boolean,
): ExportedPlace {
  const id = traceIdOf(run_id);
  const caller = foreignSpanIn(traceparent);
  if (!caller) return { id };
  return isTrusted ? { id: caller.trace_id, parent: caller } : { id, link: caller };
}
