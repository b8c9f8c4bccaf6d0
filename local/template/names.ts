import type { TemplateResource } from "./stack.ts";

/** Everything local happens in this account and region. The queue emulator knows no other account. */
export const accountId = "000000000000";
export const region = "us-east-1";

const nameProperties: Readonly<Record<string, string>> = {
  "AWS::Lambda::Function": "FunctionName",
  "AWS::DynamoDB::Table": "TableName",
  "AWS::DynamoDB::GlobalTable": "TableName",
  "AWS::SQS::Queue": "QueueName",
  "AWS::S3::Bucket": "BucketName",
  "AWS::S3Vectors::VectorBucket": "VectorBucketName",
  "AWS::IAM::Role": "RoleName",
  "AWS::Logs::LogGroup": "LogGroupName",
};

/** The property with which a template may name a resource of this type. */
export const namePropertyOf = (type: string): string => nameProperties[type] ?? "Name";

/** The name of a resource that the template does not name. Names of buckets are lower-case. */
export const generatedName = (type: string, stackName: string, id: string): string =>
  type === "AWS::S3::Bucket" ? `${stackName}-${id}`.toLowerCase() : `${stackName}-${id}`;

/** Secrets Manager appends six characters of its own choice to the ARN of each secret. */
const SECRET_SUFFIX = "AbCdEf";

/** ARN of the secret that a request names by its name or by its ARN. */
export const secretArn = (id: string): string =>
  id.startsWith("arn:") ? id : arnOf("AWS::SecretsManager::Secret", id);

/** Name of the secret that a request names by its name or by its ARN. */
export const secretName = (id: string): string =>
  /^arn:[^:]+:secretsmanager:[^:]+:[^:]+:secret:(.+)-\w{6}$/.exec(id)?.[1] ?? id;

/** ARN of a log group with everything in it, as CloudFormation and policies have it. */
export const logGroupArn = (name: string): string =>
  `arn:aws:logs:${region}:${accountId}:log-group:${name}:*`;

/** ARN of a resource, as policies refer to it. */
export function arnOf(type: string, name: string): string {
  const location = `${region}:${accountId}`;
  switch (type) {
    case "AWS::Lambda::Function":
      return `arn:aws:lambda:${location}:function:${name}`;
    case "AWS::DynamoDB::Table":
    case "AWS::DynamoDB::GlobalTable":
      return `arn:aws:dynamodb:${location}:table/${name}`;
    case "AWS::Scheduler::ScheduleGroup":
      return `arn:aws:scheduler:${location}:schedule-group/${name}`;
    case "AWS::S3::Bucket":
      return `arn:aws:s3:::${name}`;
    case "AWS::SecretsManager::Secret":
      return `arn:aws:secretsmanager:${location}:secret:${name}-${SECRET_SUFFIX}`;
    case "AWS::Logs::LogGroup":
      return logGroupArn(name);
    case "AWS::IAM::Role":
      return `arn:aws:iam::${accountId}:role/${name}`;
    default:
      return `arn:aws:${type.split("::")[1]?.toLowerCase()}:${location}:${name}`;
  }
}

/**
 * The value of `Ref` for a resource.
 *
 * @param functionName  of an alias: whose it is
 */
export function refOf(
  resource: TemplateResource,
  name: string,
  awsAddress: string,
  functionName: unknown,
): string {
  if (resource.Type === "AWS::Lambda::Alias")
    return `${arnOf("AWS::Lambda::Function", String(functionName))}:${name}`;
  if (resource.Type === "AWS::SQS::Queue") return `${awsAddress}/${accountId}/${name}`;
  if (resource.Type === "AWS::ApiGatewayV2::Api") return hostLabel(name);
  if (resource.Type === "AWS::SecretsManager::Secret") return arnOf(resource.Type, name);
  return name;
}

/** The value of `Fn::GetAtt` for a resource. */
export function attributeOf(resource: TemplateResource, name: string, attribute: string): string {
  switch (attribute) {
    case "Arn":
    case "TableArn":
      return arnOf(resource.Type, name);
    case "QueueName":
    case "TableName":
    case "FunctionName":
      return name;
    case "FunctionUrl":
      return `https://${hostLabel(name)}.lambda-url.${region}.on.aws/`;
    case "ApiEndpoint":
      return `https://${hostLabel(name)}.execute-api.${region}.amazonaws.com`;
    case "ApiId":
      return hostLabel(name);
    default:
      return `${name}.${attribute}`;
  }
}

/** First label of the generated host name of an API or a function URL. */
export const hostLabel = (name: string): string => name.toLowerCase().replace(/[^a-z0-9-]/g, "");
