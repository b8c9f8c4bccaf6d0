/**
 * Prints how a waiting run that takes longer than CloudFront waits is answered, and when it ends: one long model call, and
 * several short ones with a tool call between them. `npm run bench:hand-over`; takes two minutes.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Platform, startPlatform } from "../local/platform.ts";
import { testRegistry } from "../test/support/test-registry.ts";
import { runs } from "./background.ts";

const asked = {
  "one model call of 60 s": "[[sleep:60000]]done",
  "model calls of 20 s, with tools": `${'[[sleep:20000]][[tool:add_numbers {"a":2,"b":3}]]'.repeat(3)}done`,
};

const dataDir = mkdtempSync(join(tmpdir(), "agent-platform-hand-over-"));
const platform = await startPlatform({ registry: testRegistry, dataDir, port: 0, environment: {} });
try {
  console.log(
    "run                               status  answered  ended    attempt  model calls  tool calls",
  );
  const lines = await Promise.all(
    Object.entries(asked).map(([name, message]) => measured(platform, name, message)),
  );
  for (const line of lines) console.log(line);
} finally {
  await platform.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

type Shown = { readonly status: string };
type Event = { readonly event: string };

async function measured(
  { url, token, adminScope }: Platform,
  name: string,
  message: string,
): Promise<string> {
  const authorization = `Bearer ${token({ sub: "maria", scopes: [adminScope] })}`;
  const get = async (path: string) => (await fetch(`${url}${path}`, { headers: { authorization } })).json();
  const startedAt = performance.now();
  const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6);
  const body = new URLSearchParams({ message, stream: "false" });
  const answer = await fetch(`${url}${runs}`, { method: "POST", headers: { authorization }, body });
  const { run_id, session_id } = (await answer.json()) as { run_id: string; session_id: string };
  const answered = seconds();
  const path = `${runs}/${run_id}`;
  while (((await get(`${path}?session_id=${session_id}`)) as Shown).status !== "COMPLETED") await pause(250);
  const ended = seconds();
  const { attempt = "–" } = (await get(`/queue/jobs/${run_id}`)) as { attempt?: number };
  const resumed = await fetch(`${url}${path}/resume`, {
    method: "POST",
    headers: { authorization },
    body: new URLSearchParams({ session_id }),
  });
  const events = [...(await resumed.text()).matchAll(/^data: (.*)$/gm)].map(([, data = ""]) =>
    JSON.parse(data),
  );
  const count = (kind: string) => events.filter(({ event }: Event) => event === kind).length;
  return `${name.padEnd(34)}${answer.status}     ${answered} s  ${ended} s  ${attempt}        ${String(
    count("ModelRequestStarted"),
  ).padEnd(13)}${count("ToolCallStarted")}`;
}
