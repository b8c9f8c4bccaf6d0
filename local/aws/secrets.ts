import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AwsRequest } from "../iam/required-permissions.ts";
import { isMissing } from "../machine/is-missing.ts";
import type { JsonAnswer } from "../s3/vectors.ts";

export type Secrets = { readonly answer: (request: AwsRequest) => Promise<JsonAnswer> };

/**
 * Secrets Manager in this process. It only reads secrets.
 *
 * @param folder  contains one file per secret, with the name of the secret and `%2F` for `/`
 */
export const openSecrets = (folder: string): Secrets => ({
  answer: async ({ body: { SecretId } }) => {
    const name = String(SecretId);
    try {
      const SecretString = await readFile(join(folder, encodeURIComponent(name)), "utf8");
      return { status: 200, body: { Name: name, SecretString } };
    } catch (error) {
      if (!isMissing(error)) throw error;
      const message = `Secrets Manager can't find the specified secret: no file in ${folder}`;
      return { status: 400, type: "ResourceNotFoundException", body: { message } };
    }
  },
});
