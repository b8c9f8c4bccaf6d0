import { runsOf } from "../run-requests.ts";
import type { Scenario } from "../stage.ts";

const sessions: Scenario = async (stage) => {
  const session_id = `${stage.name}-session`;
  const path = `/sessions/${session_id}`;
  const json = { session_id, session_name: "Named", session_state: { step: 1 }, agent_id: "assistant" };
  await stage.send("POST", "/sessions?type=agent", { json });
  await stage.send("POST", "/sessions?type=agent", { json });
  const runs = runsOf(stage, "agents/assistant");
  const run = await runs.wait("Hello", { session_id });
  await stage.send("PATCH", path, { json: { session_state: { step: 2 }, metadata: { from: "compare" } } });
  await stage.send("POST", `${path}/rename`, { json: { session_name: "Renamed" } });
  await stage.send("GET", "/sessions");
  await stage.send("GET", `${path}/runs/${run.run_id}`);
  await stage.recordStored();
  await stage.send("DELETE", path);
  await stage.send("GET", path);
  // A worker removes the session's runs.
  await stage.recordStored((items) => items.every(({ sk }) => !String(sk).startsWith("run#")));
};

const components: Scenario = async (stage) => {
  const component_id = `${stage.name}-bot`;
  const path = `/components/${component_id}`;
  const first = { name: "Bot", component_type: "agent", component_id, config: { tools: ["add_numbers"] } };
  await stage.send("POST", "/components", { json: { ...first, stage: "published", label: "first" } });
  await stage.send("POST", `${path}/configs`, { json: { config: { instructions: "Briefly." }, notes: "n" } });
  await stage.send("PATCH", `${path}/configs/2`, { json: { stage: "published" } });
  await stage.send("GET", `/agents/${component_id}`);
  await stage.send("POST", `${path}/configs/1/set-current`);
  await stage.send("PATCH", path, { json: { description: "A bot", metadata: { from: "compare" } } });
  await stage.send("GET", `${path}/configs?include_config=true`);
  await stage.send("GET", `${path}/configs/current`);
  await stage.send("POST", `${path}/configs`, { json: { config: { tools: ["format_disk"] } } });
  await runsOf(stage, `agents/${component_id}`).wait("hello", { version: "3" });
  await stage.send("DELETE", `${path}/configs/3`);
  await stage.recordStored();
  await stage.send("DELETE", path);
  await stage.send("POST", `${path}/restore`);
  await stage.send("GET", path);
};

const schedules: Scenario = async (stage) => {
  const payload = { message: "hello", stream: false };
  const json = {
    ...{ name: `${stage.name} yearly`, cron_expr: "0 0 1 1 *", endpoint: "/agents/assistant/runs", payload },
    ...{ max_retries: 1, overlap: "queue", description: "Once a year" },
  };
  const { id } = await stage.send<{ id: string }>("POST", "/schedules", { json });
  const path = `/schedules/${id}`;
  await stage.send("PATCH", path, { json: { timezone: "Europe/Zurich" } });
  await stage.send("POST", `${path}/trigger`);
  const ended = ({ data = [] }: { data?: readonly { status: string }[] }): boolean =>
    data.length > 0 && data.every(({ status }) => !["pending", "running", "triggered"].includes(status));
  await stage.until(`${path}/runs`, ended);
  // Some items are written after the end of a run. Wait for them, so that disabling always comes after.
  await stage.recordStored();
  await stage.send("POST", `${path}/disable`);
  await stage.send("GET", "/schedules");
  await stage.send("POST", `${path}/enable`);
};

const serviceAccounts: Scenario = async (stage) => {
  const json = { name: `${stage.name}-robot`, scopes: [{ scope: "agents:run" }], expires_in_days: 30 };
  const { id } = await stage.send<{ id: string }>("POST", "/service-accounts", { json }, "admin");
  await stage.send("GET", "/service-accounts", undefined, "admin");
  await stage.recordStored();
  await stage.send("DELETE", `/service-accounts/${id}`, undefined, "admin");
  await stage.send("GET", "/service-accounts?include_revoked=true", undefined, "admin");
};

const evals: Scenario = async (stage) => {
  const adding = '[[tool:add_numbers {"a":2,"b":3}]]';
  const judged = '[[answer:{"score":8,"reason":"so it is"}]]';
  const of = { agent_id: "assistant" };
  const bodies = [
    { ...of, eval_type: "reliability", input: adding, expected_tool_calls: ["add_numbers"] },
    { ...of, eval_type: "accuracy", input: "hello", expected_output: judged },
    { ...of, eval_type: "agent_as_judge", input: "hello", criteria: judged, scoring_strategy: "numeric" },
  ];
  for (const json of bodies) {
    const { id } = await stage.send<{ id: string }>("POST", "/eval-runs", { json });
    await stage.send("GET", `/eval-runs/${id}/cases`);
    await stage.send("PATCH", `/eval-runs/${id}`, { json: { name: json.eval_type } });
  }
};

/** The metrics of one user's day. */
const metrics: Scenario = async (stage) => {
  await runsOf(stage, "agents/assistant").wait("Hello");
  await runsOf(stage, "teams/support-team").wait("Hello");
  await stage.send("POST", "/metrics/refresh");
  await stage.send("GET", "/metrics/refresh/status");
  await stage.send("GET", "/metrics");
};

export const recordScenarios = { sessions, components, schedules, serviceAccounts, evals, metrics };
