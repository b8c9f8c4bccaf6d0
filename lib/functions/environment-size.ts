import { CfnResource, Stack } from "aws-cdk-lib";
import { CfnFunction, type Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";

/** Lambda's limit for names and values together. @source Lambda quotas: environment variables 4 KB, in aggregate */
export const MAX_ENVIRONMENT_BYTES = 4096;

/**
 * Refuses a function whose environment Lambda would refuse: CloudFormation says so only after it has made half of the
 * stack. The synthesis fails with what takes the most of it.
 */
export function checkEnvironmentSize(fn: LambdaFunction): void {
  fn.node.addValidation({
    validate: () => {
      const variables = variablesOf(fn);
      const bytes = environmentBytes(variables);
      if (bytes <= MAX_ENVIRONMENT_BYTES) return [];
      const largest = Object.entries(variables)
        .map(([name, value]) => ({ name, bytes: bytesOf(name, value) }))
        .sort((a, b) => b.bytes - a.bytes)
        .slice(0, 5)
        .map(({ name, bytes }) => `${name} (${bytes})`);
      return [
        `the environment of ${fn.node.id} may have ${bytes} bytes, and Lambda takes ${MAX_ENVIRONMENT_BYTES}; the largest: ${largest.join(", ")}`,
      ];
    },
  });
}

function variablesOf(fn: LambdaFunction): Readonly<Record<string, string>> {
  const { defaultChild } = fn.node;
  if (!CfnFunction.isCfnFunction(defaultChild)) return {};
  const stack = Stack.of(fn);
  const resolved: { variables?: Record<string, unknown> } = stack.resolve(defaultChild.environment) ?? {};
  return Object.fromEntries(
    Object.entries(resolved.variables ?? {}).map(([name, value]) => [name, longest(value, stack)]),
  );
}

/** Lambda measures the variables as a JSON object. @source its refusal, which shows the text that it measured */
export const environmentBytes = (variables: Readonly<Record<string, string>>): number =>
  Buffer.byteLength(JSON.stringify(variables));

const bytesOf = (name: string, value: string): number => environmentBytes({ [name]: value });

const REGION = "ap-southeast-5";
const ACCOUNT = "123456789012";
/** Of the values that AWS knows, the longest that there are. */
const pseudo: Readonly<Record<string, string>> = {
  "AWS::AccountId": ACCOUNT,
  "AWS::Region": REGION,
  "AWS::Partition": "aws-us-gov",
  "AWS::URLSuffix": "amazonaws.com.cn",
  "AWS::StackName": "x".repeat(128),
};

/** A text as long as the value that CloudFormation will put in its place, or longer. */
function longest(value: unknown, stack: Stack): string {
  if (typeof value !== "object" || value === null) return String(value ?? "");
  const [[call = "", argument] = []] = Object.entries(value);
  switch (call) {
    case "Ref":
      return pseudo[String(argument)] ?? reference(String(argument), stack);
    case "Fn::GetAtt":
      return arnLike(nameOf(String([argument].flat()[0]), stack));
    case "Fn::ImportValue":
      return imported(longest(argument, stack));
    case "Fn::Join": {
      const [separator, parts] = list(argument);
      return list(parts)
        .map((part) => longest(part, stack))
        .join(String(separator));
    }
    // Of what is split, each part is shorter than the whole.
    case "Fn::Select":
      return longest(list(argument)[1], stack);
    case "Fn::Split":
      return longest(list(argument)[1], stack);
    default:
      return JSON.stringify(value);
  }
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/**
 * CloudFormation's names: the stack's, the resource's id, and 13 characters.
 *
 * @param most  that the service allows; it makes them shorter then
 */
const generatedName = (stackName: string, id: string, most = 255): string =>
  `${stackName}-${id}-${"x".repeat(13)}`.slice(0, most);

/** Longest names of some types. @source the services' quotas */
const mostCharacters: Readonly<Record<string, number>> = {
  "AWS::Lambda::Function": 64,
  "AWS::IAM::Role": 64,
  "AWS::S3::Bucket": 63,
  "AWS::SQS::Queue": 80,
};

const nameOf = (id: string, stack: Stack): string =>
  generatedName(stack.stackName, id, mostCharacters[typesOf(stack).get(id) ?? ""]);

/** As long as any ARN, or as the address of a queue. */
const arnLike = (name: string): string =>
  `arn:aws-us-gov:secretsmanager:${REGION}:${ACCOUNT}:${"x".repeat(16)}/${name}`;

/** `Ref` of a queue is its address, of some others an ARN; of all others their name. */
function reference(id: string, stack: Stack): string {
  const type = typesOf(stack).get(id);
  const isName = type !== undefined && type !== "AWS::SQS::Queue" && type !== "AWS::SecretsManager::Secret";
  return isName ? nameOf(id, stack) : arnLike(nameOf(id, stack));
}

/** Types of a stack's resources by their ids; collected once, when all are there. */
const collected = new WeakMap<Stack, ReadonlyMap<string, string>>();

function typesOf(stack: Stack): ReadonlyMap<string, string> {
  const known = collected.get(stack);
  if (known) return known;
  const resources = stack.node.findAll().filter((one) => CfnResource.isCfnResource(one));
  const types = new Map(resources.map((one) => [stack.getLogicalId(one), one.cfnResourceType]));
  collected.set(stack, types);
  return types;
}

/** The CDK names an export by its stack, what it is of, and the id of the resource with eight characters behind it. */
function imported(exportName: string): string {
  const [, stackName, id] = /^(.+):ExportsOutputRef(.+)[0-9A-F]{8}$/.exec(exportName) ?? [];
  return stackName !== undefined && id !== undefined ? generatedName(stackName, id) : arnLike(exportName);
}
