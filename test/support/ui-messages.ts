import { parseJsonEventStream } from "@ai-sdk/provider-utils";
import { readUIMessageStream, type UIMessage, type UIMessageChunk, uiMessageChunkSchema } from "ai";

/** The message that the official reader makes of a stream, each time that it has changed. */
export async function* messagesIn(body: ReadableStream<Uint8Array>): AsyncGenerator<UIMessage> {
  const parsed = parseJsonEventStream({ stream: body, schema: uiMessageChunkSchema as never });
  const stream = parsed.pipeThrough(
    new TransformStream<{ success: boolean; value?: unknown; error?: unknown }, UIMessageChunk>({
      transform: (chunk, controller) => {
        if (!chunk.success) throw chunk.error;
        controller.enqueue(chunk.value as UIMessageChunk); // as the schema has read it
      },
    }),
  );
  yield* readUIMessageStream({ stream, terminateOnError: true });
}

export const textOf = (message: UIMessage | undefined): string =>
  (message?.parts ?? []).flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
