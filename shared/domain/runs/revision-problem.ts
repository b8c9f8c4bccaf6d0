/** A run whose own version of the code is gone. */
export type Stranded = {
  /** The version that it began with. */
  readonly code_version: string;
  /** Whether there is a checkpoint, which the other version wrote. */
  readonly hasCheckpoint: boolean;
  /** Set for a stored component: its configuration is the one that the run began with, whatever the code. */
  readonly component_version?: number | undefined;
  /** The component's revision as the version declared it that executed the run last. */
  readonly revision?: string | undefined;
};

/**
 * Why the current code may not go on with a run; undefined when it may.
 *
 *   no checkpoint                         → may: it begins anew, nothing of the other version is taken over
 *   stored component                      → may: its numbered version is its revision
 *   declared in code, the same revision   → may: whoever declares it answers for that
 *   another revision, or none declared    → may not: whether the code fits the checkpoint is not known
 *
 * @param component  how the error names it
 * @param revision   what the current code declares
 */
export function revisionProblem(
  run: Stranded,
  component: string,
  revision: string | undefined,
): string | undefined {
  if (!run.hasCheckpoint || run.component_version !== undefined) return undefined;
  if (run.revision !== undefined && run.revision === revision) return undefined;
  return (
    `the code that this run began with (version ${run.code_version}) is not kept any more (RUN_PIN_DAYS), ` +
    `and ${difference(component, run.revision, revision)}. ` +
    "Requeue the job to go on with the current code all the same."
  );
}

function difference(component: string, began: string | undefined, revision: string | undefined): string {
  if (began === undefined) return `${component} declared no revision then that could be compared`;
  const now = revision === undefined ? "declares none now" : `is at revision ${revision} now`;
  return `${component}, which was at revision ${began} when the run began, ${now}`;
}
