import * as v from "valibot";
import { defineWorkflow, type Workflow } from "../../define/workflow.ts";
import type { Parts, StoredVersion } from "./build-settings.ts";
import { buildSteps } from "./build-steps.ts";
import type { Built } from "./built.ts";
import type { FindChild } from "./children.ts";
import { readSettings } from "./read-settings.ts";

const workflowEntries = {
  name: v.pipe(v.string(), v.nonEmpty()),
  description: v.string(),
  metadata: v.record(v.string(), v.unknown()),
};

/** The workflow that a stored version describes. @source contract, components-and-platform A7, A8 */
export async function buildWorkflow(
  { component, version }: StoredVersion,
  { registry }: Parts,
  find: FindChild,
): Promise<Built<Workflow>> {
  const plain = readSettings(version.config, workflowEntries);
  const steps = await buildSteps(version.config.steps, { registry, find });
  const value = defineWorkflow({
    name: component.name,
    ...plain.value,
    id: component.component_id,
    steps: steps.value,
    version: version.version,
  });
  return { value, errors: [...plain.errors, ...steps.errors] };
}
