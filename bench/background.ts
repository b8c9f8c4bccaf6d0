import { setTimeout as pause } from "node:timers/promises";
import { expectStatus, type Target } from "./target.ts";

export const runs = "/agents/assistant/runs";

export type Accepted = { readonly run_id: string; readonly session_id: string };

/** Submits a run to the queue. */
export async function submit(to: Target): Promise<Accepted> {
  const form = { message: "hi", stream: "false", background: "true" };
  return JSON.parse((await expectStatus(to, 202, "POST", runs, form)).body);
}

/** Waits until no run is waiting or being worked. */
export async function drained(to: Target): Promise<void> {
  for (;;) {
    const { body } = await expectStatus(to, 200, "GET", "/queue/jobs?status=queued&status=running&limit=1");
    if (JSON.parse(body).meta.total_count === 0) return;
    await pause(50);
  }
}
