import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { jobStatesDoc, jobStatesPath } from "../../scripts/job-states-doc.ts";

test("the picture of a job's states is the one that the transition table gives", () => {
  expect(readFileSync(jobStatesPath, "utf8")).toBe(jobStatesDoc());
});
