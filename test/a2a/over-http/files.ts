import { describe, expect, test } from "vitest";
import {
  type A2aWorld,
  assistant,
  dataOf,
  envelopeOf,
  messageOf,
  rest,
  rpc,
  send,
} from "../../support/a2a-world.ts";

const DRAW = '[[tool:draw_badge {"colour":"#0055cc"}]]';
const PNG_BASE64 = /^iVBORw0KGgo/;

export function fileChecks(world: () => A2aWorld): void {
  describe("a picture that a task made", () => {
    const shown = (id: string) => ({
      artifactId: `${id}:image-0`,
      name: "badge.png",
      description: "A badge in #0055cc.",
      parts: [{ raw: expect.stringMatching(PNG_BASE64), mediaType: "image/png", filename: "badge.png" }],
    });

    test("is an artifact beside its answer, when it is sent, looked at and listed", async () => {
      const { maria } = world();
      const { task } = (await send(maria, assistant, DRAW)).json;
      expect(task.artifacts).toEqual([expect.objectContaining({ name: "response" }), shown(task.id)]);
      const seen = (await rest(maria, "GET", `${assistant}/v1/tasks/${task.id}`)).json;
      expect(seen.artifacts).toEqual(task.artifacts);
      const list = (query: string) =>
        rest(maria, "GET", `${assistant}/v1/tasks?contextId=${task.contextId}${query}`);
      expect((await list("&includeArtifacts=true")).json.tasks[0].artifacts).toEqual(task.artifacts);
      expect((await list("")).json.tasks[0]).not.toHaveProperty("artifacts");
    });

    test("comes whole in a stream, after the answer's text", async () => {
      const { maria } = world();
      const asked = { json: { message: messageOf(DRAW) } };
      const { text } = await rest(maria, "POST", `${assistant}/v1/message:stream`, asked);
      const events = dataOf(text);
      const { artifact, lastChunk } = events.at(-2).artifactUpdate;
      expect(artifact).toEqual(shown(events[0].task.id));
      expect(lastChunk).toBe(true);
      expect(events.at(-1).statusUpdate.status.state).toBe("TASK_STATE_COMPLETED");
    });

    test("is a file with its bytes in version 0.3 and in the envelope dialect", async () => {
      const { maria } = world();
      const bytes = expect.stringMatching(PNG_BASE64);
      const file = { kind: "file", file: { bytes, mimeType: "image/png", name: "badge.png" } };
      const message = {
        kind: "message",
        messageId: "m-1",
        role: "user",
        parts: [{ kind: "text", text: DRAW }],
      };
      const legacy = await rpc(maria, assistant, "message/send", {
        message,
        configuration: { blocking: true },
      });
      expect(legacy.json.result.artifacts.at(-1)).toMatchObject({ name: "badge.png", parts: [file] });
      const enveloped = await maria.post(`${assistant}/v1/message:send`, { json: envelopeOf(DRAW) });
      expect(enveloped.json.result.artifacts).toEqual([
        { artifactId: "image-0", name: "badge.png", parts: [file] },
      ]);
    });
  });
}
