import { isAbsolute, join } from "node:path";
import { StartupError } from "../startup-error.ts";
import { accountId, arnOf, attributeOf, generatedName, namePropertyOf, refOf, region } from "./names.ts";
import type { Resource, Stack } from "./stack.ts";

/**
 * Resolves the references of all stacks.
 *
 * @param awsAddress  address of the local AWS endpoint; queue URLs start with it
 * @throws StartupError for an unknown reference, or an intrinsic function of CloudFormation that is not supported
 */
export function resolveStacks(stacks: readonly Stack[], awsAddress: string): Resource[] {
  return stacks.flatMap((stack) => {
    const resolve = resolverOf(stack, stacks, awsAddress);
    return Object.entries(stack.template.Resources ?? {}).map(([id, resource]) => {
      const name = nameOf(stack, id, resolve);
      const path = resource.Metadata?.["aws:asset:path"];
      return {
        type: resource.Type,
        id,
        name,
        arn: arnOf(resource.Type, name),
        properties: asRecord(resolve(resource.Properties ?? {})),
        ...(typeof path === "string" && {
          assetPath: isAbsolute(path) ? path : join(stack.assetFolder, path),
        }),
        settings: resource.Metadata?.["agent-platform:settings"],
      };
    });
  });
}

type Resolve = (value: unknown) => unknown;

function resolverOf(stack: Stack, stacks: readonly Stack[], awsAddress: string): Resolve {
  const resolve: Resolve = (value) => {
    if (Array.isArray(value)) return value.map(resolve).filter((entry) => entry !== undefined);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value);
    const [key, argument] = entries[0] ?? [];
    if (entries.length === 1 && (key === "Ref" || key?.startsWith("Fn::"))) return call(key, argument);
    return Object.fromEntries(entries.map(([name, entry]) => [name, resolve(entry)]));
  };

  const call = (name: string, argument: unknown): unknown => {
    switch (name) {
      case "Ref":
        return reference(String(argument));
      case "Fn::GetAtt":
        return attribute(Array.isArray(argument) ? argument.join(".") : String(argument));
      case "Fn::Join": {
        const [separator, parts] = asList(argument);
        return asList(resolve(parts)).join(String(separator));
      }
      case "Fn::Split": {
        const [separator, text] = asList(argument);
        return String(resolve(text)).split(String(separator));
      }
      case "Fn::Select": {
        const [index, list] = asList(argument);
        return asList(resolve(list))[Number(index)];
      }
      case "Fn::Sub":
        return substitute(argument);
      case "Fn::ImportValue":
        return exported(String(resolve(argument)));
      default:
        throw new StartupError(`${stack.name} uses ${name}, which the local platform does not support.`);
    }
  };

  const reference = (id: string): unknown => {
    const pseudo = pseudoParameters(stack);
    if (id in pseudo) return pseudo[id];
    const resource = stack.template.Resources?.[id];
    if (resource) {
      const functionName = resolve(resource.Properties?.FunctionName);
      return refOf(resource, nameOf(stack, id, resolve), awsAddress, functionName);
    }
    const parameter = stack.template.Parameters?.[id];
    if (parameter) return parameter.Default;
    throw new StartupError(`${stack.name} refers to ${id}, which does not exist in it.`);
  };

  const attribute = (path: string): string => {
    const [id = "", ...rest] = path.split(".");
    const resource = stack.template.Resources?.[id];
    if (!resource) throw new StartupError(`${stack.name} refers to ${path}, but has no ${id}.`);
    return attributeOf(resource, nameOf(stack, id, resolve), rest.join("."));
  };

  const substitute = (argument: unknown): string => {
    const [text, variables] = Array.isArray(argument) ? argument : [argument, {}];
    const values = asRecord(variables);
    return String(text).replace(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
      if (literal) return `\${${name}}`;
      if (name in values) return String(resolve(values[name]));
      return String(name.includes(".") ? attribute(name) : reference(name));
    });
  };

  const exported = (name: string): unknown => {
    for (const other of stacks) {
      const resolveOther = other === stack ? resolve : resolverOf(other, stacks, awsAddress);
      for (const output of Object.values(other.template.Outputs ?? {})) {
        if (output.Export && resolveOther(output.Export.Name) === name) return resolveOther(output.Value);
      }
    }
    throw new StartupError(`${stack.name} imports ${name}, which no stack exports.`);
  };

  return resolve;
}

function nameOf(stack: Stack, id: string, resolve: Resolve): string {
  const resource = stack.template.Resources?.[id];
  const type = resource?.Type ?? "";
  const explicitName = resource?.Properties?.[namePropertyOf(type)];
  return explicitName === undefined ? generatedName(type, stack.name, id) : String(resolve(explicitName));
}

function pseudoParameters(stack: Stack): Readonly<Record<string, unknown>> {
  return {
    "AWS::AccountId": accountId,
    "AWS::Region": region,
    "AWS::Partition": "aws",
    "AWS::URLSuffix": "amazonaws.com",
    "AWS::StackName": stack.name,
    "AWS::StackId": `arn:aws:cloudformation:${region}:${accountId}:stack/${stack.name}/local`,
    "AWS::NoValue": undefined,
  };
}

const asList = (value: unknown): unknown[] => {
  if (Array.isArray(value)) return value;
  throw new StartupError(`A list is missing in the template: ${JSON.stringify(value)}`);
};

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
