import { expect, test } from "vitest";
import { matchesFilter } from "../../shared/domain/jobs/job-filter.ts";
import { aJob, T0 } from "../support/records.ts";

const failed = aJob({ status: "failed", error: "upstream timed out", completed_at: T0 });
const cancelled = aJob({ status: "cancelled", completed_at: T0 });

test.each([
  { filter: { statuses: ["failed"] }, job: failed, matches: true },
  { filter: { statuses: ["cancelled"] }, job: failed, matches: false },
  { filter: { statuses: ["failed"], component_id: "assistant" }, job: failed, matches: true },
  { filter: { statuses: ["failed"], component_id: "other" }, job: failed, matches: false },
  { filter: { statuses: ["failed"], error_contains: "timed" }, job: failed, matches: true },
  { filter: { statuses: ["failed"], error_contains: "Timed" }, job: failed, matches: false },
  { filter: { statuses: ["cancelled"], error_contains: "x" }, job: cancelled, matches: false },
] as const)("$filter on a job that is $job.status: $matches", ({ filter, job, matches }) => {
  expect(matchesFilter(job, filter)).toBe(matches);
});
