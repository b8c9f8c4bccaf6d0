import { LambdaClient, type LambdaClientConfig } from "@aws-sdk/client-lambda";
import { AwsClient } from "aws4fetch";
import * as v from "valibot";
import { messageOf } from "../check.ts";
import { readXml, type XmlEntry } from "./xml.ts";

/** A refusal of a service of AWS. `code` is its own name for the reason, such as `AccessDeniedException`. */
export class AwsError extends Error {
  override readonly name: string = "AwsError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

/**
 * The services of AWS that the doctor asks, with the caller's credentials. Their clients would add megabytes to the package
 * for one call each.
 */
export type AwsApi = {
  readonly region: string;
  /** Services of the query protocol, which answer with XML. */
  readonly query: (
    service: "cloudformation" | "monitoring" | "sts",
    action: string,
    parameters?: Readonly<Record<string, string>>,
  ) => Promise<XmlEntry>;
  /** Services of the JSON protocol. */
  readonly call: (service: "secretsmanager" | "sqs", action: string, input: object) => Promise<unknown>;
  readonly get: (service: "lambda" | "cloudfront", path: string) => Promise<Response>;
  readonly post: (service: "bedrock", path: string, body: object) => Promise<unknown>;
  /** Milliseconds by which this machine's clock is ahead of AWS's, by the last answer; undefined before the first. */
  readonly clockAhead: () => number | undefined;
};

const versions = { cloudformation: "2010-05-15", monitoring: "2010-08-01", sts: "2011-06-15" } as const;
const targets = { secretsmanager: ["secretsmanager", "1.1"], sqs: ["AmazonSQS", "1.0"] } as const;

/** Names before the domain, where they differ from the name that is signed. */
const hosts: Readonly<Record<string, string>> = { bedrock: "bedrock-runtime" };
/** Services without regions, which sign for one. */
const GLOBAL_REGION: Readonly<Record<string, string>> = { cloudfront: "us-east-1" };
const TIMEOUT_MS = 30_000;

export type AwsOptions = {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Of an imitation of all services; `AWS_ENDPOINT_URL` when absent, and AWS itself without either. */
  readonly endpoint?: string;
  /** As the clients of AWS take them; found as they find them when absent. */
  readonly client?: Pick<LambdaClientConfig, "region" | "credentials" | "profile">;
};

/**
 * Connects to AWS as its own tools do: by the environment, a profile, the shared files, single sign-on or a role.
 *
 * @throws Error when there are no credentials or no region
 */
export async function connectAws({ now, client = {}, ...given }: AwsOptions): Promise<AwsApi> {
  const { config } = new LambdaClient(client);
  const endpoint = given.endpoint ?? process.env.AWS_ENDPOINT_URL;
  const [region, credentials] = await Promise.all([config.region(), config.credentials()]);
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const signer = new AwsClient({
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    retries: 2,
  });
  let ahead: number | undefined;

  const send = async (service: string, path: string, init: RequestInit): Promise<Response> => {
    const answer = await signer.fetch(
      `${endpoint?.replace(/\/+$/, "") ?? endpointOf(service, region)}${path}`,
      {
        ...init,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        aws: { service, region: GLOBAL_REGION[service] ?? region },
      },
    );
    const date = Date.parse(answer.headers.get("date") ?? "");
    if (!Number.isNaN(date)) ahead = now() - date;
    if (!answer.ok) throw await refusalOf(answer);
    return answer;
  };
  const json = async (service: string, path: string, type: string, body: object, target?: string) => {
    const headers = { "content-type": type, ...(target !== undefined && { "x-amz-target": target }) };
    const answer = await send(service, path, { method: "POST", headers, body: JSON.stringify(body) });
    return answer.json();
  };

  return {
    region,
    async query(service, action, parameters = {}) {
      const body = new URLSearchParams({ Action: action, Version: versions[service], ...parameters });
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const answer = await send(service, "/", { method: "POST", headers, body: body.toString() });
      return readXml(await answer.bytes());
    },
    call(service, action, input) {
      const [prefix, version] = targets[service];
      return json(service, "/", `application/x-amz-json-${version}`, input, `${prefix}.${action}`);
    },
    get: (service, path) => send(service, path, { method: "GET" }),
    post: (service, path, body) => json(service, path, "application/json", body),
    clockAhead: () => ahead,
  };
}

function endpointOf(service: string, region: string): string {
  const host = hosts[service] ?? service;
  const domain = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
  return service in GLOBAL_REGION ? `https://${host}.${domain}` : `https://${host}.${region}.${domain}`;
}

const JsonRefusal = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    __type: v.optional(v.string()),
    message: v.optional(v.string()),
    Message: v.optional(v.string()),
  }),
);

async function refusalOf(answer: Response): Promise<AwsError> {
  const bytes = await answer.bytes();
  const text = new TextDecoder().decode(bytes);
  const json = v.safeParse(JsonRefusal, text);
  if (json.success) {
    const { __type, message, Message } = json.output;
    const code = answer.headers.get("x-amzn-errortype")?.split(":")[0] ?? __type?.split("#").at(-1);
    return new AwsError(code ?? String(answer.status), message ?? Message ?? "");
  }
  const xml = await readXml(bytes).catch((error: unknown) => new AwsError("unreadable", messageOf(error)));
  if (xml instanceof AwsError) return xml;
  return new AwsError(xml.text("Code") ?? String(answer.status), xml.text("Message") ?? answer.statusText);
}
