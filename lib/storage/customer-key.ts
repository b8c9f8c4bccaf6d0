import { Aspects, type Stack } from "aws-cdk-lib";
import { CfnGlobalTable } from "aws-cdk-lib/aws-dynamodb";
import { type IRole, PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { type IKey, Key } from "aws-cdk-lib/aws-kms";
import { CfnLogGroup } from "aws-cdk-lib/aws-logs";
import { CfnQueue } from "aws-cdk-lib/aws-sqs";
import type { AppConfig } from "../config/config.ts";
import { removalOf } from "./removal.ts";

/** Services through which functions and schedules may use the key; they may not call KMS directly. */
const viaServices = ["dynamodb", "s3", "s3vectors", "sqs"];

/**
 * A key of the account's own for all stored, queued and logged data; undefined where AWS's own keys are used.
 *
 * @decided  It is retained with the data when its stack is deleted: without it the data could never be read again.
 */
export function createCustomerKey(stack: Stack, config: AppConfig): IKey | undefined {
  const { customerKey, stage, retained } = config;
  if (customerKey === "false") return undefined;
  // Its policy is the one that the stack wrote which made it.
  if (retained.key !== undefined) return Key.fromKeyArn(stack, "Key", retained.key);
  const key = new Key(stack, "Key", {
    alias: `alias/agent-platform-${stage}`,
    description: `Of the data of agent-platform ${stage}`,
    enableKeyRotation: true,
    removalPolicy: removalOf(config),
  });
  for (const statement of servicesOf(stack, stage)) key.addToResourcePolicy(statement);
  return key;
}

/**
 * Services that use the key as principals themselves.
 *
 * @source CloudWatch Logs user guide, "Encrypt log data"; S3 Vectors user guide, "Data protection"
 */
function servicesOf({ region, account, partition }: Stack, stage: string): PolicyStatement[] {
  const logGroups = `arn:${partition}:logs:${region}:${account}:log-group:agent-platform-${stage}*`;
  return [
    new PolicyStatement({
      principals: [new ServicePrincipal(`logs.${region}.amazonaws.com`)],
      actions: ["kms:Encrypt*", "kms:Decrypt*", "kms:ReEncrypt*", "kms:GenerateDataKey*", "kms:Describe*"],
      resources: ["*"],
      conditions: { ArnLike: { "kms:EncryptionContext:aws:logs:arn": logGroups } },
    }),
    new PolicyStatement({
      principals: [new ServicePrincipal("indexing.s3vectors.amazonaws.com")],
      actions: ["kms:Decrypt"],
      resources: ["*"],
      conditions: { StringEquals: { "aws:SourceAccount": account } },
    }),
  ];
}

/** Encrypts every table, queue and log group of a stack, including those added later. */
export function encryptWith(stack: Stack, key: IKey | undefined): void {
  if (!key) return;
  Aspects.of(stack).add({
    visit: (node) => {
      if (node instanceof CfnLogGroup) node.kmsKeyId = key.keyArn;
      if (node instanceof CfnQueue) node.kmsMasterKeyId = key.keyArn;
      if (node instanceof CfnGlobalTable) encryptTable(node, key);
    },
  });
}

/** The CDK's own property does not support stacks without a fixed region. */
function encryptTable(table: CfnGlobalTable, { keyArn }: IKey): void {
  table.sseSpecification = { sseEnabled: true, sseType: "KMS" };
  table.addPropertyOverride("Replicas.0.SSESpecification", { KMSMasterKeyId: keyArn });
}

/**
 * Lets a role use data that the key encrypts, through the services that store it.
 *
 * @source DynamoDB developer guide, "DynamoDB encryption at rest: usage notes"; SQS developer guide, "Key management"
 */
export function grantKey(role: IRole, key: IKey | undefined, region: string): void {
  if (!key) return;
  role.addToPrincipalPolicy(
    new PolicyStatement({
      actions: [
        "kms:Decrypt",
        "kms:DescribeKey",
        "kms:Encrypt",
        "kms:GenerateDataKey",
        "kms:ReEncryptFrom",
        "kms:ReEncryptTo",
      ],
      resources: [key.keyArn],
      conditions: {
        StringEquals: {
          "kms:ViaService": viaServices.map((service) => `${service}.${region}.amazonaws.com`),
        },
      },
    }),
  );
}
