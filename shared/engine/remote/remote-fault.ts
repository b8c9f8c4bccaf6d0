import { AddressRefused } from "../../outbound/index.ts";
import { type RunFault, retryAfter } from "../model/model-fault.ts";

/** A failure that a remote agent's server, its card or its address is the reason of. The message is public. */
export class RemoteFault extends Error {
  override readonly name = "RemoteFault";
  readonly fault: Pick<RunFault, "cause" | "again">;

  constructor(fault: Pick<RunFault, "cause" | "again">, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** A server that lost what it was doing, in a crash for example, shows a task that works, and closes each of its streams. */
export class StreamClosed extends Error {
  override readonly name = "StreamClosed";
}

/** Faults of a connection that was never made: nothing can have arrived. */
const UNCONNECTED: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

/** Faults of a connection that ended early. */
const CLOSED: ReadonlySet<unknown> = new Set(["ECONNRESET", "EPIPE"]);

/** @param name  the remote agent's, as the text calls it */
export function remoteFault(thrown: unknown, name: string): RunFault {
  if (thrown instanceof RemoteFault) return { ...thrown.fault, text: thrown.message, thrown };
  if (thrown instanceof AddressRefused) {
    return {
      cause: "internal",
      text: `The remote agent ${name} may not be called: ${thrown.message}.`,
      thrown,
    };
  }
  if (thrown instanceof StreamClosed) {
    const text = `The remote agent ${name} closed the connection, and its task does not go on.`;
    return { cause: "model", text, thrown };
  }
  const code = propertyOf(thrown, "code");
  if (UNCONNECTED.has(code)) {
    return { cause: "model", text: `The remote agent ${name} could not be reached.`, thrown, again: {} };
  }
  if (CLOSED.has(code)) {
    const text = `The remote agent ${name} closed the connection before it answered.`;
    return { cause: "model", text, thrown };
  }
  // The SDK's errors of the protocol: what the other side itself said.
  const reason = propertyOf(thrown, "reason");
  if (thrown instanceof Error && (typeof reason === "string" || typeof code === "number")) {
    return { cause: "model", text: `The remote agent ${name} refused: ${thrown.message}`, thrown };
  }
  return { cause: "model", text: `The remote agent ${name} did not answer, or not by the protocol.`, thrown };
}

/**
 * Refuses answers by which a server says that it has not taken the request.
 *
 * @param nowMs  epoch milliseconds
 * @throws RemoteFault
 */
export function requireTaken({ status, headers }: Response, name: string, nowMs: number): void {
  if (status === 401 || status === 403) {
    throw new RemoteFault(
      { cause: "permission" },
      `The remote agent ${name} refused the credential (${status}).`,
    );
  }
  if (status === 429 || status === 503) {
    const after_seconds = retryAfter(Object.fromEntries(headers), nowMs);
    const again = after_seconds === undefined ? {} : { after_seconds };
    throw new RemoteFault(
      { cause: "throttled", again },
      `The remote agent ${name} asks to wait (${status}).`,
    );
  }
  if (status >= 300 && status < 400) {
    throw new RemoteFault(
      { cause: "model" },
      `The remote agent ${name} answered with a redirect, which is not followed.`,
    );
  }
}

const propertyOf = (value: unknown, name: string): unknown =>
  value !== null && typeof value === "object" ? Reflect.get(value, name) : undefined;
