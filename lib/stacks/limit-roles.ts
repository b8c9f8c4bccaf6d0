import { Stack } from "aws-cdk-lib";
import { ManagedPolicy, PermissionsBoundary } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import type { AppConfig } from "../config/config.ts";

/** Sets the configured permissions boundary on every role of the stacks below: no role may exceed that policy. */
export function limitRoles(scope: Construct, { permissionsBoundary }: AppConfig): void {
  if (permissionsBoundary === undefined) return;
  for (const stack of scope.node.children.filter((child) => Stack.isStack(child))) {
    const policy = ManagedPolicy.fromManagedPolicyArn(stack, "PermissionsBoundary", permissionsBoundary);
    PermissionsBoundary.of(stack).apply(policy);
  }
}
