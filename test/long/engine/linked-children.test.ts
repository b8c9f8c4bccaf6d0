import fc from "fast-check";
import { expect, test } from "vitest";
import { linkTargetsOf, type Target } from "../../../shared/domain/components/link-targets.ts";
import { buildComponent } from "../../../shared/engine/component/build/build-component.ts";
import { defineAgent } from "../../../shared/engine/define/agent.ts";
import { defineTeam } from "../../../shared/engine/define/team.ts";
import { defineWorkflow } from "../../../shared/engine/define/workflow.ts";
import { describeModels } from "../../../shared/engine/model/models.ts";
import type { ComponentRecord, VersionRecord } from "../../../shared/schemas/components/component-record.ts";
import type { Db } from "../../../shared/stores/db.ts";

/** Whatever a config says: what is built into a component, and so executed, is among what its writer must be able to run. */
const registry = {
  agents: [defineAgent({ id: "one", name: "One" })],
  teams: [defineTeam({ id: "two", name: "Two", members: [] })],
  workflows: [defineWorkflow({ id: "three", name: "Three", steps: [] })],
};
const parts = { registry, models: describeModels("scripted") };
/** Everything that the configs name is declared, so nothing is read. */
const noDb = {} as Db;

const id = fc.constantFrom("one", "two", "three");
const kind = fc.constantFrom(
  "Step",
  "Steps",
  "Parallel",
  "Loop",
  "Condition",
  "Router",
  "Teleport",
  "agent",
  "team",
);
const { node } = fc.letrec((tie) => ({
  list: fc.oneof({ depthSize: "small" }, fc.constant([]), fc.array(tie("node"), { maxLength: 3 })),
  node: fc.record(
    {
      type: kind,
      name: fc.string({ minLength: 1, maxLength: 3 }),
      agent_id: fc.oneof(id, fc.constant(null), fc.constant(7)),
      team_id: fc.oneof(id, fc.constant(null)),
      workflow_id: fc.oneof(id, fc.constant(null)),
      evaluator: fc.constant(true),
      steps: tie("list"),
      else_steps: tie("list"),
      choices: tie("list"),
      members: tie("list"),
    },
    { requiredKeys: [] },
  ),
}));
const config = fc.record({
  steps: fc.array(node, { maxLength: 3 }),
  members: fc.array(node, { maxLength: 3 }),
});

test.each(["agent", "team", "workflow"] as const)(
  "what is built into a stored %s is linked by it",
  async (type) => {
    let seen = 0;
    const property = fc.asyncProperty(config, async (content) => {
      const children: Target[] = [];
      const component = { component_id: "c", component_type: type, name: "C" } as ComponentRecord;
      const version = {
        component_id: "c",
        version: 1,
        config: content,
        links: [],
      } as unknown as VersionRecord;
      await buildComponent({ component, version }, parts, noDb, { onChild: (child) => children.push(child) });
      const linked = linkTargetsOf(type, version).map((target) => `${target.type} ${target.id}`);
      for (const child of children) expect(linked).toContain(`${child.type} ${child.id}`);
      seen += children.length;
    });
    await fc.assert(property, { numRuns: 500 });
    expect(seen > 0).toBe(type !== "agent");
  },
);
