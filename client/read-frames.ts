/** A frame of a stream, as it is sent. */
export type Frame = { readonly event: string; readonly data: Readonly<Record<string, unknown>> };

/** The frames of a stream in order; comments, which keep the connection alive, are skipped. */
export async function* readFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      const frames = (rest + decoder.decode(chunk.value, { stream: true })).split("\n\n");
      rest = frames.pop() ?? "";
      for (const text of frames) {
        const frame = frameOf(text);
        if (frame) yield frame;
      }
    }
  } finally {
    await reader.cancel();
  }
}

function frameOf(text: string): Frame | undefined {
  const fieldOf = (name: string) =>
    text
      .split("\n")
      .filter((line) => line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).trimStart())
      .join("\n");
  const [event, data] = [fieldOf("event"), fieldOf("data")];
  // The end of a stream for clients of OpenAI and of the AI SDK.
  return data === "" || data === "[DONE]" ? undefined : { event, data: JSON.parse(data) };
}
