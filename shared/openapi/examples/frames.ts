type StreamedEvent = { readonly event: string } & Readonly<Record<string, unknown>>;

/** The text of a stream's frames. */
export const frames = (...events: readonly StreamedEvent[]): string =>
  events.map((one) => `event: ${one.event}\ndata: ${JSON.stringify(one)}\n\n`).join("");
