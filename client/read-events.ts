/** One event of a run's stream. */
export type RunEvent = { readonly event: string; readonly data: Readonly<Record<string, unknown>> };

/** The events of a stream in order; comments, which keep the connection alive, are skipped. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<RunEvent, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      const frames = (rest + decoder.decode(chunk.value, { stream: true })).split("\n\n");
      rest = frames.pop() ?? "";
      for (const frame of frames) {
        const event = eventOf(frame);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel();
  }
}

function eventOf(frame: string): RunEvent | undefined {
  const fieldOf = (name: string) =>
    frame
      .split("\n")
      .filter((line) => line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).trimStart())
      .join("\n");
  const [event, data] = [fieldOf("event"), fieldOf("data")];
  return data === "" ? undefined : { event, data: JSON.parse(data) };
}
