import * as v from "valibot";
import { defineAgent } from "../../../shared/engine/define/agent.ts";
import { defineTool, resultWithMedia } from "../../../shared/engine/tool/tool.ts";
import { whatsappTools } from "../../../shared/engine/tool/whatsapp-tools.ts";

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a];

const works = {
  png: {
    mime_type: "image/png",
    filename: "red.png",
    bytes: Uint8Array.from(PNG),
    alt_text: `red ${"r".repeat(1100)}`,
  },
  /** Says that it is a PNG, and is none. */
  fake: { mime_type: "image/png", filename: "fake.png", bytes: Buffer.from("GIF89a") },
  webp: {
    mime_type: "image/webp",
    filename: "blue.webp",
    bytes: Buffer.from("RIFFxxxxWEBP"),
    alt_text: "blue",
  },
  mp3: { mime_type: "audio/mpeg", filename: "song.mp3", bytes: Buffer.from("ID3"), alt_text: "a song" },
  bmp: { mime_type: "image/bmp", filename: "old.bmp", bytes: Buffer.from("BM") },
  pdf: { mime_type: "application/pdf", filename: "bill.pdf", bytes: Buffer.from("%PDF") },
  mp4: { mime_type: "video/mp4", url: "https://videos.example/v.mp4" },
} as const;

/** Gives the works that it is asked for. */
const exhibit = defineTool({
  name: "exhibit",
  description: "Show works.",
  parameters: v.object({ works: v.array(v.picklist(["png", "fake", "webp", "bmp", "mp3", "pdf", "mp4"])) }),
  effect: "safe",
  execute: (asked) =>
    resultWithMedia(
      "There you are.",
      asked.works.map((work) => works[work]),
    ),
});

/** An agent that gives files, and that can send to WhatsApp itself. */
export const artist = defineAgent({ id: "artist", name: "Artist", tools: [exhibit, ...whatsappTools()] });

/** Has it give works. */
export const exhibiting = (...asked: readonly (keyof typeof works)[]): string =>
  `[[tool:exhibit ${JSON.stringify({ works: asked })}]]`;
