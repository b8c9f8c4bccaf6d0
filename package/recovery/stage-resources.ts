import { forEachTable, type TableName } from "../../shared/settings/table-env.ts";
import { type AwsApi, AwsError } from "../doctor/aws/aws-api.ts";
import { type DeployedStack, readStack } from "../doctor/aws/deployed-stack.ts";
import { RecoveryError } from "./recovery-error.ts";

/** What a deployed stage consists of, by the names under which AWS knows it. */
export type StageResources = {
  readonly stage: string;
  readonly region: string;
  readonly tables: Readonly<Record<TableName, string>>;
  /** Bucket for data too large for an item. */
  readonly bucket: string;
  /** Whether vectors are in S3 Vectors and not in a table. */
  readonly hasVectorBucket: boolean;
  readonly functions: readonly string[];
  /** Ids of event source mappings. */
  readonly mappings: readonly string[];
  /** Functions that a timer invokes and that bring queues and schedules in step with the tables. */
  readonly sweeper: string;
  readonly scheduleReconcile: string;
};

/** @throws RecoveryError where the stage, or a part of it, is not in this account and region */
export async function stageResources(aws: AwsApi, stage: string): Promise<StageResources> {
  const data = await stackNamed(aws, `agent-platform-${stage}-data`);
  const service = await stackNamed(aws, `agent-platform-${stage}`);
  const one = ({ resources }: DeployedStack, type: string, id: string): string => {
    const found = resources.find((resource) => resource.type === type && withoutHash(resource.id) === id);
    if (found) return found.name;
    throw new RecoveryError(`The stage ${stage} has no ${id} (${type}): deploy this version of it first.`);
  };
  const named = (type: string): string[] =>
    service.resources.filter((resource) => resource.type === type).map(({ name }) => name);
  return {
    stage,
    region: aws.region,
    tables: forEachTable((name) => one(data, "AWS::DynamoDB::GlobalTable", tableId(name))),
    bucket: one(data, "AWS::S3::Bucket", "Objects"),
    hasVectorBucket: data.resources.some(({ type }) => type === "AWS::S3Vectors::VectorBucket"),
    functions: named("AWS::Lambda::Function"),
    mappings: named("AWS::Lambda::EventSourceMapping"),
    sweeper: one(service, "AWS::Lambda::Function", "Sweeper"),
    scheduleReconcile: one(service, "AWS::Lambda::Function", "ScheduleReconcile"),
  };
}

async function stackNamed(aws: AwsApi, name: string): Promise<DeployedStack> {
  try {
    return await readStack(aws, name);
  } catch (error) {
    if (!(error instanceof AwsError && error.code === "ValidationError")) throw error;
    throw new RecoveryError(`There is no stack ${name} in this account and region (${aws.region}).`);
  }
}

/** The CDK ends ids in eight digits of a checksum. */
const withoutHash = (id: string): string => id.replace(/[0-9A-F]{8}$/, "");

/** The table's id in the template: `service_accounts` is `ServiceAccounts`. */
const tableId = (name: TableName): string =>
  name
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
