import type { Turn } from "./turn.ts";

export type Frame = {
  readonly bytes: Buffer;
  /** Whether it holds a part of the text, the reasoning or the arguments. */
  readonly isDelta: boolean;
};

export type Refusal = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Json;
};

/** How one kind of model service answers, as its documentation has it. */
export type Protocol = {
  /** As a model is specified: `<provider>:<id>`. */
  readonly provider: "openai" | "openai-compatible" | "anthropic" | "amazon-bedrock";
  readonly serves: (path: string) => boolean;
  readonly streams: (path: string, body: Json) => boolean;
  /** Of a streamed answer. */
  readonly contentType: string;
  /** A streamed answer. */
  readonly frames: (turn: Turn) => Frame[];
  /** The same answer as one JSON value. */
  readonly whole: (turn: Turn) => Json;
  readonly refused: (status: number, message: string) => Refusal;
  /** The answer to a prompt that is longer than the model's window. */
  readonly tooLong: Refusal;
  /** What a service that fails within its stream sends last. */
  readonly failed: (code: "server_error" | "overloaded", message: string) => Frame[];
  readonly badFrame: Frame;
};

export type Json = Readonly<Record<string, unknown>>;

/** A server-sent event; `type` becomes its name too. */
export const sseFrame = (event: Json | "[DONE]", isDelta = false): Frame => {
  const name = event !== "[DONE]" && typeof event.type === "string" ? `event: ${event.type}\n` : "";
  const data = event === "[DONE]" ? event : JSON.stringify(event);
  return { bytes: Buffer.from(`${name}data: ${data}\n\n`), isDelta };
};

export const badSseFrame: Frame = { bytes: Buffer.from('data: {"type": "resp\n\n'), isDelta: false };

/** Writes JSON in two pieces, as services do. */
export function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== "");
}
