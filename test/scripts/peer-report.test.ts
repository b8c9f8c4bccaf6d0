import { expect, test } from "vitest";
import { judge, peerReport } from "../../scripts/conformance/peer/peer-report.ts";

const NAME = "tests/test_agents_routes.py::test_get_agents_list";
const KNOWN = "tests/test_mcp_routes.py::test_get_agentos_config";
const failed = { outcome: "failed", why: "assert 404 == 200\nmore" } as const;

test("a test of the peer that fails for a known reason differs, for no known one it fails", () => {
  expect(judge({ test: KNOWN, ...failed })).toMatchObject({ verdict: "differs" });
  expect(judge({ test: NAME, ...failed })).toEqual({ verdict: "failed", why: "assert 404 == 200" });
});

test("one that passes in spite of its reason fails, so that the list stays true", () => {
  expect(judge({ test: KNOWN, outcome: "passed", why: "" })).toMatchObject({ verdict: "failed" });
});

test("the report counts each file, and no tests at all is no success", () => {
  const { text, passed } = peerReport([
    { test: NAME, outcome: "passed", why: "" },
    { test: KNOWN, ...failed },
  ]);
  expect(passed).toBe(true);
  expect(text).toMatch(/test_agents_routes +1 +0 +0 +0/);
  expect(text).toContain("differs test_mcp_routes.py::test_get_agentos_config");
  expect(peerReport([]).passed).toBe(false);
});
