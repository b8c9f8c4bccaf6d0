import { crc32, deflateSync } from "node:zlib";
import * as v from "valibot";
import { defineTool, resultWithMedia } from "../../../shared/engine/define/index.ts";

/** Tools that are executed when they are called. */

export const addNumbers = defineTool({
  name: "add_numbers",
  description: "Add two numbers.",
  parameters: v.object({ a: v.number(), b: v.number() }),
  effect: "safe",
  execute: ({ a, b }) => a + b,
});

/** Throws for a time zone that does not exist. */
export const getTime = defineTool({
  name: "get_time",
  description: "Get the time.",
  parameters: v.object({ timezone: v.optional(v.string()) }),
  effect: "safe",
  execute: ({ timezone = "UTC" }) =>
    new Date().toLocaleString("en-GB", { timeZone: timezone, timeZoneName: "short" }),
});

/** Changes the session's state. */
export const rememberName = defineTool({
  name: "remember_name",
  description: "Remember the guest's name.",
  parameters: v.object({ name: v.pipe(v.string(), v.nonEmpty()) }),
  effect: "safe",
  execute: ({ name }, { updateSessionState }) => {
    updateSessionState({ guest: name });
    return `I will call you ${name}.`;
  },
});

/** Returns a file: a picture of one pixel. */
export const drawBadge = defineTool({
  name: "draw_badge",
  description: "Draw a badge of one colour.",
  parameters: v.object({
    colour: v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/i, "a colour is written as #RRGGBB")),
  }),
  effect: "safe",
  execute: ({ colour }) =>
    resultWithMedia("The badge is drawn.", [
      {
        mime_type: "image/png",
        filename: "badge.png",
        alt_text: `A badge in ${colour}.`,
        bytes: onePixel(Buffer.from(colour.slice(1), "hex")),
      },
    ]),
});

/** @source W3C PNG, third edition: eight bits for each of red, green and blue; the line begins with its filter, none */
const onePixel = (rgb: Uint8Array): Uint8Array =>
  Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", Buffer.from("00000001000000010802000000", "hex")),
    chunk("IDAT", deflateSync(Buffer.from([0, ...rgb]))),
    chunk("IEND", Buffer.alloc(0)),
  ]);

function chunk(type: string, data: Uint8Array): Uint8Array {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
