import { isDeepStrictEqual } from "node:util";
import type { Answer, Asked } from "./imitation.ts";
import { inOrder, type References, resolved, type Template, type TemplateResource } from "./template.ts";

/** A resource as it is there. */
type Held = {
  readonly type: string;
  readonly name: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly ref: string;
  /** Of a function: where its code is. */
  readonly folder?: string | undefined;
  /** Attributes that a custom resource answered with. */
  readonly data?: Readonly<Record<string, string>> | undefined;
};

/** A stack as it was deployed last. */
export type Stack = {
  readonly name: string;
  template: Template;
  readonly resources: Map<string, Held>;
  /** Resources that were made; their names end with it, since what is retained keeps its name. */
  made: number;
};

export type CustomRequest = {
  readonly RequestType: "Create" | "Update" | "Delete";
  readonly LogicalResourceId: string;
  readonly StackId: string;
  readonly ResourceProperties: Readonly<Record<string, unknown>>;
};

/** What a stack is deployed to. */
export type Cloud = {
  readonly ask: (asked: Asked) => Promise<Answer>;
  /** Calls the function of a custom resource. @returns what it answers with @throws Error with its reason */
  readonly call: (request: CustomRequest) => Promise<Readonly<Record<string, string>>>;
  /** Called with each resource that was made. */
  readonly report: (type: string, answer: Answer) => void;
  /** Exports of all stacks. */
  readonly exports: Map<string, unknown>;
};

export const newStack = (name: string): Stack => ({
  name,
  template: { Resources: {} },
  resources: new Map(),
  made: 0,
});

/** Its resources are among those of the stack that it is in. */
const NESTED = "AWS::CloudFormation::Stack";
const CUSTOM = "AWS::CloudFormation::CustomResource";
/** A resource of the rehearsal that no service can make. */
export const FAILURE = "Rehearsal::Failure";

/**
 * Deploys a template as CloudFormation does: each resource after those that it needs, only what differs, what the template no
 * longer has at the end. A failure restores the resources as they were, and removes those that were made unless they are
 * retained.
 *
 * @throws Error with the reason of the failure, after the rollback
 */
export async function deployStack(stack: Stack, template: Template, cloud: Cloud): Promise<void> {
  const before = { template: stack.template, ids: new Set(stack.resources.keys()) };
  try {
    await applyInOrder(stack, template, cloud);
  } catch (error) {
    await rollBack(stack, template, before, cloud);
    throw error;
  }
  await removeMissing(stack, template, cloud);
  stack.template = template;
  await exportOutputs(stack, cloud);
}

/** Deletes a stack: each resource before those that it needs; what is retained stays. @returns the ids of what stays */
export async function deleteStack(stack: Stack, cloud: Cloud): Promise<readonly string[]> {
  const { template } = stack;
  await removeMissing(stack, { Resources: {} }, cloud);
  const stays = Object.entries(template.Resources).filter(([, resource]) => isRetained(resource));
  return stays.map(([id]) => id);
}

async function applyInOrder(stack: Stack, template: Template, cloud: Cloud): Promise<void> {
  const references = referencesOf(stack, cloud);
  for (const id of inOrder(template)) {
    const resource = template.Resources[id];
    if (resource) await applyResource(stack, id, resource, references, cloud);
  }
}

async function applyResource(
  stack: Stack,
  id: string,
  { Type: type, Properties = {}, Metadata }: TemplateResource,
  references: References,
  cloud: Cloud,
): Promise<void> {
  if (type === FAILURE) throw new Error("a resource that no service can make");
  // `AWS::NoValue` and what the imitation does not know are undefined, and left out.
  const properties = JSON.parse(JSON.stringify(await resolved(Properties, references)));
  const held = stack.resources.get(id);
  if (held && isDeepStrictEqual(held.properties, properties)) return;
  if (type === CUSTOM) {
    const request = requestOf(stack, id, held ? "Update" : "Create", properties);
    const data = await cloud.call(request);
    stack.resources.set(id, { type, name: id, properties, ref: id, data });
    cloud.report(type, { known: true });
    return;
  }
  if (!held) stack.made += 1;
  const name = held?.name ?? nameOf(stack, id, properties);
  const answer =
    type === NESTED
      ? { known: true }
      : await cloud.ask({ do: held ? "update" : "create", id, type, name, properties });
  cloud.report(type, answer);
  // What the imitation refuses is for the report; the rest of the stack is tried all the same.
  const isKnown = answer.refused === undefined && answer.ref !== undefined;
  if (type === "AWS::Lambda::Version" && !isKnown) throw new Error(answer.refused ?? type);
  const code = Metadata?.["aws:asset:path"];
  const folder = code === undefined ? undefined : String(code);
  stack.resources.set(id, { type, name, properties, folder, ref: (isKnown && answer.ref) || name });
}

async function rollBack(
  stack: Stack,
  failed: Template,
  before: { readonly template: Template; readonly ids: ReadonlySet<string> },
  cloud: Cloud,
): Promise<void> {
  await applyInOrder(stack, before.template, cloud);
  for (const id of inOrder(failed).toReversed()) {
    const resource = failed.Resources[id];
    if (before.ids.has(id) || resource === undefined) continue;
    if (resource.DeletionPolicy === "Retain") stack.resources.delete(id);
    else await removeResource(stack, id, cloud);
  }
}

async function removeMissing(stack: Stack, template: Template, cloud: Cloud): Promise<void> {
  for (const id of inOrder(stack.template).toReversed()) {
    const resource = stack.template.Resources[id];
    if (id in template.Resources || resource === undefined) continue;
    if (isRetained(resource)) stack.resources.delete(id);
    else await removeResource(stack, id, cloud);
  }
}

async function removeResource(stack: Stack, id: string, cloud: Cloud): Promise<void> {
  const held = stack.resources.get(id);
  if (!held) return;
  if (held.type === CUSTOM) await cloud.call(requestOf(stack, id, "Delete", held.properties));
  else await cloud.ask({ do: "delete", id, ...held });
  stack.resources.delete(id);
}

const isRetained = ({ DeletionPolicy = "Delete" }: TemplateResource): boolean =>
  DeletionPolicy.startsWith("Retain");

const requestOf = (
  { name }: Stack,
  id: string,
  RequestType: CustomRequest["RequestType"],
  ResourceProperties: CustomRequest["ResourceProperties"],
): CustomRequest => ({ RequestType, LogicalResourceId: id, StackId: stackId(name), ResourceProperties });

async function exportOutputs(stack: Stack, cloud: Cloud): Promise<void> {
  const references = referencesOf(stack, cloud);
  for (const { Value, Export } of Object.values(stack.template.Outputs ?? {}))
    if (Export)
      cloud.exports.set(String(await resolved(Export.Name, references)), await resolved(Value, references));
}

const ACCOUNT = "123456789012";
const REGION = "eu-west-1";
const stackId = (name: string): string =>
  `arn:aws:cloudformation:${REGION}:${ACCOUNT}:stack/${name}/0b5f3a1c-0000-4000-8000-000000000000`;

const pseudo = ({ name }: Stack): Readonly<Record<string, unknown>> => ({
  "AWS::AccountId": ACCOUNT,
  "AWS::Region": REGION,
  "AWS::Partition": "aws",
  "AWS::StackId": stackId(name),
  "AWS::StackName": name,
  "AWS::URLSuffix": "amazonaws.com",
  "AWS::NoValue": undefined,
});

function referencesOf(stack: Stack, cloud: Cloud): References {
  const parameters = pseudo(stack);
  const heldOf = (id: string): Held => {
    const held = stack.resources.get(id);
    if (!held) throw new Error(`${id} is referred to, and is no resource of ${stack.name}`);
    return held;
  };
  return {
    ref: async (id) => (id in parameters ? parameters[id] : heldOf(id).ref),
    async attribute(id, name) {
      const held = heldOf(id);
      if (held.data) return held.data[name];
      const { value, refused } = await cloud.ask({ do: "attribute", id, name });
      return refused === undefined && value != null ? value : standIn(held, name);
    },
    imported: (name) => cloud.exports.get(name),
  };
}

/** An attribute of what the imitation does not have. */
const standIn = ({ type, name }: Held, attribute: string): string =>
  attribute.endsWith("Arn")
    ? `arn:aws:${type.split("::")[1]?.toLowerCase()}:${REGION}:${ACCOUNT}:${name}`
    : attribute.endsWith("Url") || attribute.endsWith("Endpoint")
      ? `https://${name.toLowerCase()}.example`
      : `${name}-${attribute}`;

/** Its own name, or one as CloudFormation gives it. */
function nameOf({ name, made }: Stack, id: string, properties: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(properties).find(
    ([key, value]) => typeof value === "string" && /^(Name|\w+Name)$/.test(key) && key !== "FunctionName",
  );
  if (given) return String(given[1]);
  const end = `-${made}${properties.FifoQueue === true ? ".fifo" : ""}`;
  return `${name}-${id}`.slice(0, 64 - end.length) + end;
}
