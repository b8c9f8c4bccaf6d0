import { describe, expect, test } from "vitest";
import type { InputMedia } from "../../shared/schemas/runs/media.ts";
import { anAgent, aRequest, runAgent } from "./support/run-agent.ts";
import { watchedModel } from "./support/watched-model.ts";

const objectOf = (key: string) => ({ key, sha256: "0", bytes: 1 });
const held: Record<string, string> = { picture: "PNG", notes: "buy milk", sound: "WAV" };
const media: InputMedia = {
  images: [{ id: "1", format: "png", mime_type: "image/png", object: objectOf("picture") }],
  audios: [{ id: "2", format: "wav", object: objectOf("sound") }],
  videos: [{ id: "3", url: "https://videos.example/v.mp4", mime_type: "video/mp4" }],
  files: [{ id: "4", mime_type: "text/plain", filename: "notes.txt", object: objectOf("notes") }],
};

async function shown(message: string, agent = anAgent()) {
  const { models, prompts } = watchedModel();
  const loads: string[] = [];
  const loadObject = async ({ key }: { key: string }) => {
    loads.push(key);
    return Buffer.from(held[key] ?? "");
  };
  const run = await runAgent(message, { agent, models, loadObject, request: aRequest(message, { media }) });
  return { run, prompts, loads };
}

describe("media of a run", () => {
  test("reach the model with their content, after the words", async () => {
    const { prompts } = await shown("look");
    expect(prompts[0]?.at(-1)?.content).toEqual([
      { type: "text", text: "look" },
      { type: "file", mediaType: "image/png", data: { type: "data", data: "UE5H" } },
      { type: "file", mediaType: "audio/wav", data: { type: "data", data: "V0FW" } },
      {
        type: "file",
        mediaType: "video/mp4",
        data: { type: "url", url: new URL("https://videos.example/v.mp4") },
      },
      {
        type: "file",
        mediaType: "text/plain",
        filename: "notes.txt",
        data: { type: "text", text: "buy milk" },
      },
    ]);
  });

  test("are kept by reference, in the input and on the user's message", async () => {
    const { run } = await shown("look");
    expect(run.outcome.output.input).toEqual({ input_content: "look", ...media });
    const { images, audio, videos, files } = run.outcome.output.messages?.[0] ?? {};
    expect({ images, audios: audio, videos, files }).toEqual(media);
    expect(JSON.stringify(run.outcome.output)).not.toContain("UE5H");
  });
});
