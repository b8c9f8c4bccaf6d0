import { defineTool, resultWithMedia } from "@agentplatform/core";
import * as v from "valibot";
import { encodePng } from "../pictures/encode-png.ts";

const SIZE = 64;

/** Draws a round badge; shows a tool that returns an image. */
export const drawBadge = defineTool({
  name: "draw_badge",
  description: "Draw a round badge of one colour.",
  parameters: v.object({
    colour: v.pipe(
      v.string(),
      v.regex(/^#[0-9a-f]{6}$/i, "a colour is written as #RRGGBB"),
      v.description("#RRGGBB"),
    ),
  }),
  effect: "safe",
  execute: ({ colour }) => {
    const rgb = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
    const middle = (SIZE - 1) / 2;
    const isInside = (x: number, y: number) => Math.hypot(x - middle, y - middle) <= middle;
    const bytes = encodePng(SIZE, (x, y) => [...rgb, isInside(x, y) ? 255 : 0]);
    const picture = {
      mime_type: "image/png",
      filename: "badge.png",
      alt_text: `A badge in ${colour}.`,
      bytes,
    };
    return resultWithMedia("The badge is drawn.", [picture]);
  },
});
