import http, { type IncomingHttpHeaders } from "node:http";
import https from "node:https";
import type { AwsReply } from "../aws/aws-http.ts";
import { readBody } from "../aws/read-body.ts";

export type DynamoProxy = {
  /** Forwards a request. @throws when the engine cannot be reached */
  readonly forward: (headers: IncomingHttpHeaders, body: Uint8Array) => Promise<AwsReply>;
  readonly close: () => void;
};

/** The headers that the engines read. Others would only cost time on the busiest path of the platform. */
const forwarded = ["authorization", "content-type", "x-amz-date", "x-amz-target"];

/** Response headers that belong to the connection. */
const connectionHeaders = new Set(["connection", "keep-alive", "transfer-encoding", "content-length"]);

/** Forwards requests to the database engine over kept-alive connections. */
export function dynamoProxy(endpoint: string): DynamoProxy {
  const { hostname, port, protocol } = new URL(endpoint);
  const client = protocol === "https:" ? https : http;
  const agent = new client.Agent({ keepAlive: true });
  const target = { hostname, port, agent, method: "POST", path: "/" };
  return {
    forward: (received, body) => {
      const headers: Record<string, string | number> = { "content-length": body.length };
      for (const name of forwarded) {
        const value = received[name];
        if (typeof value === "string") headers[name] = value;
      }
      return new Promise((resolve, reject) => {
        const outgoing = client.request({ ...target, headers }, async (reply) => {
          try {
            const text = await readBody(reply);
            const replyHeaders: Record<string, string> = {};
            for (const [name, value] of Object.entries(reply.headers)) {
              if (typeof value === "string" && !connectionHeaders.has(name)) replyHeaders[name] = value;
            }
            resolve({ status: reply.statusCode ?? 502, headers: replyHeaders, body: text });
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
