import { VERIFY_TOKEN } from "../../chat-platforms/graph-server.ts";
import type { Client } from "../../client.ts";
import { done, exampleBody, fresh, type Stage, type Staged, type StoredNoun, until } from "./stage.ts";

/** A stored component: a draft, which only its owner sees, or one whose first version is live. */
async function stored(admin: Client, noun: StoredNoun, stage = "draft"): Promise<string> {
  const component_id = fresh("returns-desk");
  const kind = `${noun[0]?.toUpperCase()}${noun.slice(1)}`;
  const json = { ...exampleBody(`create${kind}`), component_id, stage };
  await done(admin.post(`/${noun}s`, { json }));
  return component_id;
}

export const ofKind =
  (noun: StoredNoun): Stage =>
  async (admin) => ({ about: { [`${noun}_id`]: await stored(admin, noun) } });

export const aComponent: Stage = async (admin) => ({ about: { component_id: await stored(admin, "agent") } });

export const anArchivedComponent: Stage = async (admin) => {
  const component_id = await stored(admin, "agent");
  await done(admin.call("DELETE", `/components/${component_id}`));
  return { about: { component_id } };
};

/** With a second version. @param asked  which one the request is about */
export const versions =
  (stage: "draft" | "published", asked: string): Stage =>
  async (admin) => {
    const component_id = await stored(admin, "agent", stage);
    const json = { ...exampleBody("createConfigVersion"), stage };
    await done(admin.post(`/components/${component_id}/configs`, { json }));
    return { about: { component_id, version: asked } };
  };

async function schedule(admin: Client): Promise<string> {
  const json = { ...exampleBody("createSchedule"), name: fresh("Monday report") };
  return (await done(admin.post("/schedules", { json }))).id;
}

export const aSchedule: Stage = async (admin) => ({ about: { schedule_id: await schedule(admin) } });

export const aScheduleRun: Stage = async (admin) => {
  const schedule_id = await schedule(admin);
  const { id } = await done(admin.post(`/schedules/${schedule_id}/trigger`));
  return { about: { schedule_id, run_id: id } };
};

export const content =
  (form: Readonly<Record<string, string>>): Stage =>
  async (admin) => {
    const { id } = await done(
      admin.post("/knowledge/content", { form: { name: fresh("returns.txt"), ...form } }),
    );
    const status = async () => (await done(admin.get(`/knowledge/content/${id}/status`))).status;
    await until(status, (one) => one !== "processing");
    return { about: { content_id: id } };
  };

export const aContent = content({
  text_content: "Goods are taken back within 30 days.",
  metadata: '{"language":"en"}',
});

export const CASES = "input\nWhere is my order?\n";
const casesForm = (): FormData => {
  const form = new FormData();
  form.append("name", "Questions of customers");
  form.append("file", new File([CASES], "cases.csv"));
  return form;
};
export const aDataset: Stage = async (admin) => {
  const { id } = await done(admin.post("/eval-datasets", { form: casesForm() }));
  return { about: { dataset_id: id } };
};

export const evalOf = async (owner: Client): Promise<string> =>
  (await done(owner.post("/eval-runs", { json: exampleBody("createEval") }))).id;
export const anEval: Stage = async (admin) => ({ about: { eval_run_id: await evalOf(admin) } });
export const twoEvals: Stage = async (admin) => {
  const id = await evalOf(admin);
  return { about: {}, query: { ids: `${id},${id}` } };
};

/** The only base, with the source that `../reachable-platform.ts` sets up. */
export const aSource: Stage = async (admin) => {
  const { knowledge } = await done(admin.get("/config"));
  const [{ id }] = knowledge.knowledge_instances;
  return { about: { knowledge_id: id, source_id: SOURCE_ID }, query: {} };
};

/** Id and one object of the source. */
export const SOURCE_ID = "manuals";
export const SOURCE_FILE = "manuals/returns.txt";

export const fromSource: Stage = async (admin) => ({
  ...(await aSource(admin, admin)),
  body: { config_id: SOURCE_ID, path: SOURCE_FILE },
});

export const aMemory: Stage = async (admin) => {
  const { memory_id } = await done(admin.post("/memories", { json: exampleBody("createMemory") }));
  return { about: { memory_id } };
};

const nameOf = async (owner: Client): Promise<string> => (await done(owner.get("/me"))).id;

export const aLearning: Stage = async (owner) => {
  const json = { ...exampleBody("createLearning"), user_id: await nameOf(owner) };
  const { learning_id } = await done(owner.post("/learnings", { json }));
  return { about: { learning_id } };
};

/** Whose data are removed: who makes all that a campaign needs goes on. */
export const aUserWhoLeaves: Stage = async (owner, admin) =>
  owner === admin ? { about: { user_id: fresh("leaver") } } : aLearningUser(owner, admin);

export const aLearningUser: Stage = async (owner, admin) => {
  await aLearning(owner, admin);
  return { about: { user_id: await nameOf(owner) } };
};

/** An account that has minted another one. */
export const aMintingAccount: Stage = async (owner) => {
  const mint = (name: string, headers?: Record<string, string>) =>
    done(
      owner.post("/service-accounts", {
        json: {
          name: fresh(name),
          scopes: [{ scope: "service_accounts:write" }],
          allow_privileged_scopes: true,
        },
        ...(headers && { headers }),
      }),
    );
  const { id, token } = await mint("minting");
  await mint("minted", { authorization: `Bearer ${token}` });
  return { about: { account_id: id } };
};

export const anAccount: Stage = async (owner) => {
  const { id } = await done(
    owner.post("/service-accounts", {
      json: { ...exampleBody("mintServiceAccount"), name: fresh("report") },
    }),
  );
  return { about: { account_id: id } };
};

/**
 * In a campaign at a host of its own, as what is sent to one host waits for what else is, and without the events of the runs that
 * the campaign makes; an example shows those of its row.
 */
export const anEndpoint: Stage = async (owner, admin) => {
  const url = `https://${fresh("receiver")}.example/hook`;
  const own = { url, components: [{ type: "agent", id: "refund-desk" }] };
  const json = { ...exampleBody("createWebhookEndpoint"), ...(owner === admin && own) };
  const { id } = await done(owner.post("/webhook-endpoints", { json }));
  return { about: { endpoint_id: id } };
};
/** Endpoints of one owner are limited, so what only looks at one, or changes it, takes the same one again. */
const endpoints = new WeakMap<Client, Promise<Staged>>();
export const someEndpoint: Stage = (owner, admin) => {
  const known = endpoints.get(owner) ?? anEndpoint(owner, admin);
  endpoints.set(owner, known);
  return known;
};
/**
 * A delivery that is not being sent at the moment: a try counts from its beginning, and is recorded at its end. That of a campaign
 * is to an endpoint that goes when the next one is made.
 */
export const aDelivery: Stage = async (owner, admin) => {
  const { about } = await (owner === admin ? nextEndpoint(owner, admin) : someEndpoint(owner, admin));
  const { id } = await done(owner.post(`/webhook-endpoints/${about.endpoint_id}/test`));
  await until(
    async () => (await done(owner.get(`/webhook-deliveries/${id}`))).attempts.length,
    (attempts) => attempts > 0,
  );
  return { about: { delivery_id: id } };
};

const nextEndpoints = new WeakMap<Client, string>();
const nextEndpoint: Stage = async (owner, admin) => {
  const last = nextEndpoints.get(owner);
  // Another request may have removed it.
  if (last !== undefined) await owner.call("DELETE", `/webhook-endpoints/${last}`);
  const made = await anEndpoint(owner, admin);
  nextEndpoints.set(owner, made.about.endpoint_id ?? "");
  return made;
};

export const handshake: Stage = async () => ({
  about: {},
  query: { "hub.mode": "subscribe", "hub.verify_token": VERIFY_TOKEN, "hub.challenge": "1158201444" },
});
