import { AsyncLocalStorage } from "node:async_hooks";
import { EventEmitter } from "node:events";
import http, { type ClientRequest, type OutgoingHttpHeaders, type RequestOptions } from "node:http";
import { type DynamoConnections, dynamoConnections } from "../dynamodb/dynamo-connections.ts";
import type { HttpReply } from "../dynamodb/http-reply.ts";
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
  /** The platform's AWS endpoint, which takes everything that is not passed on from here. */
  readonly awsAddress: string;
  /** Its first number is not 0 while a test injects faults: then everything goes to the endpoint. */
  readonly watched: Int32Array;
  /** Folder for the record of used permissions; undefined where nobody asked for one. */
  readonly grantsRecord: string | undefined;
};

type OnResponse = (response: unknown) => void;
type RealRequest = (options: RequestOptions, onResponse: OnResponse) => ClientRequest;

/**
 * The AWS endpoint of one function instance, inside its thread. A request of the SDK for the database leaves no socket
 * on its way here: what `http.request` is handed is checked against the function's role, as the platform's endpoint
 * does, and passed straight on to the engine. The rest, refusals too, is the endpoint's.
 */
export function openAwsGate(options: GateOptions): AwsGate {
  const { caller, dynamoEndpoint, awsAddress, watched } = options;
  const counted = new AsyncLocalStorage<Calls>();
  const use = openGrantsRecord(options.grantsRecord);
  const realRequest: RealRequest = http.request;
  const { hostname, port } = new URL(awsAddress);
  const isDynamo = ({ host, port: asked, headers }: RequestOptions): boolean =>
    host === hostname && String(asked) === port && targetOf(headers) !== undefined;
  if (new URL(dynamoEndpoint).protocol === "http:") {
    const engine = dynamoConnections(dynamoEndpoint);
    const mayPass = (operation: string, body: Uint8Array): boolean => {
      if (Atomics.load(watched, 0) !== 0) return false;
      const asked = { service: "dynamodb", operation, body: JSON.parse(Buffer.from(body).toString()) };
      if (refusalOf(caller, asked, use) !== undefined) return false;
      const calls = counted.getStore();
      if (calls) calls[`dynamodb:${operation}`] = (calls[`dynamodb:${operation}`] ?? 0) + 1;
      return true;
    };
    const request = (...args: Parameters<RealRequest>): ClientRequest | DynamoRequest =>
      typeof args[0] === "object" && isDynamo(args[0])
        ? new DynamoRequest(engine, mayPass, realRequest, ...args)
        : realRequest(...args);
    Object.assign(http, { request });
  }
  return { counting: (calls, work) => counted.run(calls, work) };
}

const targetPrefix = "DynamoDB_20120810.";

/** The operation that a request to the database is for. */
function targetOf(headers: RequestOptions["headers"]): string | undefined {
  const target = named(headers)["x-amz-target"];
  return typeof target === "string" && target.startsWith(targetPrefix)
    ? target.slice(targetPrefix.length)
    : undefined;
}

/** The SDK gives headers by name, never as a list. */
const named = (headers: RequestOptions["headers"] = {}): OutgoingHttpHeaders =>
  headers as OutgoingHttpHeaders;

/** What the SDK may ask of a connection that is there. */
const openSocket = Object.assign(new EventEmitter(), {
  connecting: false,
  setKeepAlive: () => {},
  setTimeout: () => {},
});

/**
 * A request of the SDK for the database: as much of Node's `ClientRequest` as its HTTP handler uses. The body comes in
 * one piece.
 */
class DynamoRequest extends EventEmitter {
  readonly socket = openSocket;
  readonly #engine: DynamoConnections;
  readonly #mayPass: (operation: string, body: Uint8Array) => boolean;
  readonly #realRequest: RealRequest;
  readonly #options: RequestOptions;
  readonly #onResponse: OnResponse;
  readonly #abort = new AbortController();

  constructor(
    engine: DynamoConnections,
    mayPass: (operation: string, body: Uint8Array) => boolean,
    realRequest: RealRequest,
    options: RequestOptions,
    onResponse: OnResponse,
  ) {
    super();
    this.#engine = engine;
    this.#mayPass = mayPass;
    this.#realRequest = realRequest;
    this.#options = options;
    this.#onResponse = onResponse;
  }

  end(body: Uint8Array | string = ""): void {
    const bytes = typeof body === "string" ? Buffer.from(body) : body;
    if (this.#mayPass(targetOf(this.#options.headers) ?? "", bytes)) void this.#send(bytes);
    else this.#passOn(bytes);
  }

  destroy(): void {
    this.#abort.abort();
  }

  async #send(body: Uint8Array): Promise<void> {
    try {
      const reply = await this.#engine.send(forwardedOf(this.#options.headers), body, this.#abort.signal);
      this.#onResponse(responseOf(reply));
    } catch (error) {
      this.emit("error", error);
    }
    this.emit("close");
  }

  #passOn(body: Uint8Array): void {
    const outgoing = this.#realRequest(this.#options, this.#onResponse);
    outgoing.on("error", (error) => this.emit("error", error));
    outgoing.once("close", () => this.emit("close"));
    this.#abort.signal.addEventListener("abort", () => outgoing.destroy(), { once: true });
    outgoing.end(body);
  }
}

/** What the engines look at. */
const forwarded = ["authorization", "content-type", "x-amz-date", "x-amz-target"];

function forwardedOf(given: RequestOptions["headers"]): Record<string, string> {
  const from = named(given);
  const headers: Record<string, string> = {};
  for (const name of forwarded) {
    const value = from[name];
    if (typeof value === "string") headers[name] = value;
  }
  return headers;
}

/** The SDK takes a body that is there as it is, and puts one together that comes as a stream. */
function responseOf({ status, headers, body }: HttpReply): object {
  return Object.assign(body, { statusCode: status, statusMessage: "", headers });
}
