import { createServer, type Server } from "node:http";
import { Webhook } from "standardwebhooks";

/** What a message says of a run that has ended. */
export type Report = {
  readonly type: string;
  readonly data: { readonly run_id: string; readonly status: string; readonly content?: unknown };
};

/**
 * A server that takes reports, and refuses what is not signed by the platform. A message may come twice: its header
 * `webhook-id` is the same then.
 */
export function reportReceiver(secret: () => string, take: (report: Report) => void): Server {
  return createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString("utf8");
    try {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
      take(new Webhook(secret()).verify(body, Object.fromEntries(headers)) as Report);
      response.writeHead(204).end();
    } catch {
      response.writeHead(401).end();
    }
  });
}

if (import.meta.main) {
  const { WEBHOOK_SECRET = "", PORT = "8080" } = process.env;
  const receiver = reportReceiver(
    () => WEBHOOK_SECRET,
    ({ type, data }) => console.log(type, data.content),
  );
  receiver.listen(Number(PORT), "127.0.0.1");
}
