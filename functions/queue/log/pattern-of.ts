/**
 * Finds the lines of a run: those that name it, by whichever of its ids, and records of what was done to it. Figures
 * (`_aws`) have lines of their own, which are no messages; requests that only read would bury the others.
 *
 * @param runId  letters, digits and dashes, as the ids of runs are
 */
export function patternOf(runId: string): string {
  const named = ["$.run_id", "$.job_id", "$.target.run_id", "$.target.job_id"];
  const about = named.map((field) => `(${field} = "${runId}")`).join(" || ");
  return `{ (${about}) && ($._aws NOT EXISTS) && (($.method NOT EXISTS) || ($.method != "GET")) }`;
}
