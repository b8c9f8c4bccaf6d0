import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readBody } from "../../local/aws/read-body.ts";
import { serveOnLoopback } from "../../local/machine/listen-on-loopback.ts";
import { openVectors } from "../../local/s3/vectors.ts";

export const VECTOR_BUCKET = "vectors-of-a-test";

export type VectorEndpoint = {
  readonly endpoint: string;
  /** Operations that were asked for, with how many vectors or keys each carried. */
  readonly asked: { readonly operation: string; readonly members: number }[];
  readonly stop: () => Promise<void>;
};

/** S3 Vectors on a port of its own, with the limits of the service and one bucket. */
export async function startVectorEndpoint(): Promise<VectorEndpoint> {
  const folder = mkdtempSync(join(tmpdir(), "vectors-"));
  const vectors = openVectors(folder);
  vectors.createBuckets([VECTOR_BUCKET]);
  const asked: VectorEndpoint["asked"] = [];
  const server = createServer(async (incoming, response) => {
    const body = JSON.parse((await readBody(incoming)).toString() || "{}");
    const operation = (incoming.url ?? "").slice(1);
    asked.push({ operation, members: (body.vectors ?? body.keys ?? []).length });
    const answer = await vectors.answer({ service: "s3vectors", operation, body });
    response.writeHead(answer.status, {
      "content-type": "application/json",
      ...(answer.type !== undefined && { "x-amzn-errortype": answer.type }),
    });
    response.end(JSON.stringify(answer.body));
  });
  const { address, stop } = await serveOnLoopback(server);
  return {
    endpoint: address,
    asked,
    stop: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
