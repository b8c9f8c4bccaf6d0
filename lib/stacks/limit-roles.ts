import { type App, Stack } from "aws-cdk-lib";
import { ManagedPolicy, PermissionsBoundary } from "aws-cdk-lib/aws-iam";
import type { AppConfig } from "../config/config.ts";

/** Sets the configured permissions boundary on every role of the app: no role may exceed that policy. */
export function limitRoles(app: App, { permissionsBoundary }: AppConfig): void {
  if (permissionsBoundary === undefined) return;
  for (const stack of app.node.children.filter((child) => Stack.isStack(child))) {
    const policy = ManagedPolicy.fromManagedPolicyArn(stack, "PermissionsBoundary", permissionsBoundary);
    PermissionsBoundary.of(stack).apply(policy);
  }
}
