import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { requestOf } from "../aws/aws-request.ts";
import { readBody } from "../aws/read-body.ts";
import { dynamoProxy } from "../dynamodb/dynamo-proxy.ts";
import { openGrantsRecord } from "../iam/grants-record.ts";
import { type Caller, refusalOf } from "../iam/refusal.ts";
import { serveOnLoopback } from "../machine/listen-on-loopback.ts";

export type AwsGate = {
  readonly address: string;
  /** Calls let through since the last time it was asked, by `<service>:<operation>`. */
  readonly takeCalls: () => Record<string, number>;
};

export type GateOptions = {
  readonly caller: Caller;
  readonly dynamoEndpoint: string;
  /** The platform's AWS endpoint, which takes everything that is not passed on from here. */
  readonly awsAddress: string;
  /** Its first number is not 0 while a test injects faults: then everything goes to the endpoint. */
  readonly watched: Int32Array;
  /** Folder for the record of used permissions; undefined where nobody asked for one. */
  readonly grantsRecord: string | undefined;
};

/**
 * The AWS endpoint of one function instance, inside its thread. It checks each call against the function's role, as
 * the platform's endpoint does, and passes allowed calls to the database straight on; the rest, refusals too, is the
 * endpoint's. Two threads wake up less for every database call: with them a background run took 18 ms of the
 * platform's main thread, which was all it had at 55 runs a second.
 */
export async function startAwsGate(options: GateOptions): Promise<AwsGate> {
  const { caller, dynamoEndpoint, awsAddress, watched } = options;
  const dynamo = dynamoProxy(dynamoEndpoint);
  const use = openGrantsRecord(options.grantsRecord);
  let calls: Record<string, number> = {};

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(incoming);
    const asked = Atomics.load(watched, 0) === 0 ? requestOf(incoming, body) : undefined;
    if (asked?.service !== "dynamodb" || refusalOf(caller, asked, use) !== undefined) {
      return passOn(incoming, body, response, awsAddress);
    }
    const key = `${asked.service}:${asked.operation}`;
    calls[key] = (calls[key] ?? 0) + 1;
    return dynamo.forward(incoming.headers, body, response);
  };
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
    // What fails here would fail at the endpoint: the caller sees a broken connection, as it would there.
    answer(incoming, response).catch(() => response.destroy());
  });
  const { address } = await serveOnLoopback(server);
  // The thread lives as long as the platform wants it to.
  server.unref();
  return {
    address,
    takeCalls: () => {
      const taken = calls;
      calls = {};
      return taken;
    },
  };
}

function passOn(
  incoming: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  address: string,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const { method, url, headers } = incoming;
    const outgoing = request(new URL(url ?? "/", address), { method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response).on("finish", resolve).on("error", reject);
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
