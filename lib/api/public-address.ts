import { CfnOutput, type Stack } from "aws-cdk-lib";
import type { DomainName, HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { IDependable } from "constructs";
import type { Family } from "../../shared/routes/index.ts";
import type { AppConfig } from "../config/config.ts";
import { createEdge } from "./edge.ts";
import type { EdgeSecret } from "./edge-secret.ts";

/** The address at which clients reach the service. */
export type PublicAddress = {
  /** Address of the service, without a path. */
  readonly baseUrl: string;
  /** The one that AWS gave. */
  readonly defaultUrl: string;
  /** What answers there. */
  readonly answers: IDependable;
};

/**
 * Creates the public address of the service and the outputs with it: CloudFront before the HTTP API and the streaming
 * functions, or the HTTP API alone. With the latter every answer is buffered and takes half a minute at most.
 *
 * @param domain   of the HTTP API, where it has one of its own
 * @param streams  the streaming functions; none without CloudFront
 * @param secret   undefined without CloudFront
 */
export function createPublicAddress(
  stack: Stack,
  config: AppConfig,
  httpApi: HttpApi,
  domain: DomainName | undefined,
  streams: ReadonlyMap<Family, IFunction>,
  secret: EdgeSecret | undefined,
): PublicAddress {
  const host = secret && createEdge(stack, config, httpApi, streams, secret);
  const target = host?.distributionDomainName ?? domain?.regionalDomainName;
  const defaultUrl = host ? `https://${host.distributionDomainName}` : httpApi.apiEndpoint;
  const baseUrl = config.domainName === undefined ? defaultUrl : `https://${config.domainName}`;
  new CfnOutput(stack, "BaseUrl", { value: baseUrl, description: "Address of the service" });
  if (host && secret) {
    // What the command that rotates the secret works on.
    new CfnOutput(stack, "EdgeSecretArn", {
      value: secret.arn,
      description: "Secret of CloudFront's requests",
    });
    new CfnOutput(stack, "DistributionId", { value: host.distributionId, description: "CloudFront" });
  }
  if (config.domainName !== undefined && target !== undefined) {
    new CfnOutput(stack, "DomainTarget", {
      value: target,
      description: `What the name ${config.domainName} must lead to (CNAME, or alias in Route 53)`,
    });
  }
  return { baseUrl, defaultUrl, answers: host ?? httpApi };
}
