import { Annotations, Stack } from "aws-cdk-lib";
import type { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import type { UserPool } from "aws-cdk-lib/aws-cognito";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { emptyManifest, type RegistryManifest } from "../shared/runtime/registry-manifest.ts";
import { misspelledSettings } from "../shared/settings/names.ts";
import type { GivenSettings } from "../shared/settings/table.ts";
import { createRegistryRecords, type DeclaredIds } from "./api/agent-registry.ts";
import { checkRegion } from "./config/check-region.ts";
import { readConfig } from "./config/config.ts";
import { ConfigError } from "./config/config-error.ts";
import type { ToolVpc } from "./config/tool-vpc.ts";
import { DIST } from "./functions/function-code.ts";
import { createDataStack, type Tables } from "./stacks/data-stack.ts";
import { limitRoles } from "./stacks/limit-roles.ts";
import { createServiceStack } from "./stacks/service-stack.ts";
import { createUserStack } from "./stacks/user-stack.ts";

/**
 * Settings of a deployment: the names and meanings of the context values, one by one in `docs/settings.md`. What is not
 * given is read from the context.
 */
export type AgentPlatformProps = GivenSettings & {
  /**
   * Network of yours that the functions which execute tools join: those of runs, the worker and the one of evaluations. Use
   * it, or the settings `vpcId`, `vpcSubnetIds` and `vpcSecurityGroupIds`. `docs/deploy.md` says what they must reach there.
   */
  readonly vpc?: ToolVpc | undefined;
};

/** What a build made. */
export type Built = {
  /** Folder with a folder for each function. */
  readonly dist: string;
  /** Secrets and permissions of the registry's tools. */
  readonly needs: RegistryManifest["needs"];
  /** Ids of the registry's components; none when absent. */
  readonly declared?: DeclaredIds;
};

/** How the CDK shall treat what is below: the context of the app may say otherwise for the rest of it. */
const cdkContext = {
  // A table that the service still uses cannot be removed from the data stack by mistake.
  "@aws-cdk/core:defaultCrossStackReferences": "strong",
  // Statements that differ in their resources alone become one. What is too large for the policy in a role becomes a managed one.
  "@aws-cdk/aws-iam:minimizePolicies": true,
};

/**
 * The platform as part of a CDK app: the stacks `Data` and `Service`, and `Users` with `userPool`. What it made can be read
 * here, and passed to other stacks of the app.
 *
 * @throws ConfigError naming every setting that is not usable, also an unknown one
 */
export class AgentPlatform extends Construct {
  /** Address at which clients reach it, without a slash at its end. */
  readonly url: string;
  readonly api: HttpApi;
  /** By name, such as `runs`, `jobs` and `sessions`. Their items are the platform's own: read them, and write by its API. */
  readonly tables: Tables;
  /** Wakes the workers. The jobs themselves are in a table, and are made by the API alone. */
  readonly runQueue: Queue;
  /** What no worker could finish. */
  readonly deadLetters: Queue;
  /** Name of the bucket for what is too large for an item. */
  readonly bucketName: string;
  /** By name, such as `runs`, `worker` and `authorizer`. */
  readonly functions: Readonly<Record<string, IFunction>>;
  /** The deployment's own users, with `userPool`. */
  readonly userPool: UserPool | undefined;

  /** @param built  the bundles, and what they were made from declares */
  constructor(scope: Construct, id: string, props: AgentPlatformProps, { dist, needs, declared }: Built) {
    super(scope, id);
    const context = { ...cdkContext, [DIST]: dist };
    for (const [name, value] of Object.entries(context)) this.node.setContext(name, value);
    const { vpc, ...settings } = props;
    const given: Readonly<Record<string, unknown>> = settings;
    const config = {
      ...readConfig((name) => given[name] ?? this.node.tryGetContext(name), Object.keys(given), needs),
      vpc,
    };
    if (vpc !== undefined && config.vpcId !== undefined)
      throw new ConfigError("the configuration is not usable: vpc: give it or vpcId, not both");
    checkRegion(this, config);
    // Where all of the context is the platform's own, unknown names were refused above.
    const others = Object.keys(this.node.getAllContext()).filter((name) => !(name in given));
    for (const warning of misspelledSettings(others))
      Annotations.of(this).addWarningV2("agent-platform:misspelledSetting", warning);
    const data = createDataStack(this, config);
    const users = createUserStack(this, config, data.key);
    const service = createServiceStack(this, config, data, users);
    const address = config.publicUrl ?? service.url;
    createRegistryRecords(Stack.of(service.api), config, address, declared ?? emptyManifest);
    limitRoles(this, config);
    this.url = service.url;
    this.api = service.api;
    this.tables = data.tables;
    this.runQueue = service.runQueue;
    this.deadLetters = service.deadLetters;
    this.bucketName = data.objects.bucketName;
    this.functions = service.functions;
    this.userPool = users?.pool;
  }
}
