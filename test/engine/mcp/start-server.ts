import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

type Seen = {
  readonly methods: readonly string[];
  readonly sessions: number;
  readonly calls: readonly { readonly name: string; readonly args: unknown }[];
  readonly cancelled: number;
  readonly authorization: string;
  /** Of the last call. */
  readonly traceparent: string;
};

export type McpProcess = {
  readonly url: string;
  /** What it was asked so far. */
  readonly seen: () => Promise<Seen>;
  /** Makes it forget its sessions, as a restart would; `as` says how it answers unknown ones from then on. */
  readonly forget: (as?: { readonly status: string; readonly text: string }) => Promise<void>;
  /** Makes it forget what it has seen, too. */
  readonly reset: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Starts a real MCP server in a process of its own. */
export async function startMcpServer(): Promise<McpProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "server-process.ts")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [port] = await once(createInterface({ input: child.stdout }), "line");
  const base = `http://127.0.0.1:${port}`;
  return {
    url: `${base}/mcp`,
    seen: async () => JSON.parse(await (await fetch(`${base}/seen`)).text()),
    forget: async (as = { status: "404", text: "no such session" }) =>
      void (await fetch(`${base}/forget?${new URLSearchParams(as)}`, { method: "POST" })),
    reset: async () => void (await fetch(`${base}/reset`, { method: "POST" })),
    stop: async () => {
      child.kill();
      await once(child, "exit");
    },
  };
}
