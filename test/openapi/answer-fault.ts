/** Data of the frames of an event stream, each read as JSON. Comments are none. */
export const framesIn = (text: string): unknown[] =>
  text
    .split("\n\n")
    .filter((frame) => frame !== "" && !frame.startsWith(":"))
    .map((frame) => JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? "null"));
