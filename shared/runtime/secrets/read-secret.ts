/**
 * The text of a secret in Secrets Manager. The client is loaded only when a secret is read, so that functions without
 * one start faster.
 *
 * @throws when there is no such secret, or it holds no text
 */
export async function readSecret(name: string): Promise<string> {
  const { GetSecretValueCommand, SecretsManagerClient } = await import("@aws-sdk/client-secrets-manager");
  const { SecretString } = await new SecretsManagerClient({}).send(
    new GetSecretValueCommand({ SecretId: name }),
  );
  if (!SecretString) throw new Error(`the secret ${name} holds no text`);
  return SecretString;
}
