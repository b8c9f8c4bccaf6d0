import type { Frame, Protocol } from "../../support/hostile-model/protocol.ts";
import { framesUpTo } from "../../support/hostile-model/send-reply.ts";
import type { Turn } from "../../support/hostile-model/turn.ts";
import type { WireReply, WireRequest } from "../support/wire-server.ts";

export type WireCall = { readonly id: string; readonly name: string; readonly input: string };

/** What a service was asked, in words that all wires share. */
export type Asked = {
  readonly model: unknown;
  readonly system: unknown;
  /** Roles of the conversation without the system message; a tool's result has the role the wire gives it. */
  readonly roles: readonly unknown[];
  readonly tools: readonly {
    readonly name: unknown;
    readonly description: unknown;
    readonly schema: unknown;
  }[];
  readonly results: readonly { readonly id: unknown; readonly text: unknown }[];
};

export type Reasoned = { readonly text: unknown; readonly proof?: unknown };

/** How one kind of model service speaks, as its documentation has it. */
export type Wire = {
  readonly spec: string;
  /** Variables that let the platform reach it, beside the address. */
  readonly config: Readonly<Record<string, string>>;
  readonly provider: string;
  readonly path: string;
  /** What follows the server's address in MODEL_BASE_URL. */
  readonly basePath: string;
  readonly role: { readonly toolResult: string };
  readonly authorized: (request: WireRequest) => boolean;
  readonly read: (request: WireRequest) => Asked;
  /** An answer in two deltas, with 11 input and 7 output tokens. */
  readonly text: (first: string, second: string) => WireReply;
  readonly calls: (calls: readonly WireCall[]) => WireReply;
  readonly error: (status: number, message: string) => WireReply;
  /** Reasoning "I add.", with proof "sig-1" where the wire has one, followed by one tool call. */
  readonly reasoned: (call: WireCall) => WireReply;
  /** The reasoning that a request shows, as text and proof, and the type of the part that follows it. */
  readonly reasonings: (request: WireRequest) => readonly Reasoned[];
  /** The JSON Schema that a request holds the answer to; undefined when it has none. */
  readonly shape: (request: WireRequest) => unknown;
  /** An answer of that shape, as this wire gives it. */
  readonly shaped: (json: string) => WireReply;
  /** A throttle that comes after the answer has begun. */
  readonly throttledInStream: (message: string) => WireReply;
  /** An answer whose connection ends in the middle. */
  readonly cutOff: (text: string) => WireReply;
};

/** The replies of a wire, as its protocol writes them. */
export function repliesBy(protocol: Protocol): Pick<Wire, Replying> {
  const stream = (frames: readonly Frame[]): WireReply => ({
    contentType: protocol.contentType,
    body: Buffer.concat(frames.map(({ bytes }) => bytes)),
  });
  const turn = (said: Turn): WireReply => stream(protocol.frames(said));
  const begun = (text: string): Frame[] => framesUpTo(protocol.frames({ text: [text, "rest"] }), 1);
  const callOf = ({ id, name, input }: WireCall) => ({ id, name, arguments: input });
  return {
    text: (first, second) => turn({ text: [first, second] }),
    calls: (calls) => turn({ calls: calls.map(callOf) }),
    reasoned: (call) => turn({ reasoning: { text: ["I ", "add."], proof: "sig-1" }, calls: [callOf(call)] }),
    shaped: (json) => turn({ text: [json] }),
    error: (status, message) => {
      const { body, headers } = protocol.refused(status, message);
      return {
        status,
        contentType: "application/json",
        body: JSON.stringify(body),
        ...(headers && { headers }),
      };
    },
    throttledInStream: (message) => stream([...begun("Half "), ...protocol.failed("overloaded", message)]),
    cutOff: (text) => stream(begun(text)),
  };
}

type Replying = "text" | "calls" | "reasoned" | "shaped" | "error" | "throttledInStream" | "cutOff";

/** A member of a JSON value that a test does not know the type of. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (inner !== null && typeof inner === "object" ? Reflect.get(inner, key) : undefined),
    value,
  );
}

export const listAt = (value: unknown, ...path: readonly (string | number)[]): unknown[] => {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
};
