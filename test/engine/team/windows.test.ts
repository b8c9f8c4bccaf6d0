import { expect, test } from "vitest";
import { storedResultsOf } from "../../../shared/stores/runs/stored-results.ts";
import { objectsInMemory } from "../../support/objects-in-memory.ts";
import { scripted } from "../support/run-agent.ts";
import { agentWith, lookingUp, SESSION, strictModel, tokensOf } from "../support/strict-model.ts";
import { aMember, aTeam, playOut } from "./support.ts";

test("a leader and a member whose model takes less are each shown what fits", async () => {
  const windows: Readonly<Record<string, number>> = { "openai:large": 16_000, "openai:small": 4_096 };
  const small = strictModel(lookingUp(24), windows["openai:small"]);
  const report = "All is well. ".repeat(300);
  const large = strictModel(
    (step) =>
      step < 16 ? ["delegate_task_to_member", { member_id: "ann", task: `${report}${step}` }] : undefined,
    windows["openai:large"],
  );
  const member = aMember("ann", { ...agentWith(600), id: "ann", name: "ANN", model: "openai:small" });
  const { outcome } = await playOut(aTeam({ members: [member], model: "openai:large" }), "go", {
    models: {
      ...scripted(),
      resolve: (spec) => (spec === "openai:small" ? small : large).models.resolve(),
      windowOf: (spec = "") => ({ tokens: windows[spec] ?? 0 }),
    },
    results: storedResultsOf({ objects: objectsInMemory() }, SESSION),
  });
  expect(outcome.output).toMatchObject({ status: "COMPLETED", content: "Done." });
  expect([...small.refused, ...large.refused]).toEqual([]);
  expect(large.prompts.some((prompt) => tokensOf(prompt) > 4_096)).toBe(true);
  const [first] = outcome.output.member_responses ?? [];
  expect(first?.metrics?.additional_metrics?.context?.folds?.length).toBeGreaterThan(0);
  expect(outcome.output.metrics?.additional_metrics?.context?.folds?.length).toBeGreaterThan(0);
});
