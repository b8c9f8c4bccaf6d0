import { createClient } from "../../client/index.ts";
import { until } from "../../test/console/support/furnish.ts";
import type { TestPlatform } from "../../test/support/platform.ts";
import { answering, type Receiver } from "../../test/support/receiver.ts";

/**
 * What the tasks ask for beside what every screen has: an order to find, a decided refund, a failing schedule, a refused delivery, a slow
 * tool, an evaluation in which a case got worse.
 */
export async function furnishTasks(platform: TestPlatform, receiver: Receiver) {
  const admin = createClient({ baseUrl: platform.url, token: platform.adminToken });
  const scopes = ["agents:read", "agents:run", "sessions:read"];
  const user = createClient({ baseUrl: platform.url, token: platform.token("olga@example.com", scopes) });
  const evaluate = (name: string, expected_tool_calls: readonly string[]) =>
    admin.createEval({
      body: {
        ...{ eval_type: "reliability", agent_id: "assistant", name },
        cases: [{ input: "Good morning", name: "greets", expected_tool_calls }],
      },
    });
  // Some seconds before the other: the one before is what it is compared with.
  await evaluate("As it was", []);
  await user.createAgentRun({
    path: { agent_id: "assistant" },
    body: { message: "Where is order A-4471?", stream: false },
  });
  for (let i = 0; i < 2; i++) {
    await user.createAgentRun({
      path: { agent_id: "librarian" },
      body: { message: "[[sleep:900000]]", stream: false, background: true },
    });
  }
  const asked = await until("an approval of K-7 waits", async () => {
    const { data } = await admin.listApprovals();
    return data.find(({ tool_args }) => tool_args?.account === "K-7") ?? false;
  });
  await admin.resolveApproval({
    path: { approval_id: asked.id },
    body: { status: "approved", resolution_data: { note: "Photo seen" }, continue: true },
  });
  const { id } = await admin.createSchedule({
    body: {
      name: "Broken report",
      cron_expr: "0 3 * * *",
      endpoint: "/agents/assistant/runs",
      payload: { message: "[[fail:it is closed at night]]" },
    },
  });
  await admin.triggerSchedule({ path: { schedule_id: id } });
  receiver.decide(answering(410));
  const endpoint = await admin.createWebhookEndpoint({ body: { url: receiver.url } });
  await admin.testWebhookEndpoint({ path: { endpoint_id: endpoint.id } });
  await user.createAgentRun({
    path: { agent_id: "stockroom" },
    body: { message: `How many lamps? [[tool:count_stock {"article":"lamps"}]]`, stream: false },
  });
  await evaluate("As it is now", ["get_time"]);
  await admin.refreshMetrics();
  return {
    startRun: (message: string) =>
      user.createAgentRun({
        path: { agent_id: "assistant" },
        body: { message, stream: false, background: true },
      }),
  };
}
