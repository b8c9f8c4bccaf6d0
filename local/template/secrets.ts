import * as v from "valibot";
import type { Resource } from "./stack.ts";

/** A secret that the template has Secrets Manager make up: an object with a random text in one of its members. */
export type SecretModel = {
  readonly name: string;
  /** The other members. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly key: string;
  readonly length: number;
};

const Secret = v.object({
  GenerateSecretString: v.object({
    SecretStringTemplate: v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown())),
    GenerateStringKey: v.string(),
    PasswordLength: v.number(),
    ExcludePunctuation: v.literal(true),
  }),
});

export const secretModels = (resources: readonly Resource[]): SecretModel[] =>
  resources
    .filter(({ type }) => type === "AWS::SecretsManager::Secret")
    .map(({ name, properties }) => {
      const { GenerateSecretString: made } = v.parse(Secret, properties);
      const { SecretStringTemplate: members, GenerateStringKey: key, PasswordLength: length } = made;
      return { name, members, key, length };
    });
