import { describe, expect, test } from "vitest";
import { type A2aWorld, assistant, messageOf, team, workflow } from "../../support/a2a-world.ts";

const card = "/.well-known/agent-card.json";
/** Every member that version 1.0 has, as far as ours fills it. */
const members = [
  ..."capabilities defaultInputModes defaultOutputModes description name securityRequirements".split(" "),
  ..."securitySchemes skills supportedInterfaces version".split(" "),
];

export function cardChecks(world: () => A2aWorld): void {
  describe("the card", () => {
    test.each([
      ["agent", assistant],
      ["team", team],
      ["workflow", workflow],
    ])("of the %s %s can be read by clients of either version", async (kind, root) => {
      const { json } = await world().maria.get(root + card);
      const id = root.split("/").at(-1);
      expect(json).toMatchObject({
        name: expect.any(String),
        description: expect.any(String),
        version: "1.0.0",
        protocolVersion: "0.3.0",
        // Clients that read no more than this speak JSON-RPC to it.
        url: `${world().url}${root}`,
        securitySchemes: {
          bearer: { type: "http", scheme: "bearer", httpAuthSecurityScheme: { scheme: "Bearer" } },
        },
        preferredTransport: "JSONRPC",
        capabilities: { streaming: true, pushNotifications: false },
        skills: [{ id, tags: [kind] }],
        supportedInterfaces: expect.any(Array),
      });
    });

    test.each([
      ["the header", { "a2a-version": "1.0" }, ""],
      ["the query", {}, "?A2A-Version=1.0"],
    ])("is of version 1.0 alone for whoever asks for that by %s", async (_how, headers, query) => {
      const { json } = await world().maria.call("GET", assistant + card + query, { headers });
      expect(Object.keys(json).sort()).toEqual(members);
    });

    test("names addresses that answer as it says", async () => {
      const { maria } = world();
      const { json } = await maria.get(assistant + card);
      for (const { url, protocolBinding, protocolVersion } of json.supportedInterfaces) {
        const path = url.slice(world().url.length);
        const message = messageOf("hi");
        const legacy = {
          messageId: "m",
          role: "user",
          kind: "message",
          parts: [{ kind: "text", text: "hi" }],
        };
        const answer =
          protocolBinding === "JSONRPC"
            ? await maria.post(path, {
                json: {
                  jsonrpc: "2.0",
                  id: 1,
                  method: protocolVersion === "1.0" ? "SendMessage" : "message/send",
                  params: { message: protocolVersion === "1.0" ? message : legacy },
                },
              })
            : await maria.post(`${path}${protocolVersion === "1.0" ? "" : "/v1"}/message:send`, {
                json: {
                  message:
                    protocolVersion === "1.0"
                      ? message
                      : { messageId: "m", role: "ROLE_USER", content: [{ text: "hi" }] },
                },
                headers: { "a2a-version": protocolVersion },
              });
        const task = answer.json.result?.task ?? answer.json.result ?? answer.json.task;
        expect(task.status.state, url).toMatch(/completed/i);
      }
    });

    test("need not be sent again to who has it", async () => {
      const { maria } = world();
      const first = await maria.get(assistant + card);
      const etag = first.headers.get("etag") ?? "";
      expect(first.headers.get("vary")).toContain("A2A-Version");
      expect(first.headers.get("cache-control")).toBe("private, max-age=60");
      const again = (headers: Record<string, string>) => maria.call("GET", assistant + card, { headers });
      expect((await again({ "if-none-match": etag })).status).toBe(304);
      expect((await again({ "if-none-match": etag, "a2a-version": "1.0" })).status).toBe(200);
    });

    test("is announced by the configuration", async () => {
      const { json } = await world().admin.get("/config");
      expect(json.interfaces).toEqual([{ type: "a2a", version: "1.0", route: "/a2a" }]);
    });
  });
}
