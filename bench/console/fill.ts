import { createClient } from "../../client/index.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";
import type { TestPlatform } from "../../test/support/platform.ts";
import { putRuns } from "../../test/support/put-runs.ts";
import { aJob, aRunOf } from "../../test/support/records.ts";
import { viewStores } from "../../test/support/stored.ts";

const DAY = 86_400;

/** Puts runs of the last day into the platform's table. */
export async function fillRuns(platform: TestPlatform, runs: number): Promise<void> {
  const view = viewStores(platform);
  const now = Math.floor(Date.now() / 1000);
  const run = (i: number): StoredRun => {
    const owner = `user-${i % 1_000}`;
    const created_at = now - Math.floor((i / runs) * DAY);
    const job = aJob({ session_id: `session-${i % 5_000}`, user_id: owner, owner, created_at });
    const made = aRunOf(job, { status: "COMPLETED" });
    return { ...made, output: { ...made.output, status: "COMPLETED", content: "done" } };
  };
  try {
    await putRuns(
      view.db,
      Array.from({ length: runs }, (_, i) => run(i)),
    );
  } finally {
    view.close();
  }
}

/** Has one session with so many messages, two of each run. @returns the session's id */
export async function fillConversation(platform: TestPlatform, messages: number): Promise<string> {
  const client = createClient({ baseUrl: platform.url, token: platform.adminToken });
  const session_id = "a-long-conversation";
  for (let i = 0; i < messages / 2; i++) {
    await client.createAgentRun({
      path: { agent_id: "librarian" },
      body: { message: `question ${i} of many`, session_id },
    });
  }
  return session_id;
}

/** Has an agent make a run of so many steps, half of them model calls and half calls of a tool. @returns its address below `/console` */
export async function longRunOf(platform: TestPlatform, steps: number): Promise<string> {
  const client = createClient({ baseUrl: platform.url, token: platform.adminToken });
  const calls = Array.from(
    { length: Math.floor(steps / 2) - 1 },
    (_, i) => `[[tool:add_numbers {"a":${i},"b":2}]]`,
  );
  const { run_id, session_id } = await client.createAgentRun({
    path: { agent_id: "assistant" },
    body: { message: calls.join(" ") },
  });
  return `/runs/agent/assistant/${session_id}/${run_id}`;
}
