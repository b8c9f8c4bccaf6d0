import { expect, test } from "vitest";
import { revisionProblem } from "../../shared/domain/runs/revision-problem.ts";

const begun = { code_version: "7", hasCheckpoint: true };

test.each([
  ["nothing was saved", { ...begun, hasCheckpoint: false }, undefined],
  ["its component is stored, at a version", { ...begun, component_version: 3 }, undefined],
  ["the revision is the same", { ...begun, revision: "1" }, "1"],
])("a run whose code is gone goes on when %s", (_, run, revision) => {
  expect(revisionProblem(run, "agent a", revision)).toBeUndefined();
});

test.each([
  ["another revision", { ...begun, revision: "1" }, "2", /which was at revision 1 .* is at revision 2 now/],
  ["none declared any more", { ...begun, revision: "1" }, undefined, /revision 1 .* declares none now/],
  ["none declared then", begun, "1", /declared no revision then/],
])("it does not with %s, and the reason names version, setting and way out", (_, run, revision, text) => {
  const problem = revisionProblem(run, "agent a", revision);
  expect(problem).toMatch(text);
  expect(problem).toMatch(/version 7.*RUN_PIN_DAYS.*Requeue/);
});
