import { RefusingAnswer } from "../fetch/answers.ts";
import { type Fetched, guardedFetch } from "../fetch/guarded-fetch.ts";
import type { Access, SourcePorts } from "./access.ts";
import { SourceFault } from "./source-fault.ts";

/** How a source is asked. */
export type Door = {
  /** Names the source in what the caller is told, such as `the bucket manuals`. */
  readonly what: string;
  readonly access: Access;
  readonly ports: SourcePorts;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
};

export type Question = {
  readonly url: URL;
  /** What is said when there is nothing at this address. */
  readonly missing: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * Asks a service something. Where it refuses what gives access, that is got anew once: it may have been replaced.
 *
 * @throws SourceFault when there is nothing, or the source may not be read; otherwise as `guardedFetch`
 */
export async function callSource(door: Door, question: Question): Promise<Fetched> {
  try {
    return await send(door, question);
  } catch (error) {
    if (!isRefusal(error)) throw faultOf(error, door, question);
  }
  door.access.forget();
  try {
    return await send(door, question);
  } catch (error) {
    throw faultOf(error, door, question);
  }
}

export async function callSourceForJson(door: Door, question: Question): Promise<unknown> {
  const { bytes } = await callSource(door, question);
  return JSON.parse(textOf(bytes));
}

export const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");

async function send({ access, ports, headers }: Door, question: Question): Promise<Fetched> {
  const signed = await access.sign(question.url);
  return guardedFetch(signed.url, {
    allowedHosts: ports.allowedHosts,
    headers: { ...headers, ...question.headers, ...signed.headers },
  });
}

const isRefusal = (error: unknown): error is RefusingAnswer =>
  error instanceof RefusingAnswer && (error.status === 401 || error.status === 403);

function faultOf(error: unknown, { what }: Door, { missing }: Question): unknown {
  if (isRefusal(error))
    return new SourceFault("refused", `${capital(what)} may not be read: ${error.status}.`);
  const isMissing = error instanceof RefusingAnswer && error.status === 404;
  return isMissing ? new SourceFault("missing", missing) : error;
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
