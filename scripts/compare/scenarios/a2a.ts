import { toolCall } from "../run-requests.ts";
import type { Scenario } from "../stage.ts";

const headers = { "a2a-version": "1.0" };
const desk = "/a2a/agents/refund-desk";
const assistant = "/a2a/agents/assistant";

type Sent = { readonly task?: { readonly id: string } };

/** Another agent sends messages, reads tasks and cancels one, in both versions of the protocol. */
const agentToAgent: Scenario = async (stage) => {
  const message = (text: string, messageId: string) => ({ messageId, role: "ROLE_USER", parts: [{ text }] });
  const send = (root: string, text: string, id: string): Promise<Sent> =>
    stage.send("POST", `${root}/v1/message:send`, { headers, json: { message: message(text, id) } });
  for (const kind of ["agents/assistant", "teams/support-team", "workflows/publish-report"]) {
    await stage.send("GET", `/a2a/${kind}/.well-known/agent-card.json`);
  }
  const { task } = await send(assistant, "hello", "m-1");
  await stage.send("GET", `${assistant}/v1/tasks/${task?.id}`, { headers });
  await stage.send("GET", `${assistant}/v1/tasks`, { headers });
  const json = { message: message(toolCall("draw_badge", { colour: "#cc0033" }), "m-2") };
  await stage.send("POST", `${assistant}/v1/message:stream`, { headers, json });
  const refund = toolCall("issue_refund", { order_id: "o-1", amount: 5 });
  const waiting = await send(desk, refund, "m-3");
  await stage.recordStored();
  await stage.send("POST", `${desk}/v1/tasks/${waiting.task?.id}:cancel`, { headers, json: {} });
  const parts = [{ kind: "text", text: "hello" }];
  const older = { messageId: "m-4", role: "user", parts };
  const call = (method: string, params: object) => ({ jsonrpc: "2.0", id: "q-1", method, params });
  await stage.send("POST", assistant, { json: call("message/send", { message: older }) });
  await stage.send("POST", assistant, { json: call("message/stream", { message: older }) });
  await stage.send("POST", assistant, { json: call("tasks/get", { id: task?.id }) });
};

export const a2aScenarios = { agentToAgent };
