import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "../../../client/index.ts";
import { openIdentity } from "../../../local/identity.ts";
import { ADMIN_ONLY } from "../../../shared/auth/scopes/admin-scope.ts";
import { UsageError } from "../usage-error.ts";

type LogOptions = { readonly url?: string; readonly lines: string };

/** Prints the lines of one run, or the last lines of all functions on this machine. */
export async function printLogs(run: string | undefined, { url, lines }: LogOptions): Promise<void> {
  const count = Number(lines);
  if (!Number.isInteger(count) || count < 1) {
    throw new UsageError(`--lines is "${lines}"; it must be a whole number above 0.`);
  }
  if (run === undefined) {
    if (url !== undefined) throw new UsageError("Of a deployment the log of one run is shown: name its id.");
    return printLast(count);
  }
  const client = createClient({
    baseUrl: url ?? localAddress(),
    token: url ? tokenOfDeployment() : localToken(),
  });
  for (let cursor: string | undefined; ; ) {
    const query = { limit: 100, ...(cursor !== undefined && { cursor }) };
    const { data, meta } = await client.getRunLog({ path: { run_id: run }, query });
    for (const line of data) console.log(JSON.stringify(line));
    if (meta.next_cursor === null) return;
    cursor = meta.next_cursor;
  }
}

const dataDir = (): string => process.env.DATA_DIR || ".local";
export const localAddress = (): string => `http://127.0.0.1:${process.env.PORT || 7777}`;
export const localToken = (): string => openIdentity(dataDir()).token({ sub: "admin", scopes: [ADMIN_ONLY] });

/** @throws UsageError when there is none */
export function tokenOfDeployment(): string {
  const { AGENT_PLATFORM_TOKEN } = process.env;
  if (!AGENT_PLATFORM_TOKEN)
    throw new UsageError("A deployment wants a token: set AGENT_PLATFORM_TOKEN to it.");
  return AGENT_PLATFORM_TOKEN;
}

async function printLast(count: number): Promise<void> {
  const file = join(dataDir(), "functions.log");
  if (!existsSync(file)) {
    throw new UsageError(
      `There is no ${file}: nothing has run in this folder yet. npx agent-platform dev starts it.`,
    );
  }
  const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
  console.log(lines.slice(-count).join("\n"));
}
