import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import type { AppConfig } from "../config/config.ts";
import { type Access, modelAccess } from "./model-access.ts";

/** What the tools of the registry declare: their secrets to read, and their permissions. */
export function toolAccess(
  scope: Construct,
  { toolNeeds, toolSecrets }: Pick<AppConfig, "toolNeeds" | "toolSecrets">,
): Access {
  const secrets = Object.values(toolSecrets).map(({ secret }) => secret);
  const declared = toolNeeds.flatMap(({ name, permissions }) =>
    permissions.map((permission) => ({ name, ...permission })),
  );
  return {
    statements: [
      ...modelAccess(scope, { specs: [], secrets }).statements,
      ...declared.map(({ actions, resources }) => new PolicyStatement({ actions, resources })),
    ],
    // A part of a resource, such as the objects of one bucket, may stand for many: the declaration says which.
    acknowledged: Object.fromEntries(
      declared.flatMap(({ name, resources }) =>
        resources
          .filter((resource) => resource.includes("*"))
          .map((resource) => [`AwsSolutions-IAM5[Resource::${resource}]`, `Declared by ${name}.`]),
      ),
    ),
  };
}
