import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Client, createClient } from "../../../client/index.ts";
import { HANGS_AFTER_MS } from "../../support/hangs-after.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { UNKNOWN_HOST } from "../../support/unknown-host.ts";

/** Settings under which runs have prices and steps, as operators see them. */
export const FURNISHED_ENV = {
  TRACING: "on",
  MODEL_PRICES: JSON.stringify({ scripted: { input_per_million: 125, output_per_million: 1000 } }),
};

export type Furnished = Awaited<ReturnType<typeof furnish>>;

const ANSWER = `**12.50 has been refunded** for order A-1001.

It is on your card within three days:

- you may keep the cup,
- the receipt comes by letter.

| Order | Amount |
| --- | --- |
| A-1001 | 12.50 |
`;

/** Asks until there is an answer. */
export async function until<T>(what: string, ask: () => Promise<T | false>): Promise<T> {
  for (const end = Date.now() + HANGS_AFTER_MS; Date.now() < end; await pause(100)) {
    const answer = await ask();
    if (answer !== false) return answer;
  }
  throw new Error(`it did not come to it: ${what}`);
}

/**
 * Fills a platform with one of everything that the console shows: runs of several users, one that failed, runs that wait
 * for each kind of answer, jobs, a component of three versions, schedules, evaluations, contents, memories, learnings
 * and accounts.
 *
 * @returns addresses below `/console`, by what is there
 */
export async function furnish(platform: RunningPlatform) {
  const admin = createClient({ baseUrl: platform.url, token: platform.adminToken });
  const scopes = ["agents", "teams", "workflows"].flatMap((kind) => [`${kind}:read`, `${kind}:run`]);
  const as = (sub: string) =>
    createClient({ baseUrl: platform.url, token: platform.token(sub, [...scopes, "sessions:read"]) });
  const [maria, jonas] = [as("maria@example.com"), as("jonas@example.com")];
  const [runs, components, schedules, evaluations, base] = await Promise.all([
    furnishRuns(maria, jonas),
    furnishComponents(admin),
    furnishSchedules(admin),
    furnishEvaluations(admin),
    furnishKnowledge(admin),
    furnishMemories(admin),
    furnishAccounts(admin),
  ]);
  const connect = await furnishConnect(platform.url);
  const [approval] = await until("three runs wait for approvals", async () => {
    const { data } = await admin.listApprovals();
    return data.length > 2 && data;
  });
  const [job] = await until("a job has failed", async () => {
    const { data } = await admin.listJobs({ query: { status: ["failed"] } });
    return data.length > 0 && data;
  });
  await admin.refreshMetrics();
  return {
    ...runs,
    ...components,
    ...schedules,
    ...evaluations,
    ...base,
    connect,
    approval: `/approvals?id=${approval?.id}`,
    job: `/queue?status=failed&job=${job?.id}`,
  };
}

type Began = { readonly run_id: string; readonly session_id: string };
const runAt = (kind: string, id: string, { run_id, session_id }: Began) =>
  `/runs/${kind}/${id}/${encodeURIComponent(session_id)}/${run_id}`;

async function furnishRuns(maria: Client, jonas: Client) {
  const say = (client: Client, agent_id: string, message: string, more: object = {}) =>
    client.createAgentRun({ path: { agent_id }, body: { message, stream: false, ...more } });
  const later = { background: true };
  const talk = { session_id: "accounts-of-october" };
  const questions = [
    { question: "Which day suits you?", header: "Day", options: [{ label: "Monday" }, { label: "Friday" }] },
    {
      question: "Which extras?",
      header: "Extras",
      multi_select: true,
      options: [{ label: "Wine", description: "A bottle of the house" }, { label: "Dessert" }],
    },
  ];
  const task = `[[tool:issue_refund {"order_id":"A-1009","amount":3}]]`;
  const member = JSON.stringify({ member_id: "refund-desk", task });
  const forms = [
    `[[tool:book_table {"restaurant":"Olivo"}]]`,
    `[[tool:ask_user ${JSON.stringify({ questions })}]]`,
    `[[tool:read_device_file {"path":"/notes/orders.txt"}]]`,
  ];
  const first = await say(maria, "assistant", "What time is it in Tokyo?", talk);
  const [talked, confirmed, asked, team, workflow, failed] = await Promise.all([
    say(
      maria,
      "assistant",
      `What do October and November come to?\n[[tool:add_numbers {"a":17.5,"b":24.75}]][[answer:${ANSWER}]]`,
      talk,
    ),
    say(
      maria,
      "refund-desk",
      `The cup is broken.\n[[tool:issue_refund {"order_id":"A-1001","amount":12.5}]]`,
    ),
    say(jonas, "front-desk", forms.join("\n")),
    jonas.createTeamRun({
      path: { team_id: "support-team" },
      body: { message: `Money back, please. [[tool:delegate_task_to_member ${member}]]`, stream: false },
    }),
    jonas.createWorkflowRun({
      path: { workflow_id: "publish-report" },
      body: { message: "The history of the lighthouse at Skerryvore, from 1844 to today", stream: false },
    }),
    say(
      jonas,
      "assistant",
      "Where is my parcel?\n[[fail:the provider of the model is down: 503 Service Unavailable]]",
      later,
    ),
    ...["K-7", "K-8", "K-1141"].map((account) =>
      say(jonas, "account-desk", `Please close it. [[tool:close_account {"account":"${account}"}]]`, later),
    ),
    say(maria, "concierge", "I am Maria. When is breakfast?"),
    say(maria, "librarian", "Who lit the lighthouse of Skerryvore, and in which year was that?"),
    say(maria, "assistant", `<img src=x onerror="document.title='broken'">`),
  ]);
  const { run_id, session_id } = talked;
  const said = { session_id, key: "thumb", score: 0, comment: "It is not on my card." };
  await maria.giveFeedback({ path: { run_id }, body: said });
  const corrected = { session_id, key: "correction", correction: "It takes five days." };
  await maria.giveFeedback({ path: { run_id }, body: corrected });
  const run = runAt("agent", "assistant", talked);
  const playground = `/playground/agent/assistant/${encodeURIComponent(talk.session_id)}`;
  return {
    run,
    comparison: `${run}?with=${encodeURIComponent(`${encodeURIComponent(first.session_id)}/${first.run_id}`)}`,
    failedRun: runAt("agent", "assistant", failed),
    confirmation: runAt("agent", "refund-desk", confirmed),
    questions: runAt("agent", "front-desk", asked),
    teamRun: runAt("team", "support-team", team),
    workflowRun: runAt("workflow", "publish-report", workflow),
    session: `/sessions/${encodeURIComponent(talk.session_id)}`,
    playground,
    approver: `/playground/agent/account-desk`,
  };
}

async function furnishComponents(admin: Client) {
  const path = { component_id: "complaints" };
  const config = {
    instructions: ["Answer within two sentences.", "Say what happens next."],
    tools: [{ name: "issue_refund" }],
  };
  await admin.createComponent({
    body: {
      ...path,
      name: "Complaints",
      description: "Answers complaints of the shop in the north, and asks before any money moves.",
      component_type: "agent",
      stage: "published",
      config,
      notes: "As the shop asked for",
    },
  });
  const longer = { ...config, instructions: ["Answer within four sentences.", "Say what happens next."] };
  await admin.createConfigVersion({
    path,
    body: { config: longer, stage: "published", notes: "Longer answers", label: "autumn" },
  });
  await admin.createConfigVersion({
    path,
    body: {
      config: { ...longer, markdown: true, tools: [{ name: "issue_refund" }, { name: "get_time" }] },
      notes: "With the time, and Markdown",
    },
  });
  return { component: "/components/complaints", declared: "/components/refund-desk" };
}

async function furnishSchedules(admin: Client) {
  const of = (name: string, cron_expr: string, message: string, more: object = {}) =>
    admin.createSchedule({
      body: {
        name,
        cron_expr,
        endpoint: "/agents/assistant/runs",
        payload: { message },
        timezone: "Europe/Zurich",
        ...more,
      },
    });
  const [{ id }, , paused] = await Promise.all([
    of("Morning report", "30 7 * * 1-5", "Sum up the night"),
    of("Sums of the quarter", "0 6 1 1,4,7,10 *", "Add up the quarter"),
    of("Reminders of open orders", "*/20 * * * *", "Who waits?", { description: "Three times an hour" }),
  ]);
  await admin.disableSchedule({ path: { schedule_id: paused.id } });
  await admin.triggerSchedule({ path: { schedule_id: id } });
  return { schedule: `/schedules/${id}` };
}

async function furnishEvaluations(admin: Client) {
  const adds = '[[tool:add_numbers {"a": 2, "b": 3}]]';
  const of = async (body: Parameters<Client["createEval"]>[0]["body"]) => {
    const { id } = await admin.createEval({ body: { ...body, background: true } });
    return until("an evaluation has ended", async () => {
      const { status } = await admin.getEval({ path: { eval_run_id: id } });
      return status !== "running" && id;
    });
  };
  const cases = [
    { input: `What is two and three? ${adds}`, name: "adds", expected_tool_calls: ["add_numbers"] },
    { input: "What time is it in Tokyo?", name: "says the time", expected_tool_calls: ["get_time"] },
  ];
  const reliability = { eval_type: "reliability", agent_id: "assistant" } as const;
  const [earlier, later, times] = await Promise.all([
    of({ ...reliability, name: "Before the new tools", cases }),
    of({ ...reliability, name: "With the new tools", cases: [...cases, { ...cases[0], input: "Bye" }] }),
    of({
      eval_type: "performance",
      name: "How fast it greets",
      agent_id: "assistant",
      num_iterations: 3,
      input: "Hello",
    }),
  ]);
  const file = new File(
    ['input,name,expected_output\n"Where is my parcel?",parcel,"On its way to you"\n'],
    "cases.csv",
  );
  const body = { name: "Questions of customers", description: "As they asked in October" };
  const dataset = await admin.createDataset({ body: { ...body, file: [file] } });
  const evaluation = `/evaluations/${later}`;
  return {
    evaluation,
    dataset: `/evaluations/datasets/${dataset.id}`,
    evaluationComparison: `${evaluation}?with=${earlier}`,
    performance: `/evaluations/${times}`,
  };
}

async function furnishKnowledge(admin: Client) {
  const text = (name: string, text_content: string) => admin.addContent({ body: { name, text_content } });
  await Promise.all([
    text(
      "The lighthouse of Skerryvore",
      "The lighthouse of Skerryvore was lit in 1844. Its keepers lived on Tiree.",
    ),
    text("Breakfast", "Breakfast is served from seven to ten. The lighthouse can be seen from every table."),
    admin.addContent({ body: { url: `http://${UNKNOWN_HOST}/manual.html`, name: "Manual of the pumps" } }),
  ]);
  const done = await until("two contents can be searched", async () => {
    const completed = (await admin.listContent()).data.filter(({ status }) => status === "completed");
    return completed.length > 1 && completed;
  });
  const breakfast = done.find(({ name }) => name === "Breakfast");
  return { content: `/knowledge?content=${breakfast?.id}` };
}

async function furnishMemories(admin: Client) {
  const remember = (user_id: string, memory: string, topics: readonly string[]) =>
    admin.createMemory({ body: { memory, topics, user_id } });
  const learn = (user_id: string, content: Readonly<Record<string, unknown>>) =>
    admin.createLearning({ body: { learning_type: "user_profile", user_id, content } });
  await Promise.all([
    remember("maria@example.com", "Sails in summer, and would rather not fly.", ["journeys", "sailing"]),
    remember("maria@example.com", "Pays by card; letters go to the address in Bern.", ["payments"]),
    remember("jonas@example.com", "Has a dog called Bruno.", ["animals"]),
    learn("maria@example.com", { city: "Bern", language: "German", prefers: "short answers" }),
    learn("jonas@example.com", { city: "Oban", orders: ["A-1002", "A-1009"] }),
  ]);
}

async function furnishAccounts(admin: Client) {
  const mint = (name: string, scopes: readonly string[]) =>
    admin.mintServiceAccount({
      body: {
        name,
        scopes: scopes.map((scope) => ({ scope })),
        expires_in_days: 90,
        allow_privileged_scopes: true,
      },
    });
  await Promise.all([
    mint("nightly-reports", ["agents:run", "sessions:read"]),
    mint("shop-front", ["agents:assistant:run", "knowledge:read", "memories:delete"]),
  ]);
}

/** An app on this computer that asks to be let in. */
async function furnishConnect(url: string): Promise<string> {
  const redirect_uri = "http://127.0.0.1/callback";
  const response = await fetch(`${url}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "An editor", redirect_uris: [redirect_uri] }),
  });
  const { client_id } = (await response.json()) as { readonly client_id: string };
  const asked = new URLSearchParams({
    ...{ response_type: "code", client_id, redirect_uri, state: "s-1", resource: `${url}/mcp` },
    code_challenge: createHash("sha256").update("the verifier of an app").digest("base64url"),
    code_challenge_method: "S256",
  });
  return `/connect?${asked}`;
}
