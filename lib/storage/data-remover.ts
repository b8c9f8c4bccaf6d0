import { CfnCustomResource, type CfnElement, Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { dataRemoverEnv } from "../../shared/settings/environments.ts";
import { acknowledge } from "../config/acknowledge.ts";
import type { AppConfig } from "../config/config.ts";
import { environmentFor } from "../functions/environment.ts";
import { createServiceFunction } from "../functions/service-function.ts";
import type { Objects } from "./objects-bucket.ts";
import type { VectorBucket } from "./vector-bucket.ts";

/** The most that Lambda allows; thousands of objects are deleted in a minute. */
const TIMEOUT_MINUTES = 15;
const ANSWER_SECONDS = 60;

/**
 * Empties the buckets of a disposable stage before CloudFormation deletes them. Stages that keep their data have no
 * function that could delete it.
 *
 * The custom resource and its id stay as they are from version to version: CloudFormation would take another one for a
 * removal, and the function would empty buckets that are in use. `test/infra/stateful-resources.json` has it.
 */
export function createDataRemover(
  stack: Stack,
  config: AppConfig,
  { objects, vectorBucket }: { readonly objects: Objects; readonly vectorBucket: VectorBucket | undefined },
): void {
  // What is on one machine is removed with its folder.
  if (!config.disposable || config.stage === "local") return;
  const { bucket } = objects;
  const vectors = vectorBucket?.bucket;
  const remover = createServiceFunction(stack, "DataRemover", config, {
    bundle: "data-remover",
    description: "Empties the buckets when this stack is deleted",
    timeoutSeconds: TIMEOUT_MINUTES * 60,
    memoryMb: 256,
    environment: environmentFor(dataRemoverEnv, {
      POWERTOOLS_SERVICE_NAME: "data-remover",
      OBJECTS_BUCKET: bucket.bucketName,
      VECTOR_BUCKET: vectors?.vectorBucketName,
    }),
  });
  const allow = (action: string, resource: string) =>
    remover.addToRolePolicy(new PolicyStatement({ actions: [action], resources: [resource] }));
  allow("s3:ListBucket", bucket.bucketArn);
  allow("s3:DeleteObject", bucket.arnForObjects("*"));
  if (vectors) {
    allow("s3vectors:ListIndexes", vectors.attrVectorBucketArn);
    allow("s3vectors:DeleteIndex", `${vectors.attrVectorBucketArn}/index/*`);
  }
  const removal = new CfnCustomResource(stack, "DataRemoval", {
    serviceToken: remover.functionArn,
    serviceTimeout: TIMEOUT_MINUTES * 60 + ANSWER_SECONDS,
  });
  removal.node.addDependency(bucket, ...(vectors ? [vectors] : []));
  const everything = [
    `<${logicalId(bucket.node.defaultChild as CfnElement)}.Arn>/*`, // the bucket's own resource
    ...(vectors ? [`<${logicalId(vectors)}.VectorBucketArn>/index/*`] : []),
  ];
  const accepted = everything.map((resource) => [
    `AwsSolutions-IAM5[Resource::${resource}]`,
    "All of it goes.",
  ]);
  if (remover.role) acknowledge(remover.role, Object.fromEntries(accepted));
}

const logicalId = (element: CfnElement): string => Stack.of(element).getLogicalId(element);
