import { AsyncLocalStorage } from "node:async_hooks";
import { EventEmitter } from "node:events";
import http, { type ClientRequest, type OutgoingHttpHeaders, type RequestOptions } from "node:http";
import type { AnswerAws, AwsReply } from "../aws/aws-http.ts";
import { dynamoConnections } from "../dynamodb/dynamo-connections.ts";
import { openGrantsRecord } from "../iam/grants-record.ts";
import { type Caller, refusalOf } from "../iam/refusal.ts";

/** Calls let through, by `<service>:<operation>`. */
type Calls = Record<string, number>;

export type AwsGate = {
  /** Does some work whose calls, however deep, are counted here. */
  readonly counting: <T>(calls: Calls, work: () => T) => T;
};

export type GateOptions = {
  readonly caller: Caller;
  readonly dynamoEndpoint: string;
  /** Where the SDK sends its requests: the platform's AWS endpoint. */
  readonly awsAddress: string;
  /** Asks that endpoint without a socket in between. */
  readonly ask: AnswerAws;
  /** Its first number is not 0 while a test injects faults: then everything goes to the endpoint. */
  readonly watched: Int32Array;
  /** Folder for the record of used permissions; undefined where none was asked for. */
  readonly grantsRecord: string | undefined;
};

type OnResponse = (response: unknown) => void;
type RealRequest = (options: RequestOptions, onResponse: OnResponse) => ClientRequest;

/**
 * The AWS endpoint of one function instance, inside its thread. A request of the SDK to a service of AWS's JSON protocol
 * leaves no socket on its way here: what `http.request` is handed for the database is checked against the function's
 * role, as the platform's endpoint does, and passed straight on to the engine. The rest, refusals too, is the endpoint's.
 * Requests in other protocols, whose answers may be streams, go to it as they are.
 */
export function openAwsGate(options: GateOptions): AwsGate {
  const counted = new AsyncLocalStorage<Calls>();
  const realRequest: RealRequest = http.request;
  const { hostname, port } = new URL(options.awsAddress);
  const send = sender(options, counted);
  const request = (...args: Parameters<RealRequest>): ClientRequest | AwsClientRequest => {
    const [{ host, port: asked, headers }, onResponse] = args;
    const isOurs = host === hostname && String(asked) === port && targetOf(named(headers)) !== undefined;
    return isOurs ? new AwsClientRequest(send, named(headers), onResponse) : realRequest(...args);
  };
  Object.assign(http, { request });
  return { counting: (calls, work) => counted.run(calls, work) };
}

type Send = (
  headers: OutgoingHttpHeaders,
  body: Uint8Array,
  abort: AbortSignal,
) => Promise<AwsReply | undefined>;

function sender(options: GateOptions, counted: AsyncLocalStorage<Calls>): Send {
  const { caller, dynamoEndpoint, ask, watched } = options;
  const use = openGrantsRecord(options.grantsRecord);
  const engine = dynamoEndpoint.startsWith("http:") ? dynamoConnections(dynamoEndpoint) : undefined;
  return async (given, body, abort) => {
    const headers = textsOf(given);
    const [service, operation = ""] = (targetOf(given) ?? "").split(".");
    if (engine && service === "DynamoDB_20120810" && Atomics.load(watched, 0) === 0) {
      const asked = { service: "dynamodb", operation, body: JSON.parse(Buffer.from(body).toString()) };
      if (refusalOf(caller, asked, use) === undefined) {
        const calls = counted.getStore();
        if (calls) calls[`dynamodb:${operation}`] = (calls[`dynamodb:${operation}`] ?? 0) + 1;
        return engine.send(headers, body, abort);
      }
    }
    // A message between threads takes the whole memory that bytes are a part of.
    return ask({ method: "POST", url: "/", headers, body: new Uint8Array(body) });
  };
}

/** The SDK gives headers by name, never as a list. */
const named = (headers: RequestOptions["headers"] = {}): OutgoingHttpHeaders =>
  headers as OutgoingHttpHeaders;

/** Service and operation of a request in AWS's JSON protocol. */
function targetOf({ "x-amz-target": target }: OutgoingHttpHeaders): string | undefined {
  return typeof target === "string" ? target : undefined;
}

/** What the services look at; the rest would only cost time on the busiest path of the platform. */
const passedOn = ["authorization", "content-type", "x-amz-date", "x-amz-target"];

function textsOf(given: OutgoingHttpHeaders): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of passedOn) {
    const value = given[name];
    if (typeof value === "string") headers[name] = value;
  }
  return headers;
}

/** What the SDK may ask of a connection that is there. */
const openSocket = Object.assign(new EventEmitter(), {
  connecting: false,
  setKeepAlive: () => {},
  setTimeout: () => {},
});

/** A request of the SDK: as much of Node's `ClientRequest` as its HTTP handler uses. The body comes in one piece. */
class AwsClientRequest extends EventEmitter {
  readonly socket = openSocket;
  readonly #send: Send;
  readonly #headers: OutgoingHttpHeaders;
  readonly #onResponse: OnResponse;
  readonly #abort = new AbortController();

  constructor(send: Send, headers: OutgoingHttpHeaders, onResponse: OnResponse) {
    super();
    this.#send = send;
    this.#headers = headers;
    this.#onResponse = onResponse;
  }

  end(body: Uint8Array | string = ""): void {
    void this.#finish(typeof body === "string" ? Buffer.from(body) : body);
  }

  destroy(): void {
    this.#abort.abort();
  }

  async #finish(body: Uint8Array): Promise<void> {
    try {
      const reply = await this.#send(this.#headers, body, this.#abort.signal);
      if (!reply) throw Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
      this.#onResponse(responseOf(reply));
    } catch (error) {
      this.emit("error", error);
    }
    this.emit("close");
  }
}

/** The SDK takes a body that is there as it is, and puts one together that comes as a stream. */
function responseOf({ status, headers, body }: AwsReply): object {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  return Object.assign(bytes, { statusCode: status, statusMessage: "", headers });
}
