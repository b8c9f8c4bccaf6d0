import * as v from "valibot";
import { SecretName } from "../forms.ts";

const SecretArn = v.pipe(
  v.string(),
  v.regex(
    /^arn:[a-z-]+:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]+-\w{6}$/,
    "must be the name or the whole ARN of a secret",
  ),
);
const SecretId = v.union([SecretName, SecretArn], "must be the name or the whole ARN of a secret");

/** Where the value of one secret of tools is in Secrets Manager. */
export type SecretPlace = {
  /** Name or ARN. */
  readonly secret: string;
  /** Member of the JSON object that the secret holds; the whole text when absent. */
  readonly field?: string;
};

const Place = v.union(
  [
    v.pipe(
      SecretId,
      v.transform((secret): SecretPlace => ({ secret })),
    ),
    v.pipe(
      v.strictObject({ secret: SecretId, field: v.optional(v.pipe(v.string(), v.nonEmpty())) }),
      v.transform(({ secret, field }): SecretPlace => ({ secret, ...(field !== undefined && { field }) })),
    ),
  ],
  'must be the name or the whole ARN of a secret, or {"secret": "<name or ARN>", "field": "<member of its JSON>"}',
);

/** Where the secrets are that tools declare, by the names that they have there. */
export const ToolSecrets = v.record(v.string(), Place);
export type ToolSecretPlaces = v.InferOutput<typeof ToolSecrets>;
