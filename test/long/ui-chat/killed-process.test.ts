import { afterAll, expect, test } from "vitest";
import { GRACE_SECONDS, untilLocksAreStale } from "../../support/kill-campaign.ts";
import { type KillablePlatform, killablePlatform } from "../../support/killable-platform.ts";
import { messagesIn, textOf } from "../../support/ui-messages.ts";

const TIMEOUT_MS = 200_000;
let platform: KillablePlatform | undefined;
afterAll(() => platform?.end());

const lines = Array.from({ length: 30 }, (_, i) => `word${i + 1}`).join(" ");

test(
  "a chat whose process is killed is followed again, and its text is there once",
  async () => {
    const killable = await killablePlatform({ LOCK_GRACE_SECONDS: String(GRACE_SECONDS), MAX_ATTEMPTS: "2" });
    platform = killable;
    await killable.start();
    const id = crypto.randomUUID();
    const messages = [
      { id: "m1", role: "user", parts: [{ type: "text", text: "[[tokens:30]] [[sleep:6000]]" }] },
    ];
    const json = { id, messages, background: true };
    const first = await killable.maria.send("POST", "/agents/assistant/chat", { json });
    const seen: string[] = [];
    try {
      for await (const message of messagesIn(bodyOf(first))) {
        seen.push(textOf(message));
        if (textOf(message).length > 10) await killable.kill();
      }
    } catch {
      // Its connection is gone.
    }
    expect(seen.at(-1)).not.toBe("");
    await untilLocksAreStale(Date.now());
    await killable.start();
    const stream = `/agents/assistant/chat/${id}/stream`;
    let last: Parameters<typeof textOf>[0];
    const again = await killable.maria.send("GET", stream);
    if (again.status !== 204) for await (const message of messagesIn(bodyOf(again))) last = message;
    expect(textOf(last)).toBe(lines);
    const { json: shown } = await killable.maria.get(`/agents/assistant/chat/${id}`);
    expect(shown.map(textOf)).toEqual(["[[tokens:30]] [[sleep:6000]]", lines]);
    expect((await killable.maria.send("GET", stream)).status).toBe(204);
  },
  TIMEOUT_MS,
);

function bodyOf({ body }: Response): ReadableStream<Uint8Array> {
  if (!body) throw new Error("an answer has no body");
  return body;
}
