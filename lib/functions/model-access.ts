import { Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { parseModelSpec } from "../../shared/engine/model/model-spec.ts";
import type { AppConfig } from "../config/config.ts";

/** First part of the ids of cross-region inference profiles: the area whose regions they may use. */
const profileArea = /^(us|us-gov|eu|apac|jp|au|ca|global)\./;

/** Leave to call the configured model: Bedrock itself, or the secret that holds the provider's key. */
export type ModelAccess = {
  readonly statements: readonly PolicyStatement[];
  /** Findings of the template check that these statements cause, with the reason why they stay. */
  readonly acknowledged: Readonly<Record<string, string>>;
};

/** What a function that calls the configured models must be allowed. @param actions on a model of Bedrock's */
export function modelAccess(
  scope: Construct,
  {
    model,
    judgeModel,
    modelApiKeySecret,
  }: Pick<AppConfig, "model" | "modelApiKeySecret"> & Partial<Pick<AppConfig, "judgeModel">>,
  actions: readonly string[] = ["bedrock:InvokeModel", "bedrock:InvokeModelWithResponseStream"],
): ModelAccess {
  const { partition, region, account } = Stack.of(scope);
  const named = [...new Set([model, judgeModel])].map((spec) => spec && parseModelSpec(spec));
  const bedrock = named.flatMap((spec) =>
    spec && spec.provider === "amazon-bedrock" ? bedrockNames(spec.id, region, account) : [],
  );
  const secret = modelApiKeySecret === undefined ? [] : [secretName(modelApiKeySecret, region, account)];
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

/** What a function that reads one secret must be allowed; nothing where none is named. */
export const secretAccess = (scope: Construct, secret: string | undefined): ModelAccess =>
  modelAccess(scope, { model: "scripted", modelApiKeySecret: secret });

/**
 * ARNs without their first two parts. A model is called directly, or through an inference profile. A profile passes
 * the call on to a region of its area, where the caller needs leave for the model too.
 */
function bedrockNames(id: string, region: string, account: string): string[] {
  const ownProfile = /^arn:[^:]+:(.+)$/.exec(id)?.[1];
  if (ownProfile !== undefined) return [ownProfile, "bedrock:*::foundation-model/*"];
  if (!profileArea.test(id)) return [`bedrock:${region}::foundation-model/${id}`];
  const profile = `bedrock:${region}:${account}:inference-profile/${id}`;
  return [profile, `bedrock:*::foundation-model/${id.replace(profileArea, "")}`];
}

/** Secrets Manager ends every ARN with six characters of its own, which `?` stands for. */
export const secretName = (name: string, region: string, account: string): string =>
  `secretsmanager:${region}:${account}:secret:${name}-??????`;
