import { describe, expect, test } from "vitest";
import { preparedMessage } from "../../shared/chat/whatsapp/prepared-message.ts";
import { whatsappParts } from "../../shared/chat/whatsapp/whatsapp-parts.ts";
import { whatsappTools } from "../../shared/engine/tool/whatsapp-tools.ts";
import { ACCEPTED_FOR_SENDING } from "../../shared/schemas/chat/whatsapp-sends.ts";
import type { ToolExecution } from "../../shared/schemas/runs/run.ts";
import { anAgent, aRequest, runAgent } from "../engine/support/run-agent.ts";

const onWhatsapp = { interface: "whatsapp" };
const call = async (
  name: string,
  args: object,
  metadata: Record<string, unknown> = onWhatsapp,
): Promise<ToolExecution> => {
  const message = `[[tool:${name} ${JSON.stringify(args)}]]`;
  const agent = anAgent({ tools: whatsappTools() });
  const { outcome } = await runAgent(message, { agent, request: aRequest(message, { metadata }) });
  const [made] = outcome.output.tools ?? [];
  if (!made) throw new Error("no call was made");
  return made;
};
const prepared = async (name: string, args: object) => preparedMessage(await call(name, args), "wamid.1");

const row = (title: string, description?: string) => ({ title, ...(description && { description }) });
const rows = (count: number) => Array.from({ length: count }, (_, i) => row(`Row ${i}`));

describe("a message of an agent's own", () => {
  test.each([
    ["send_text_message", { text: "Hi" }, { type: "text", text: { preview_url: false, body: "Hi" } }],
    [
      "send_template_message",
      { name: "order_ready", language: "en", parameters: ["K-7"] },
      {
        type: "template",
        template: {
          name: "order_ready",
          language: { code: "en" },
          components: [{ type: "body", parameters: [{ type: "text", text: "K-7" }] }],
        },
      },
    ],
    [
      "send_reply_buttons",
      { text: "Tea?", footer: "Today", buttons: ["Yes", "No"] },
      {
        type: "interactive",
        interactive: {
          type: "button",
          body: { text: "Tea?" },
          footer: { text: "Today" },
          action: {
            buttons: [
              { type: "reply", reply: { id: "button-1", title: "Yes" } },
              { type: "reply", reply: { id: "button-2", title: "No" } },
            ],
          },
        },
      },
    ],
    [
      "send_list_message",
      { text: "Tea?", button: "Choose", sections: [{ rows: [row("Green", "mild"), row("Black")] }] },
      {
        type: "interactive",
        interactive: {
          type: "list",
          body: { text: "Tea?" },
          action: {
            button: "Choose",
            sections: [
              {
                rows: [
                  { id: "row-1-1", title: "Green", description: "mild" },
                  { id: "row-1-2", title: "Black" },
                ],
              },
            ],
          },
        },
      },
    ],
    [
      "send_image",
      { url: "https://pictures.example/a.png", caption: "A" },
      { type: "image", image: { link: "https://pictures.example/a.png", caption: "A" } },
    ],
    [
      "send_document",
      { url: "https://files.example/a.pdf", filename: "a.pdf" },
      { type: "document", document: { link: "https://files.example/a.pdf", filename: "a.pdf" } },
    ],
    [
      "send_location",
      { latitude: 1.5, longitude: 2, name: "Harbour" },
      { type: "location", location: { latitude: 1.5, longitude: 2, name: "Harbour" } },
    ],
    [
      "send_reaction",
      { emoji: "👍" },
      { type: "reaction", reaction: { message_id: "wamid.1", emoji: "👍" } },
    ],
  ])("by %s is as the platform takes it, but for the recipient", async (name, args, message) => {
    expect(await prepared(name, args)).toEqual(message);
  });

  test.each([
    ["send_text_message", { text: "a".repeat(4097) }],
    ["send_reply_buttons", { text: "?", buttons: [] }],
    ["send_reply_buttons", { text: "?", buttons: ["1", "2", "3", "4"] }],
    ["send_reply_buttons", { text: "?", buttons: ["a".repeat(21)] }],
    ["send_list_message", { text: "?", button: "a".repeat(21), sections: [{ rows: rows(1) }] }],
    ["send_list_message", { text: "?", button: "Choose", sections: [{ rows: rows(11) }] }],
    ["send_list_message", { text: "?", button: "Choose", sections: [{ rows: rows(5) }, { rows: rows(5) }] }],
    ["send_list_message", { text: "?", button: "Choose", sections: [{ rows: [row("a".repeat(25))] }] }],
    ["send_list_message", { text: "?", button: "Choose", sections: [{ rows: [row("a", "b".repeat(73))] }] }],
    ["send_image", { url: "http://pictures.example/a.png" }],
    ["send_image", { url: "https://pictures.example/a.png", caption: "a".repeat(1025) }],
    ["send_location", { latitude: 91, longitude: 0 }],
    ["send_reaction", { emoji: "yes" }],
  ])("by %s that breaks a limit is refused, and nothing is on record for sending: %j", async (name, args) => {
    const made = await call(name, args);
    expect(made.tool_call_error).toBe(true);
    expect(preparedMessage(made, "wamid.1")).toBeUndefined();
  });

  test("is refused where the conversation is not on WhatsApp", async () => {
    expect(await call("send_text_message", { text: "Hi" }, {})).toMatchObject({
      tool_call_error: true,
      result: "This conversation is not on WhatsApp, so nothing can be sent there.",
    });
  });

  test("is not made of another user's tool with the same name", async () => {
    const made = await call("send_text_message", { text: "Hi" });
    expect(made.result).toBe(ACCEPTED_FOR_SENDING);
    expect(preparedMessage({ ...made, result: "sent" }, "wamid.1")).toBeUndefined();
  });

  test("stands after reasoning and files, in place of the text", async () => {
    const calls = [await call("send_text_message", { text: "Hi" })];
    const media = [{ kind: "images", mime_type: "image/png", url: "https://p.example/a.png" }] as const;
    const parts = whatsappParts({ text: "Done.", reasoning: "Hm.", media, calls }, "wamid.1");
    expect(parts.map(({ kind }) => kind)).toEqual(["text", "medium", "prepared"]);
  });
});

test("some of the tools may be left out", () => {
  expect(whatsappTools(["send_reaction", "send_location"]).map(({ name }) => name)).toEqual([
    "send_location",
    "send_reaction",
  ]);
});
