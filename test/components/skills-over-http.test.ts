import { createHash } from "node:crypto";
import { ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect } from "vitest";
import { type Answer, type Client, clientOf } from "../support/client.ts";
import { createComponent } from "../support/create-component.ts";
import { mcpClient } from "../support/mcp-world.ts";
import type { RunningPlatform } from "../support/platform.ts";
import { test } from "../support/shared-platform.ts";

/** Skills that a stored component brings along, in runs and over MCP. */
let platform: RunningPlatform;
let admin: Client;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
  admin = clientOf(platform.url, platform.adminToken);
});

type Message = { readonly role: string; readonly content?: string };

const skillFile = (text: string): string =>
  `---\nname: returns\ndescription: How goods come back.\nmetadata:\n  version: "1.0"\n---\n${text}\n`;
const returns = (text: string, more: Readonly<Record<string, string>> = {}) => ({
  name: "returns",
  files: { "SKILL.md": skillFile(text), ...more },
});
const stored = (skills: readonly unknown[], component_id: string) =>
  createComponent(admin, { component_id, config: { skills }, stage: "published" });

const run = (id: string, message: string, form: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  admin.post(`/agents/${id}/runs`, { form: { message, stream: "false", ...form } });
const ofRole = ({ json }: Answer, role: string): string[] =>
  json.messages.filter((one: Message) => one.role === role).map(({ content = "" }: Message) => content);

const READ = '[[tool:get_skill_instructions {"skill_name":"returns"}]]';

describe("a skill of a stored component", () => {
  test("is read in the version that the run has", async () => {
    const id = await stored([returns("Ask for the receipt.")], "skilled-1");
    const config = { skills: [returns("Ask for nothing.", { "references/why.md": "Because." })] };
    await admin.post(`/components/${id}/configs`, { json: { config, stage: "draft" } });
    expect(ofRole(await run(id, READ), "tool")[0]).toContain("Ask for the receipt.");
    const next = await run(
      id,
      `${READ}[[tool:get_skill_reference {"skill_name":"returns","reference_path":"references/why.md"}]]`,
      { version: "2" },
    );
    const [instructions = "", reference = ""] = ofRole(next, "tool");
    expect(JSON.parse(instructions)).toMatchObject({
      instructions: "Ask for nothing.",
      available_references: ["why.md"],
    });
    expect(JSON.parse(reference)).toMatchObject({ content: "Because." });
    await admin.call("PATCH", `/components/${id}/configs/2`, { json: { stage: "published" } });
    await admin.post(`/components/${id}/configs/2/set-current`);
    expect(ofRole(await run(id, READ), "tool")[0]).toContain("Ask for nothing.");
  });

  test("costs a line of the prompt, however many files it has, until it is read", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [`references/r${at}.md`, "word ".repeat(300)]),
    );
    const few = await stored([returns("Do it.", { "references/a.md": "A" })], "skilled-few");
    const many = await stored([returns("Do it.", files)], "skilled-many");
    const none = await stored([], "skilled-none");
    const tokens = async (id: string): Promise<number> => (await run(id, "hi")).json.metrics.input_tokens;
    const [without, little, much] = [await tokens(none), await tokens(few), await tokens(many)];
    expect(much).toBe(little);
    expect(little - without).toBeLessThan(100);
    const read = await run(many, READ);
    expect(read.json.metrics.input_tokens).toBeGreaterThan(much);
  });

  test("is refused with what the format's rules say, by file and line", async () => {
    const config = { skills: [{ name: "returns", files: { "SKILL.md": "---\nname: returns\n---\n" } }] };
    const refused = await admin.post("/components?force=false", {
      json: {
        name: "Bot",
        component_type: "agent",
        component_id: "skilled-wrong",
        config,
        stage: "published",
      },
    });
    expect(refused.status).toBe(422);
    expect(refused.json.faults).toEqual([
      {
        path: "skills[0].files.SKILL.md",
        message: "it has no description; add `description:` to its frontmatter",
        error_code: "UNPROCESSABLE",
      },
    ]);
  });
});

describe("over MCP", () => {
  const ask = (client: Awaited<ReturnType<typeof mcpClient>>, method: string, params = {}) =>
    // biome-ignore lint/suspicious/noExplicitAny: a test asserts the shape itself
    client.request({ method, params }, ResultSchema) as Promise<any>;

  test("skills are listed with each file's digest, and their files are read, by who may read their component", async () => {
    const id = await stored([returns("Do it.", { "scripts/sum.py": "print(1)\n" })], "skilled-mcp");
    const uri = `skill://agents/${id}/returns/SKILL.md`;
    const client = await mcpClient(platform, "skill-maria", [`agents:${id}:read`]);
    expect(client.getServerCapabilities()?.extensions).toMatchObject({
      "io.modelcontextprotocol/skills": {},
    });
    const { skills, ...rest } = await ask(client, "skills/list");
    expect(rest).toMatchObject({ resultType: "complete", cacheScope: "private", ttlMs: 5_000 });
    expect(skills).toHaveLength(1);
    expect(skills[0]).toMatchObject({
      uri,
      frontmatter: { name: "returns", description: "How goods come back.", metadata: { version: "1.0" } },
    });
    expect((await ask(client, "skills/get", { uri })).skill).toEqual(skills[0]);
    for (const { uri: file, digest, size } of skills[0].resources) {
      const { contents } = await client.readResource({ uri: file });
      const [{ text }] = contents as unknown as [{ text: string }];
      expect(`sha256:${createHash("sha256").update(text).digest("hex")}`).toBe(digest);
      expect(Buffer.byteLength(text)).toBe(size);
    }
    expect(skills[0].resources).toHaveLength(2);
    const { resources } = await client.listResources();
    expect(resources).toContainEqual(
      expect.objectContaining({ uri, name: "returns", mimeType: "text/markdown" }),
    );

    const other = await mcpClient(platform, "skill-otto", ["agents:assistant:read"]);
    expect((await ask(other, "skills/list")).skills).toEqual([]);
    await expect(ask(other, "skills/get", { uri })).rejects.toMatchObject({ code: -32_602 });
    await expect(other.readResource({ uri })).rejects.toThrow(/not found/);
    await expect(ask(client, "skills/get", { uri: `${uri}/..` })).rejects.toMatchObject({ code: -32_602 });
    const none = await mcpClient(platform, "skill-none", ["knowledge:read"]);
    await expect(ask(none, "skills/list")).rejects.toMatchObject({ code: -32_601 });
  });
});
