import { type Bot, postTelegram, telegramUpdate } from "../../test/support/chat-platforms/bot-server.ts";
import { framesOf } from "../../test/support/client.ts";
import type { KillablePlatform } from "../../test/support/killable-platform.ts";
import type { Ledger } from "./ledger.ts";

/** Begins one piece of work; what is accepted of it is promised in the ledger. @throws when it was not accepted */
export type Kind = (n: number) => Promise<void>;

type Accepted = { readonly run_id: string; readonly session_id: string };

/** What the platform is asked for in turn. */
export function kindsOfWork(platform: KillablePlatform, bot: Bot, ledger: Ledger): readonly Kind[] {
  const { maria, admin } = platform;

  const rests = async ({ run_id, session_id }: Accepted, agent: string, wanted: string) => {
    const { status, json } = await maria.get(`/agents/${agent}/runs/${run_id}?session_id=${session_id}`);
    return status === 200 && json.status === wanted
      ? undefined
      : `run ${run_id} is ${status} ${json?.status}`;
  };

  const background: Kind = async (n) => {
    const { status, json } = await maria.run(`[[sleep:${(n * 137) % 4_000}]]run ${n}`, {
      background: "true",
    });
    if (status === 202) ledger.promise("background run", () => rests(json, "assistant", "COMPLETED"));
  };
  const conversation: Kind = async (n) => {
    const session_id = `talk-${n % 7}`;
    const { status, json } = await maria.run(`[[sleep:500]]said ${n}`, { background: "true", session_id });
    if (status === 202)
      ledger.promise("message of a conversation", () => rests(json, "assistant", "COMPLETED"));
  };
  const stream: Kind = async (n) => {
    const message = `[[sleep:${(n * 71) % 2_000}]]stream ${n}`;
    const { status, text } = await maria.run(message, { stream: "true" });
    if (status !== 200) return;
    const end = framesOf(text).find(({ event }) => event === "RunCompleted")?.data as Accepted | undefined;
    if (end) ledger.promise("stream that sent its end", () => rests(end, "assistant", "COMPLETED"));
  };
  const paused: Kind = async (n) => {
    const form = {
      message: `[[tool:issue_refund {"order_id":"o-${n}","amount":1}]]`,
      ...{ background: "true", stream: "false" },
    };
    const { status, json: run } = await maria.post("/agents/refund-desk/runs", { form });
    if (status !== 202) return;
    ledger.promise("run that pauses, confirmed", async () => {
      const path = `/agents/refund-desk/runs/${run.run_id}`;
      const { json } = await maria.get(`${path}?session_id=${run.session_id}`);
      if (json.status === "COMPLETED") return undefined;
      if (json.status === "PAUSED") {
        const tools = json.tools.map((tool: object) => ({ ...tool, confirmed: true }));
        const answer = { tools: JSON.stringify(tools), session_id: run.session_id, background: "true" };
        await maria.post(`${path}/continue`, { form: { ...answer, stream: "false" } });
      }
      return `run ${run.run_id} is ${json.status}`;
    });
  };
  const chat: Kind = async (n) => {
    const text = `chat ${n}`;
    const update = telegramUpdate({ chat: { id: 5_000 + n, type: "private" }, text });
    const answer = await postTelegram(platform.url, update);
    if (answer.status !== 200) return;
    ledger.promise("chat message", async () => {
      const answers = bot.textsIn(5_000 + n).filter((said) => said === `You said: ${text}`);
      if (answers.length > 1) ledger.twice(`the answer to ${text}`);
      return answers.length > 0 ? undefined : `${text} has no answer`;
    });
  };
  const content: Kind = async (n) => {
    const form = new FormData();
    form.set("name", `note ${n}`);
    form.set("text_content", `The number of note ${n} is ${n * n}.`);
    const { status, json } = await admin.post("/knowledge/content", { form });
    if (status !== 202) return;
    ledger.promise("content", async () => {
      const { json: seen } = await admin.get(`/knowledge/content/${json.id}/status`);
      return seen.status === "completed" ? undefined : `content ${json.id} is ${seen.status}`;
    });
  };
  let scheduled = false;
  const schedule: Kind = async (n) => {
    if (scheduled) return background(n);
    const body = {
      name: "every minute",
      cron_expr: "* * * * *",
      endpoint: "/agents/assistant/runs",
      method: "POST",
      payload: { message: "[[sleep:300]]by the schedule" },
    };
    const { status, json } = await admin.post("/schedules", { json: body });
    if (status !== 201) return;
    scheduled = true;
    ledger.promise("schedule with a slot each minute: all its runs", async () => {
      await admin.call("PATCH", `/schedules/${json.id}`, { json: { enabled: false } });
      const { json: runs } = await admin.get(`/schedules/${json.id}/runs?limit=100`);
      const open = runs.data.filter(
        ({ status }: { status: string }) => status === "running" || status === "queued",
      );
      return open.length === 0 && runs.data.length > 0
        ? undefined
        : `${open.length} of ${runs.data.length} slots have not ended`;
    });
  };
  return [background, stream, conversation, paused, background, chat, content, schedule];
}
