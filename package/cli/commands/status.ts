import manifest from "../../../package.json" with { type: "json" };
import { addressOf, type Place, reaching } from "../connect.ts";

/** Says what a platform hosts, and what is under way there. */
export async function printStatus(options: Place & { readonly json?: true }): Promise<void> {
  await reaching(options, async (client) => {
    const [agents, teams, workflows, queue, approvals, failed] = await Promise.all([
      client.listAgents(),
      client.listTeams(),
      client.listWorkflows(),
      client.getQueueStats(),
      client.countApprovals(),
      client.listRuns({ query: { status: ["ERROR"], limit: 1 } }),
    ]);
    const [last] = failed.data;
    const status = {
      address: addressOf(options),
      command: manifest.version,
      hosted: [...agents, ...teams, ...workflows].flatMap(({ id }) => id ?? []),
      jobs: queue.counts,
      oldest_queued_age_seconds: queue.oldest_queued_age_seconds,
      approvals: approvals.count,
      last_failed_run: last?.run_id ?? null,
    };
    if (options.json) return console.log(JSON.stringify(status, null, 2));
    const jobs = Object.entries(status.jobs).map(([name, count]) => `${count} ${name}`);
    console.log(`Address      ${status.address}
Hosted       ${status.hosted.join(", ") || "nothing"}
Jobs         ${jobs.join(", ")}
Approvals    ${status.approvals} to decide
Last failure ${status.last_failed_run === null ? "none" : `run ${status.last_failed_run}; npx agent-platform logs ${status.last_failed_run}`}`);
  });
}
