import { type Fields, type GuardedWay, named, nothing, textOf } from "./way.ts";

const said = (text: string) => ({ messages: [{ id: "m", role: "user", parts: [{ type: "text", text }] }] });

/** @param more  members beside the id, with the messages */
const chat =
  (path: string, more: (words: string) => object): GuardedWay =>
  (client, words) => {
    const json = { id: crypto.randomUUID(), ...said("hello"), ...more(words) };
    return textOf(client.post(`${path}/chat`, { json }));
  };

const elsewhere = nothing("is read where a run waits, and answers it as its continuation does");

/** @param answered  of `open_gate`, the component's client gives the output */
export const uiChatFields = (path: string): Fields => ({
  fields: {
    "messages.parts": chat(path, said),
    "messages.parts of a tool": async (client, words) => {
      const id = crypto.randomUUID();
      const tools = [{ name: "open_gate" }];
      const asked = said('[[tool:open_gate {"words":"so far"}]]');
      const first = await textOf(client.post(`${path}/chat`, { json: { id, tools, ...asked } }));
      const [, toolCallId] = /"toolCallId":"([^"]+)"/.exec(first) ?? [];
      const part = { type: "dynamic-tool", toolName: "open_gate", toolCallId };
      const parts = [{ ...part, state: "output-available", output: words }];
      const messages = [{ id: "a", role: "assistant", parts }];
      return textOf(client.post(`${path}/chat`, { json: { id, tools, messages } }));
    },
    "tools.description": chat(path, (description) => ({ tools: [{ name: "open_gate", description }] })),
    "tools.parameters": chat(path, (description) => ({
      tools: [{ name: "open_gate", parameters: { type: "object", description } }],
    })),
    "tools.name": named,
    "messages.parts.type": named,
    ...{ "messages.parts.*": elsewhere, "messages.*": nothing("of a message its parts alone are read") },
    messages: nothing("is a list"),
    ...{ "messages.role": named, "messages.id": named, messageId: named, trigger: named },
    ...{ id: named, background: nothing("says where the run is executed"), "*": nothing("is not read") },
  },
});
