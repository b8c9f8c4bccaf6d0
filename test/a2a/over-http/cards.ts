import { describe, expect, test } from "vitest";
import {
  type A2aWorld,
  assistant,
  dataOf,
  messageOf,
  refundDesk,
  rest,
  rpc,
  send,
  team,
  workflow,
} from "../../support/a2a-world.ts";
import type { Client } from "../../support/client.ts";
import { createComponent } from "../../support/create-component.ts";

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
          bearer: { type: "http", scheme: "bearer", httpAuthSecurityScheme: { scheme: "bearer" } },
        },
        preferredTransport: "JSONRPC",
        capabilities: { streaming: true, pushNotifications: true },
        skills: expect.arrayContaining([expect.objectContaining({ id, tags: [kind] })]),
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

    test("shows what a component works with: tools, members, steps", async () => {
      const { maria } = world();
      const skillsOf = async (root: string) => (await maria.get(root + card)).json.skills;
      const named = (id: string, tag: string) =>
        expect.arrayContaining([
          expect.objectContaining({ id, tags: [tag], description: expect.stringMatching(/./) }),
        ]);
      expect(await skillsOf(refundDesk)).toEqual(named("refund-desk:issue_refund", "tool"));
      const members = (await maria.get("/teams/support-team")).json.members;
      expect(await skillsOf(team)).toEqual(named(`support-team:${members[0].id}`, "member"));
      const [first] = (await maria.get("/workflows/publish-report")).json.steps;
      expect(await skillsOf(workflow)).toEqual(named(`publish-report:${first.name}`, "step"));
    });

    test("of a stored component has its version, when it changed, and the type of its answers", async () => {
      const { admin } = world();
      const output_schema = { title: "Total", type: "object", properties: { sum: { type: "number" } } };
      const before = Date.now();
      const id = await createComponent(admin, { config: { output_schema }, stage: "published" });
      const { json, headers } = await admin.get(`/a2a/agents/${id}${card}`);
      expect(json).toMatchObject({ version: "1.0.0", defaultOutputModes: ["application/json"] });
      const changed = Date.parse(headers.get("last-modified") ?? "");
      expect(changed).toBeGreaterThan(before - 1_001);
      expect(changed).toBeLessThanOrEqual(Date.now());
      const { artifacts } = (await send(admin, `/a2a/agents/${id}`, '[[answer:{"sum":3}]]')).json.task;
      expect(artifacts[0].parts).toEqual([{ data: { sum: 3 } }]);
      const events = dataOf(
        (
          await rest(admin, "POST", `/a2a/agents/${id}/v1/message:stream`, {
            json: { message: messageOf('[[answer:{"sum":3}]]') },
          })
        ).text,
      );
      const last = events.findLast(({ artifactUpdate }) => artifactUpdate).artifactUpdate;
      expect(last).toMatchObject({ lastChunk: true, artifact: { parts: [{ data: { sum: 3 } }] } });
    });

    test("is the same where a client asks for the one of callers with a credential", async () => {
      const { maria } = world();
      const { json } = await rest(maria, "GET", assistant + card);
      expect(json.capabilities.extendedAgentCard).toBe(true);
      expect((await rest(maria, "GET", `${assistant}/v1/extendedAgentCard`)).json).toEqual(json);
      expect((await maria.get(`${assistant}/v1/card`)).json.protocolVersion).toBe("0.3.0");
      const called = (await rpc(maria, assistant, "GetExtendedAgentCard")).json.result;
      expect(called).toMatchObject({ name: json.name, supportedInterfaces: json.supportedInterfaces });
      const legacy = (await rpc(maria, assistant, "agent/getAuthenticatedExtendedCard")).json.result;
      expect(legacy).toMatchObject({ name: json.name, skills: json.skills });
    });

    test("is listed with those of everything that the caller may read, drafts left out", async () => {
      const { admin, as } = world();
      const name = crypto.randomUUID();
      await createComponent(admin, { name, config: {}, stage: "published" });
      await createComponent(admin, { name: `draft ${name}`, config: {} });
      const namesFor = async (client: Client) =>
        (await client.get("/a2a/cards")).json.cards.map((one: { name: string }) => one.name);
      const own = (await admin.get(assistant + card)).json.name;
      const all = await namesFor(admin);
      expect(all).toEqual(expect.arrayContaining([own, name]));
      expect(all).not.toContain(`draft ${name}`);
      expect(await namesFor(as("ann", "agents:assistant:read"))).toEqual([own]);
      expect(await namesFor(as("ann", "agents:run"))).toEqual([]);
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
      expect(json.interfaces).toContainEqual({ type: "a2a", version: "1.0", route: "/a2a" });
    });
  });
}
