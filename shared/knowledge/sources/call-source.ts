import { FinalResponse } from "../fetch/answers.ts";
import { type Fetched, guardedFetch } from "../fetch/guarded-fetch.ts";
import type { Access, SourcePorts } from "./access.ts";
import { SourceFault } from "./source-fault.ts";

/** How a source is called. */
export type SourceConnection = {
  /** Names the source in error messages, such as `the bucket manuals`. */
  readonly what: string;
  readonly access: Access;
  readonly ports: SourcePorts;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
};

export type SourceRequest = {
  readonly url: URL;
  /** Error message when there is nothing at this address. */
  readonly missing: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * Calls a source's service. If it refuses the credential, the call is repeated once with a newly loaded one: it may have
 * been replaced.
 *
 * @throws SourceFault when nothing is found, or the source may not be read; otherwise as `guardedFetch`
 */
export async function callSource(connection: SourceConnection, request: SourceRequest): Promise<Fetched> {
  try {
    return await send(connection, request);
  } catch (error) {
    if (!isRefusal(error)) throw faultOf(error, connection, request);
  }
  connection.access.invalidate();
  try {
    return await send(connection, request);
  } catch (error) {
    throw faultOf(error, connection, request);
  }
}

export async function callSourceForJson(
  connection: SourceConnection,
  request: SourceRequest,
): Promise<unknown> {
  const { bytes } = await callSource(connection, request);
  return JSON.parse(textOf(bytes));
}

export const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");

async function send({ access, ports, headers }: SourceConnection, request: SourceRequest): Promise<Fetched> {
  const signed = await access.sign(request.url);
  return guardedFetch(signed.url, {
    allowedHosts: ports.allowedHosts,
    headers: { ...headers, ...request.headers, ...signed.headers },
  });
}

const isRefusal = (error: unknown): error is FinalResponse =>
  error instanceof FinalResponse && (error.status === 401 || error.status === 403);

function faultOf(error: unknown, { what }: SourceConnection, { missing }: SourceRequest): unknown {
  if (isRefusal(error))
    return new SourceFault("refused", `${capital(what)} may not be read: ${error.status}.`);
  const isMissing = error instanceof FinalResponse && error.status === 404;
  return isMissing ? new SourceFault("missing", missing) : error;
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
