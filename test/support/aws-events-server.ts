import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What a client of EventBridge or Step Functions asked for. */
export type AsksAws = { readonly operation: string; readonly body: Readonly<Record<string, unknown>> };
export type Decide = (asked: AsksAws) => { readonly status?: number; readonly body: object };

export const accepted: Decide = () => ({ body: { FailedEntryCount: 0, Entries: [{ EventId: "e-1" }] } });
export const refusedWith =
  (type: string, status = 400): Decide =>
  () => ({ status, body: { __type: type, message: "refused" } });

/** Stands for EventBridge and Step Functions, with the answers in the test's hand: the clients are the real ones. */
export async function startAwsEvents() {
  const asked: AsksAws[] = [];
  let decide = accepted;
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString("utf8");
    const operation = String(request.headers["x-amz-target"]).split(".")[1] ?? "";
    const one = { operation, body: JSON.parse(text) };
    asked.push(one);
    const { status = 200, body } = decide(one);
    response.writeHead(status, { "content-type": "application/x-amz-json-1.1" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // of a server on a port
  const address = `http://127.0.0.1:${port}`;
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_EVENTBRIDGE: address,
    AWS_ENDPOINT_URL_SFN: address,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "LOCAL",
    AWS_SECRET_ACCESS_KEY: "local",
  });
  return {
    asked,
    decide: (next: Decide = accepted) => {
      decide = next;
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
export type AwsEvents = Awaited<ReturnType<typeof startAwsEvents>>;
