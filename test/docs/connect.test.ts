import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { transform } from "esbuild";
import { describe, expect, test } from "vitest";
import { settingsDoc } from "../../scripts/settings-doc.ts";
import { matchRoute } from "../../shared/routes/matching/match.ts";

const folder = join(import.meta.dirname, "../../docs/guide/connect");
const pages = readdirSync(folder).map((file) => ({
  file,
  text: readFileSync(join(folder, file), "utf8"),
}));
const list = readFileSync(join(folder, "../clients.md"), "utf8");

/** Clients of others, each with what its page is called. */
const clients: Readonly<Record<string, string>> = {
  "Claude.ai": "claude.md",
  ChatGPT: "chatgpt.md",
  "Claude Code": "claude-code.md",
  Cursor: "cursor.md",
  "VS Code": "vs-code.md",
  "MCP Inspector": "mcp-inspector.md",
  "OpenAI's SDKs": "openai-sdk.md",
  "the AI SDK": "vercel-ai-sdk.md",
  LangChain: "langchain.md",
  "Open WebUI": "open-webui.md",
  LibreChat: "librechat.md",
  "`useChat`": "use-chat.md",
  CopilotKit: "copilotkit.md",
  "assistant-ui": "assistant-ui.md",
  Zed: "editors.md",
  Langfuse: "langfuse.md",
  Phoenix: "phoenix.md",
  Datadog: "datadog.md",
  CloudWatch: "cloudwatch.md",
};

test.each(Object.entries(clients))("%s is on the list of clients, with its page", (name, file) => {
  const row = list.split("\n").find((line) => line.includes(`(connect/${file})`));
  expect(row).toContain(name);
  expect(pages.map((page) => page.file)).toContain(file);
});

test("every page is of a client that is on the list", () => {
  expect(pages.map(({ file }) => file).toSorted()).toEqual(Object.values(clients).toSorted());
});

const blocksOf = (text: string) =>
  [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = "", code = ""]) => ({ language, code }));
/** Of the platform, here or deployed. */
const addressesIn = (text: string) =>
  [
    ...text.matchAll(
      /https?:\/\/(?:127\.0\.0\.1:7777|host\.docker\.internal:7777|agents\.example\.com)([\w./-]*)/g,
    ),
  ].map(([, path = ""]) => path);
/** With the one option of a client that is written alike. */
const settings = new Set([...settingsDoc().matchAll(/`(\w+)`/g)].map(([, name]) => name)).add("background");

describe.each(pages)("the page $file", ({ text }) => {
  test("has what to paste, and what one sees then", () => {
    const inline = [...text.matchAll(/`(https:[^`]*)`/g)];
    expect([...blocksOf(text), ...inline]).not.toEqual([]);
    expect(text).toMatch(/\b[Yy]ou see\b/);
  });

  test("has code that can be read, and addresses that are served", async () => {
    for (const { language, code } of blocksOf(text)) {
      if (language === "json") expect(JSON.parse(code)).toBeTypeOf("object");
      if (["ts", "tsx", "jsx"].includes(language))
        await expect(transform(code, { loader: language as "ts", jsx: "automatic" })).resolves.toBeDefined();
    }
    for (const path of addressesIn(text)) expect(isServed(path), path).toBe(true);
  });

  test("names settings that there are", () => {
    const named = [...text.matchAll(/`(?:-c )?(\w+)(?:=| off)[^`]*`/g)].map(([, name = ""]) => name);
    const variables = [...text.matchAll(/\b([A-Z]+_[A-Z_]+)=/g)].map(([, name = ""]) => name);
    expect([...named, ...variables].filter((name) => !settings.has(name))).toEqual([]);
  });
});

/** Some way of asking there, or the base of addresses of OpenAI's interface. */
const isServed = (path: string): boolean =>
  ["", "/v1"].includes(path) ||
  ["GET", "POST"].some((method) => "operation" in (matchRoute(method, path) ?? {}));
