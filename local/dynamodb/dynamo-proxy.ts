import http, { type IncomingHttpHeaders, type ServerResponse } from "node:http";
import https from "node:https";
import { readBody } from "../aws/read-body.ts";

export type DynamoProxy = {
  /** Passes a request on, and its answer back. @throws when the engine cannot be reached */
  readonly forward: (headers: IncomingHttpHeaders, body: Buffer, response: ServerResponse) => Promise<void>;
  readonly close: () => void;
};

/** What the engines look at; the other headers would only cost time on the busiest path of the platform. */
const forwarded = ["authorization", "content-type", "x-amz-date", "x-amz-target"];

/** The way to the database engine. */
export function dynamoProxy(endpoint: string): DynamoProxy {
  const { hostname, port, protocol } = new URL(endpoint);
  const client = protocol === "https:" ? https : http;
  const agent = new client.Agent({ keepAlive: true });
  const target = { hostname, port, agent, method: "POST", path: "/" };
  return {
    forward: (given, body, response) => {
      const headers: Record<string, string | number> = { "content-length": body.length };
      for (const name of forwarded) {
        const value = given[name];
        if (typeof value === "string") headers[name] = value;
      }
      return new Promise((resolve, reject) => {
        const outgoing = client.request({ ...target, headers }, async (reply) => {
          try {
            const text = await readBody(reply);
            const { connection, "transfer-encoding": encoding, ...rest } = reply.headers;
            response.writeHead(reply.statusCode ?? 502, { ...rest, "content-length": text.length });
            response.end(text);
            resolve();
          } catch (error) {
            reject(error);
          }
        });
        outgoing.on("error", reject);
        outgoing.end(body);
      });
    },
    close: () => agent.destroy(),
  };
}
