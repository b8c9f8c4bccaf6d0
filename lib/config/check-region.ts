import { Annotations, Stage, Token } from "aws-cdk-lib";
import type { Construct } from "constructs";
import type { AppConfig } from "./config.ts";
import { ConfigError } from "./config-error.ts";
import { S3_VECTORS_REGIONS_OF, s3VectorsRegions } from "./s3-vectors-regions.ts";

/**
 * Refuses a region without S3 Vectors, where vectors are unless something else is chosen: the deployment would fail at the
 * vector bucket. The other store is not taken silently, since contents would have to be processed again when AWS brings S3
 * Vectors there and a later version knows it.
 *
 * Stacks without a region are deployed wherever the command line is: what it names is only warned of.
 *
 * @throws ConfigError where the app says in which region it is deployed
 */
export function checkRegion(scope: Construct, { vectorStore, isVectorStoreChosen }: AppConfig): void {
  if (vectorStore !== "s3-vectors" || isVectorStoreChosen) return;
  const fixed = Stage.of(scope)?.region;
  const isKnown = fixed !== undefined && !Token.isUnresolved(fixed);
  const region = isKnown ? fixed : process.env.CDK_DEFAULT_REGION;
  if (region === undefined || s3VectorsRegions.includes(region)) return;
  const problem =
    `vectorStore: the default needs S3 Vectors, which was not in ${region} on ${S3_VECTORS_REGIONS_OF}; ` +
    "set -c vectorStore=dynamodb, or -c vectorStore=s3-vectors if it is there by now";
  if (isKnown) throw new ConfigError(`the configuration is not usable: ${problem}`);
  Annotations.of(scope).addWarningV2("agent-platform:noS3Vectors", problem);
}
