import { readFileSync } from "node:fs";
import { join } from "node:path";

type Values = Readonly<Record<string, unknown>>;

/** The parts of a template that a nested stack takes part in. */
export type StackTemplate = {
  readonly Resources?: Readonly<Record<string, StackResource>>;
  readonly Parameters?: Values;
  readonly Outputs?: Values;
};

type StackResource = {
  readonly Type: string;
  readonly Properties?: Values;
  readonly Metadata?: Values;
};

const NESTED = "AWS::CloudFormation::Stack";

/**
 * A template with the resources of its nested stacks in place of references to them: what a deployment creates, for those
 * who read it as one. The nested stacks themselves stay among the resources.
 *
 * @param folder  the cloud assembly that it is in
 * @throws Error if a resource of a nested stack has the logical id of another one
 */
export function wholeTemplate<T extends StackTemplate>(template: T, folder: string): T {
  const nested = Object.entries(template.Resources ?? {}).filter(([, { Type }]) => Type === NESTED);
  const resources: Record<string, StackResource> = { ...template.Resources };
  const outputs = new Map<string, unknown>();
  for (const [stackId, stack] of nested) {
    const file = String(stack.Metadata?.["aws:asset:path"]);
    const inner = wholeTemplate(readTemplate(join(folder, file)), folder);
    const given = Object(stack.Properties?.Parameters) as Values;
    const fill = (value: unknown) => replaceIn(value, (node) => given[String(node.Ref)]);
    for (const [id, resource] of Object.entries(inner.Resources ?? {})) {
      if (id in resources) throw new Error(`${id} is in the template and in its nested stack ${stackId}`);
      resources[id] = fill(resource) as StackResource;
    }
    for (const [name, output] of Object.entries(inner.Outputs ?? {})) {
      outputs.set(`${stackId}.Outputs.${name}`, fill((output as { readonly Value: unknown }).Value));
    }
  }
  if (nested.length === 0) return template;
  const whole = { ...template, Resources: resources };
  return replaceIn(whole, (node) => outputs.get(attributeIn(node))) as T;
}

const readTemplate = (file: string): StackTemplate => JSON.parse(readFileSync(file, "utf8"));

const attributeIn = (node: Values): string => {
  const path = node["Fn::GetAtt"];
  return Array.isArray(path) ? path.join(".") : String(path);
};

/** A copy in which each intrinsic function for which there is a value is that value. */
function replaceIn(value: unknown, found: (node: Values) => unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => replaceIn(entry, found));
  if (typeof value !== "object" || value === null) return value;
  const node = value as Values;
  const replaced = Object.keys(node).length === 1 ? found(node) : undefined;
  if (replaced !== undefined) return replaced;
  return Object.fromEntries(Object.entries(node).map(([key, entry]) => [key, replaceIn(entry, found)]));
}
