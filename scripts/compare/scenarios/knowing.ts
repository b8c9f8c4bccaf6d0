import { answered, runsOf, toolCall } from "../run-requests.ts";
import type { Fields, Scenario, Stage } from "../stage.ts";

type Listed = { readonly data?: readonly Fields[] };

/** Memories that an agent creates, and how its user reads and changes them. */
const memory: Scenario = async (stage) => {
  const runs = runsOf(stage, "agents/companion");
  const first = await runs.queue("I sail. [[remember:Sails.]]");
  await runs.stream("Where to?", { session_id: first.session_id });
  await stage.recordStored();
  const { data = [] } = await stage.send<Listed>("GET", "/memories");
  const path = `/memories/${data[0]?.memory_id}`;
  await stage.send("PATCH", path, { json: { memory: "Sails often.", topics: ["sports"] } });
  await stage.send("GET", path);
  await stage.send("POST", "/memories", { json: { memory: "Eats no fish.", topics: ["food"] } });
  await stage.send("GET", "/memories?search_content=fish");
  await stage.send("GET", "/memory_topics");
  await stage.send("GET", "/user_memory_stats");
  await stage.send("POST", "/optimize-memories", { json: { user_id: stage.name, apply: true } });
  await stage.recordStored();
  await stage.send("DELETE", path);
};

const learn = (kind: string, content: object): string => `[[learn:${kind} ${JSON.stringify(content)}]]`;

/** A stored agent that learns. @param learning  the mode of each kind */
async function storedStudent(stage: Stage, learning: Fields): Promise<string> {
  const component_id = `${stage.name}-student`;
  const config = { learning };
  const json = { name: "Student", component_type: "agent", component_id, stage: "published", config };
  await stage.send("POST", "/components", { json }, "admin");
  return component_id;
}

/** Learning after each answer, and by a tool. */
const learning: Scenario = async (stage) => {
  const kinds = {
    user_profile: "always",
    session_context: "always",
    entity_memory: "always",
    decision_log: "agentic",
  };
  const id = await storedStudent(stage, kinds);
  const runs = runsOf(stage, `agents/${id}`);
  const entity = { entity_type: "company", entity_id: "nordlys", facts: ["Ships daily"] };
  const directives = [
    learn("user_profile", { name: "Mira Holm" }),
    learn("session_context", { summary: "Plans a trip.", goal: "Reach Bergen", plan: [], progress: [] }),
    learn("entity_memory", entity),
  ].join(" ");
  const run = await runs.queue(`Hello. ${directives}`);
  const decision = { decision: "By ferry", confidence: 0.8, decision_type: "travel" };
  await runs.stream(toolCall("log_decision", decision), { session_id: run.session_id });
  await stage.send("GET", `/agents/${id}`);
  await stage.send("GET", "/learnings");
  await stage.send("GET", "/learnings/users");
  const profile = `/learnings/user_profile_${stage.name}`;
  await stage.send("GET", profile);
  await stage.send("PATCH", profile, { json: { content: { name: "Mira" } } });
  await stage.recordStored();
  await stage.send("DELETE", profile);
  await stage.send("DELETE", `/learnings/users/${stage.name}`);
};

/** Learning that a person has to confirm. */
const proposing: Scenario = async (stage) => {
  const id = await storedStudent(stage, { user_profile: "propose" });
  const runs = runsOf(stage, `agents/${id}`);
  const run = await runs.queue(toolCall("save_user_profile", { name: "Mira Holm" }));
  await runs.continueQueued(run, { tools: answered(run.tools, { confirmed: true }) });
  await runs.recordRun(run);
};

/** A text and a file are added, and searched over the API and by an agent. */
const knowledge: Scenario = async (stage) => {
  const form = { text_content: "Refunds take five days.", name: "refunds", metadata: '{"line":"desk"}' };
  const added = await stage.send<{ id: string }>("POST", "/knowledge/content", { form });
  const path = `/knowledge/content/${added.id}`;
  await stage.until<{ status: string }>(`${path}/status`, ({ status }) => status !== "processing");
  const file = new FormData();
  file.set("file", new File(["# Pump\nPrime it."], "pump.md", { type: "text/markdown" }));
  const second = await stage.send<{ id: string }>("POST", "/knowledge/content", { form: file });
  const status = `/knowledge/content/${second.id}/status`;
  await stage.until<{ status: string }>(status, (one) => one.status !== "processing");
  await stage.send("GET", path);
  await stage.send("POST", "/knowledge/search", { json: { query: "how long do refunds take" } });
  const runs = runsOf(stage, "agents/librarian");
  await runs.recordRun(await runs.queue(toolCall("search_knowledge_base", { query: "refunds" })));
  await stage.send("PATCH", path, { form: { description: "How long it takes" } });
  await stage.recordStored();
  await stage.send("DELETE", path);
};

export const knowingScenarios = { memory, learning, proposing, knowledge };
