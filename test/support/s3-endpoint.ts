import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readBody } from "../../local/aws/read-body.ts";
import { serveOnLoopback } from "../../local/machine/listen-on-loopback.ts";
import { openS3 } from "../../local/s3/s3.ts";
import { s3RequestOf } from "../../local/s3/s3-request.ts";

/** The local S3 behind an address of its own, with one bucket. */
export async function startS3Endpoint(bucket: string) {
  const folder = mkdtempSync(join(tmpdir(), "s3-endpoint-"));
  const s3 = openS3(folder);
  await s3.createBuckets([bucket]);
  const served = await serveOnLoopback(
    createServer(async (incoming, response) => {
      const body = await readBody(incoming);
      const request = s3RequestOf(incoming.method ?? "", incoming.url ?? "");
      const answer = await s3.answer(request, incoming.headers, body);
      response.writeHead(answer.status, answer.headers).end(answer.body);
    }),
  );
  return {
    endpoint: served.address,
    stop: async () => {
      await served.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
