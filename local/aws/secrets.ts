import { randomInt } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AwsRequest } from "../iam/required-permissions.ts";
import { isMissing } from "../machine/is-missing.ts";
import { createFileOnce } from "../machine/whole-file.ts";
import { secretName } from "../template/names.ts";
import type { SecretModel } from "../template/secrets.ts";
import type { JsonAnswer } from "./json-answer.ts";

export type Secrets = {
  readonly answer: (request: AwsRequest) => Promise<JsonAnswer>;
  /** Makes up the values of secrets that do not exist yet, as CloudFormation has it done. */
  readonly create: (models: readonly SecretModel[]) => Promise<void>;
  /** Replaces references to members of secrets, as CloudFormation does in the properties of a resource. */
  readonly resolve: (text: string) => Promise<string>;
};

/**
 * Secrets Manager in this process. Functions can only read.
 *
 * @param folder  contains one file per secret, with the name of the secret and `%2F` for `/`
 */
export function openSecrets(folder: string): Secrets {
  const fileOf = (name: string) => join(folder, encodeURIComponent(name));
  const read = async (name: string): Promise<string | undefined> => {
    try {
      return await readFile(fileOf(name), "utf8");
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  };
  return {
    answer: async ({ body: { SecretId } }) => {
      const name = secretName(String(SecretId));
      const SecretString = await read(name);
      if (SecretString !== undefined) return { status: 200, body: { Name: name, SecretString } };
      const message = `Secrets Manager can't find the specified secret: no file in ${folder}`;
      return { status: 400, type: "ResourceNotFoundException", body: { message } };
    },
    create: async (models) => {
      for (const { name, members, key, length } of models) {
        await mkdir(folder, { recursive: true });
        createFileOnce(fileOf(name), JSON.stringify({ ...members, [key]: randomText(length) }), 0o600);
      }
    },
    resolve: async (text) => {
      const [reference, id = "", member = ""] = REFERENCE.exec(text) ?? [];
      if (reference === undefined) return text;
      const value: unknown = JSON.parse((await read(secretName(id))) ?? "{}")[member];
      if (typeof value !== "string")
        throw new Error(`the template refers to ${member} of ${id}, which is not there`);
      return text.replace(reference, () => value);
    },
  };
}

/** @source CloudFormation user guide, "Dynamic references": `secret-id:SecretString:json-key:version-stage:version-id` */
const REFERENCE = /\{\{resolve:secretsmanager:(arn:.+?):SecretString:([^:]*)::\}\}/;

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const randomText = (length: number): string =>
  Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join("");
