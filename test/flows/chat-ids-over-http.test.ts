import * as v from "valibot";
import { describe, expect } from "vitest";
import { readUpdate } from "../../shared/chat/telegram/read-update.ts";
import { readPayload } from "../../shared/chat/whatsapp/read-payload.ts";
import { TelegramSettings, WhatsappSettings } from "../../shared/settings/values/chats.ts";
import { whatsappMessage } from "../support/chat-platforms/graph-server.ts";
import { clientOf } from "../support/client.ts";
import type { RunningPlatform } from "../support/platform.ts";
import { test } from "../support/shared-platform.ts";

let platform: RunningPlatform;
let maria: ReturnType<typeof clientOf>;
let admin: ReturnType<typeof clientOf>;
const scopes = [
  ...["agents:read", "agents:run", "teams:read", "teams:run", "workflows:read", "workflows:run"],
  ...["sessions:read", "sessions:write", "sessions:delete", "schedules:read", "schedules:write"],
];
test.beforeAll(({ platform: shared }) => {
  platform = shared;
  maria = clientOf(platform.url, platform.token("maria", scopes));
  admin = clientOf(platform.url, platform.adminToken);
});

const WHY = "session ids that begin with tg:, wa: or sl: belong to chats";

describe.each(["tg:assistant:tg:9", "wa:assistant:wa:15550199", "sl:assistant:sl:C1:1.1", "TG:assistant:9"])(
  "the session %s of a chat",
  (session_id) => {
    const everybody = () => [maria, admin];

    test("cannot be run in, in any mode", async () => {
      for (const client of everybody())
        for (const form of [
          { stream: "false" },
          { stream: "true" },
          { stream: "false", background: "true" },
        ]) {
          const path = "/agents/assistant/runs";
          const { status, text } = await client.post(path, { form: { message: "hi", session_id, ...form } });
          expect([status, text]).toEqual([400, expect.stringContaining(WHY)]);
        }
    });

    test("cannot be opened, named or copied", async () => {
      for (const client of everybody()) {
        const opened = await client.post("/sessions?type=agent", {
          json: { session_id, agent_id: "assistant" },
        });
        expect([opened.status, opened.json.detail]).toEqual([400, expect.stringContaining(WHY)]);
        const path = `/sessions/${encodeURIComponent(session_id)}`;
        const named = await client.post(`${path}/rename?type=agent`, { json: { session_name: "mine" } });
        expect([named.status, named.json.detail]).toEqual([400, expect.stringContaining(WHY)]);
        const copied = await client.post(`/agents/assistant${path}/fork`);
        expect([copied.status, copied.json.detail]).toEqual([400, expect.stringContaining(WHY)]);
      }
    });

    test("cannot be a context of another agent's message", async () => {
      const message = { messageId: "m1", contextId: session_id, role: "ROLE_USER", parts: [{ text: "hi" }] };
      const { status, text } = await maria.post("/a2a/agents/assistant/v1/message:send", {
        json: { message },
        headers: { "a2a-version": "1.0" },
      });
      expect(status).toBe(400);
      expect(text).toContain(WHY);
    });

    test("cannot be a schedule's", async () => {
      const json = {
        name: `chat-${session_id.length}-${session_id.slice(0, 2)}`,
        cron_expr: "0 0 * * *",
        endpoint: "/agents/assistant/runs",
        method: "POST",
        payload: { message: "hi", session_id },
      };
      const { status, json: answer } = await maria.post("/schedules", { json });
      expect([status, answer.detail]).toEqual([422, expect.stringContaining(WHY)]);
      const { session_id: _, ...payload } = json.payload;
      const made = await maria.post("/schedules", { json: { ...json, payload } });
      const changed = await maria.call("PATCH", `/schedules/${made.json.id}`, {
        json: { payload: json.payload },
      });
      expect(changed.status).toBe(422);
    });
  },
);

describe("the users of chats", () => {
  test.each(["tg:9", "wa:15550199", "sl:U1", "TG:9", "tg:tg-chat:-100"])(
    "%s is no user's token",
    async (subject) => {
      const { status } = await clientOf(platform.url, platform.token(subject, scopes)).get(
        "/sessions?type=agent",
      );
      expect(status).toBe(401);
    },
  );

  test("nor a service account's name", async () => {
    const json = { name: "tg:9", scopes: [{ scope: "agents:read" }] };
    expect((await admin.post("/service-accounts", { json })).status).toBe(422);
  });

  const telegram = (settings: object) => v.parse(TelegramSettings, { component: "agents/desk", ...settings });
  const whatsapp = (settings: object) =>
    v.parse(WhatsappSettings, { component: "agents/desk", phone_number_id: "700200", ...settings });
  const update = (chat: object) => ({
    update_id: 1,
    message: { message_id: 2, date: 3, chat, from: { id: 9, is_bot: false }, text: "hi" },
  });
  const read = (settings: object, chat: object = { id: 9, type: "private" }) =>
    readUpdate(update(chat) as never, { settings: telegram(settings), botId: "1", now: 3 });
  const received = (settings: object) =>
    readPayload(whatsappMessage({ from: "15550199", text: { body: "hi" } }) as never, {
      settings: whatsapp({ ...settings, phone_number_id: "700200" }),
      now: 3,
    })[0];

  test("have a prefix, and so have their sessions", () => {
    expect(read({})).toMatchObject({ owner: "tg:9", sender: "tg:9", scope: "tg:desk:tg:9" });
    expect(read({}, { id: -100, type: "supergroup" })).toMatchObject({
      owner: "tg:tg-chat:-100",
      sender: "tg:9",
    });
    expect(received({})).toMatchObject({ owner: "wa:15550199", scope: "wa:desk:wa:15550199" });
  });

  test("keep the ids that they had before, where the setting says so", () => {
    const user_id_prefix = "";
    expect(read({ user_id_prefix })).toMatchObject({ owner: "9", sender: "9", scope: "tg:desk:9" });
    expect(received({ user_id_prefix })).toMatchObject({ owner: "15550199", scope: "wa:desk:15550199" });
  });
});
