import { createServer } from "node:http";
import { readBody } from "../../../local/aws/read-body.ts";
import type { Cloud } from "../../../local/cloud.ts";
import { serveOnLoopback } from "../../../local/machine/listen-on-loopback.ts";
import { openS3 } from "../../../local/s3/s3.ts";
import { s3RequestOf } from "../../../local/s3/s3-request.ts";
import type { KeptObjects } from "./kept-objects.ts";

type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
};

/**
 * What an operator asks Lambda and S3 during a restore: reserved concurrency and invocations of the platform's functions, and the
 * versions of its bucket. Functions have an endpoint of their own, which allows nothing of this.
 */
export async function startOperatorEndpoint(platform: Pick<Cloud, "model" | "lambda">, objects: KeptObjects) {
  const reserved = new Map<string, number>();
  const reserve = (name: string, most: number | undefined): void => {
    if (most === undefined) reserved.delete(name);
    else reserved.set(name, most);
    platform.lambda.reserve(name, most);
  };
  const onLambda = async (method: string, name: string, what: string, body: Buffer): Promise<Answer> => {
    const model = platform.model.functions.find((one) => one.name === name);
    if (!model) return json(404, { Type: "User", Message: `Function not found: ${name}` });
    if (what === "configuration")
      return json(200, { FunctionName: name, Timeout: Math.ceil(model.timeoutMs / 1000) });
    if (what === "invocations") {
      const outcome = await platform.lambda.invoke(model, { event: () => body.toString() || "{}" });
      if (outcome?.ok) return { status: 200, headers: {}, body: outcome.payload };
      const headers = { "x-amz-function-error": "Unhandled" };
      return { status: 200, headers, body: JSON.stringify(outcome?.error ?? null) };
    }
    if (method === "PUT") reserve(name, Number(JSON.parse(body.toString()).ReservedConcurrentExecutions));
    if (method === "DELETE") reserve(name, undefined);
    const most = reserved.get(name);
    return json(
      method === "DELETE" ? 204 : 200,
      most === undefined ? {} : { ReservedConcurrentExecutions: most },
    );
  };
  const served = await serveOnLoopback(
    createServer(async (incoming, response) => {
      const { method = "GET", url = "/", headers } = incoming;
      const body = await readBody(incoming);
      const [, name, what] = /^\/\d{4}-\d\d-\d\d\/functions\/([^/]+)\/(\w+)/.exec(url) ?? [];
      try {
        const answer =
          name !== undefined && what !== undefined
            ? await onLambda(method, decodeURIComponent(name), what, body)
            : await objects.answer(method, new URL(url, "http://s3"), headers, body);
        response
          .writeHead(answer.status, { ...answer.headers })
          .end(answer.status === 204 ? "" : answer.body);
      } catch (error) {
        response.writeHead(500).end(String(error));
      }
    }),
  );
  return served;
}

/** The bucket of a platform without versions. @param folder contains buckets and objects */
export function plainObjects(folder: string): KeptObjects {
  const s3 = openS3(folder);
  return {
    answer: (method, url, headers, body) => s3.answer(s3RequestOf(method, url.href), headers, body),
  };
}

const json = (status: number, body: object): Answer => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});
