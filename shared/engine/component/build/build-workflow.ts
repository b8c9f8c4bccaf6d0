import * as v from "valibot";
import { defineWorkflow, type Workflow } from "../../define/workflow.ts";
import { inputEntries } from "./agent-entries.ts";
import type { Parts, StoredVersion } from "./build-settings.ts";
import { buildSteps } from "./build-steps.ts";
import { type Built, faultsOf } from "./built.ts";
import { CallbackEntry } from "./callback-entry.ts";
import type { FindChild } from "./children.ts";
import { readSettings } from "./read-settings.ts";
import { resolveInputSchema } from "./resolve-schema.ts";

/** The plain settings of workflows that the engine knows. */
export const workflowEntries = {
  ...inputEntries,
  name: v.pipe(v.string(), v.nonEmpty()),
  description: v.string(),
  metadata: v.record(v.string(), v.unknown()),
  callback: CallbackEntry,
  add_workflow_history_to_steps: v.boolean(),
  num_history_runs: v.pipe(v.number(), v.integer(), v.minValue(0)),
};

/** The workflow that a stored version describes. */
export async function buildWorkflow(
  { component, version }: StoredVersion,
  { registry }: Parts,
  find: FindChild,
): Promise<Built<Workflow>> {
  const { config } = version;
  const plain = readSettings(config, workflowEntries);
  const input_schema = await resolveInputSchema(config.input_schema, registry);
  const steps = await buildSteps(config.steps, "steps", { registry, find });
  const value = defineWorkflow({
    name: component.name,
    ...plain.value,
    id: component.component_id,
    ...(input_schema.schema && { input_schema: input_schema.schema }),
    steps: steps.value,
    version: version.version,
  });
  return { value, faults: [...plain.faults, ...faultsOf({ input_schema }), ...steps.faults] };
}
