import { Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { parseModelSpec } from "../../shared/schemas/values/model-spec.ts";
import type { AppConfig } from "../config/config.ts";

/** First part of the ids of cross-region inference profiles: the area whose regions they may use. */
const profileArea = /^(us|us-gov|eu|apac|jp|au|ca|global)\./;

/** Permissions that follow from the configuration, such as to call a model, or to read the secret with its key. */
export type Access = {
  readonly statements: readonly PolicyStatement[];
  /** Findings of the template check that these statements cause, with the reason for accepting them. */
  readonly acknowledged: Readonly<Record<string, string>>;
};

/** What functions that call models may use. */
type CalledModels = {
  /** Specifications; those of Bedrock need a permission. */
  readonly specs: readonly string[];
  /** Names of the secrets with the providers' keys. */
  readonly secrets: readonly string[];
};

/** The models and secrets of the configured providers. */
export function configuredModels({
  model,
  judgeModel,
  modelApiKeySecret,
  modelProviders = {},
}: Pick<AppConfig, "model" | "judgeModel" | "modelApiKeySecret" | "modelProviders">): CalledModels {
  const { "amazon-bedrock": bedrock, ...keyed } = modelProviders;
  const further = (bedrock?.models ?? []).map((id) => `amazon-bedrock:${id}`);
  const secrets = [modelApiKeySecret, ...Object.values(keyed).map((one) => one?.apiKeySecret)];
  return {
    specs: [model, judgeModel, ...further].filter((spec) => spec !== undefined),
    secrets: secrets.filter((name) => name !== undefined),
  };
}

/** Permissions of a function that calls models. @param actions on a Bedrock model */
export function modelAccess(
  scope: Construct,
  { specs, secrets }: CalledModels,
  actions: readonly string[] = ["bedrock:InvokeModel", "bedrock:InvokeModelWithResponseStream"],
): Access {
  const { partition, region, account } = Stack.of(scope);
  const bedrock = [...new Set(specs)].flatMap((spec) => {
    const parsed = parseModelSpec(spec);
    return parsed?.provider === "amazon-bedrock" ? bedrockNames(parsed.id, region, account) : [];
  });
  const secret = [...new Set(secrets)].map((name) => secretName(name, region, account));
  const allow = (allowed: string[], names: readonly string[]) =>
    names.length === 0
      ? []
      : [
          new PolicyStatement({
            actions: allowed,
            resources: names.map((name) => `arn:${partition}:${name}`),
          }),
        ];
  return {
    statements: [...allow([...actions], bedrock), ...allow(["secretsmanager:GetSecretValue"], secret)],
    acknowledged: Object.fromEntries(
      bedrock
        .filter((name) => name.includes("*"))
        .map((name) => [
          `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:${name}]`,
          "An inference profile passes the call on to a region of its own choice.",
        ]),
    ),
  };
}

/** Permission to read one secret; none where no secret is named. */
export const secretAccess = (scope: Construct, secret: string | undefined): Access =>
  modelAccess(scope, { specs: [], secrets: secret === undefined ? [] : [secret] });

/**
 * ARNs without their first two parts. A model is called directly, or through an inference profile. A profile forwards
 * the call to a region of its area, where the caller needs permission for the model too.
 */
function bedrockNames(id: string, region: string, account: string): string[] {
  const ownProfile = /^arn:[^:]+:(.+)$/.exec(id)?.[1];
  if (ownProfile !== undefined) return [ownProfile, "bedrock:*::foundation-model/*"];
  if (!profileArea.test(id)) return [`bedrock:${region}::foundation-model/${id}`];
  const profile = `bedrock:${region}:${account}:inference-profile/${id}`;
  return [profile, `bedrock:*::foundation-model/${id.replace(profileArea, "")}`];
}

/**
 * ARN of a secret without its first two parts. Secrets Manager appends six random characters to every ARN, which `??????`
 * matches.
 *
 * @param id  its name, or its whole ARN
 */
export const secretName = (id: string, region: string, account: string): string =>
  /^arn:[^:]+:(.+)$/.exec(id)?.[1] ?? `secretsmanager:${region}:${account}:secret:${id}-??????`;
