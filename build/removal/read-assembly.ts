import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import type { StageStack } from "./removal-plan.ts";

const Manifest = v.object({
  artifacts: v.record(
    v.string(),
    v.looseObject({
      type: v.string(),
      displayName: v.optional(v.string()),
      dependencies: v.optional(v.array(v.string()), []),
      properties: v.optional(
        v.looseObject({ templateFile: v.optional(v.string()), stackName: v.optional(v.string()) }),
        {},
      ),
    }),
  ),
});
const Template = v.object({
  Resources: v.record(
    v.string(),
    v.looseObject({ Type: v.string(), DeletionPolicy: v.optional(v.string()) }),
  ),
});

/**
 * The stacks that the CDK has synthesized into a folder, each after those that it uses.
 *
 * @source the CDK's cloud assembly, `manifest.json`
 */
export function readAssembly(folder: string): StageStack[] {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), "utf8"));
  const { artifacts } = v.parse(Manifest, read("manifest.json"));
  const ordered: string[] = [];
  const visit = (id: string): void => {
    if (ordered.includes(id)) return;
    for (const used of artifacts[id]?.dependencies ?? []) visit(used);
    ordered.push(id);
  };
  for (const id of Object.keys(artifacts)) visit(id);
  return ordered.flatMap((id) => {
    const { type, displayName = id, properties } = artifacts[id] ?? {};
    if (type !== "aws:cloudformation:stack" || properties?.templateFile === undefined) return [];
    const { Resources } = v.parse(Template, read(properties.templateFile));
    return [{ id: displayName, name: properties.stackName ?? id, resources: Resources }];
  });
}
