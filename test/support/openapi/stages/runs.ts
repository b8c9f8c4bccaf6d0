import { traceIdOf } from "../../../../shared/stores/traces/trace-item.ts";
import type { Client } from "../../client.ts";
import {
  done,
  exampleBody,
  fresh,
  type Json,
  type Noun,
  QUESTION,
  run,
  running,
  type Stage,
  type Staged,
  until,
} from "./stage.ts";

const FAILING = "[[fail:the model did not answer within 60 s]]";
const LETTER = '[[tool:send_letter {"to":"Eva","text":"Your order was sent."}]]';
const REFUND = '[[tool:issue_refund {"order_id":"4711","amount":5}]]';
const DELEGATED = `[[tool:delegate_task_to_member ${JSON.stringify({ member_id: "refund-desk", task: REFUND })}]]`;
const CONFIRMED = { confirmed: true };

/** A run that waits for a person. */
const paused = (admin: Client, noun: Noun) =>
  noun === "agent"
    ? run(admin, noun, { message: LETTER }, "front-desk")
    : run(admin, noun, { message: noun === "team" ? DELEGATED : "the lighthouse" });

export const continueAgentRun: Stage = async (admin) => {
  const { started, about, session_id } = await paused(admin, "agent");
  const tools = started.tools.map(({ tool_call_id }: Json) => ({ tool_call_id, ...CONFIRMED }));
  return { about, body: { session_id, stream: false, tools: JSON.stringify(tools) } };
};

export const continueTeamRun: Stage = async (admin) => {
  const { started, about, session_id } = await paused(admin, "team");
  const requirements = started.requirements.map(({ id }: Json) => ({ id, confirmation: true }));
  return { about, body: { session_id, stream: false, requirements: JSON.stringify(requirements) } };
};

export const continueWorkflowRun: Stage = async (admin) => {
  const { started, about, session_id } = await paused(admin, "workflow");
  const answers = started.step_requirements.map(({ step_id }: Json) => ({ step_id, ...CONFIRMED }));
  return { about, body: { session_id, stream: false, step_requirements: JSON.stringify(answers) } };
};

/** A run that has ended. */
export const ended =
  (noun: Noun): Stage =>
  async (owner) => {
    const { about } = await run(owner, noun, {
      message: noun === "workflow" ? "The week in numbers" : QUESTION,
    });
    return { about };
  };

/** What its user says about a run that has ended. */
export const someFeedback: Stage = async (owner, admin) => {
  const { about } = await ended("agent")(owner, admin);
  const json = { ...exampleBody("giveFeedback"), session_id: about.session_id };
  const { feedback_id } = await done(owner.post(`/runs/${about.run_id}/feedback`, { json }));
  return { about: { run_id: about.run_id ?? "", session_id: about.session_id ?? "", feedback_id } };
};

/** A link by which its user says something about a run; whoever opens it has no credential. */
export const aFeedbackLink: Stage = async (_, admin) => {
  const { about } = await ended("agent")(admin, admin);
  const json = { session_id: about.session_id, keys: ["thumb"] };
  const { thumb } = await done(admin.post(`/runs/${about.run_id}/feedback-links`, { json }));
  return { about: { token: String(thumb).split("/").at(-1) ?? "" } };
};

export const aCheckpoint =
  (noun: Noun): Stage =>
  async (owner, admin) => {
    const { about } = await ended(noun)(owner, admin);
    const path = `/${noun}s/${running[noun]}/runs/${about.run_id}/checkpoints?session_id=${about.session_id}`;
    const { checkpoints } = await done(owner.get(path));
    return { about: { ...about, message_index: String(checkpoints.at(-1).message_index) } };
  };

export const aFailedRun: Stage = async (owner) => {
  await run(owner, "agent", { message: FAILING });
  return { about: {} };
};

/** A thread of AG-UI is a session. */
export const aThread =
  (noun: Noun): Stage =>
  async (owner) => {
    const { about, session_id } = await run(owner, noun, { message: QUESTION });
    return { about: { [`${noun}_id`]: String(about[`${noun}_id`]) }, body: { threadId: session_id } };
  };

/** A chat with its first answer. */
export const aChat =
  (noun: Noun): Stage =>
  async (owner) => {
    const { about, session_id } = await run(owner, noun, { message: QUESTION });
    const [name, id] = [`${noun}_id`, String(about[`${noun}_id`])];
    return { about: { [name]: id, chat_id: session_id }, body: { id: session_id } };
  };

/** A run that goes on for a while yet. */
const live =
  (noun: Noun, ms: number) =>
  async (admin: Client): Promise<Staged & { readonly run_id: string; readonly session_id: string }> => {
    const message = `[[sleep:${ms}]] slowly`;
    const { about, run_id, session_id } = await run(admin, noun, { message, background: "true" });
    return { about: { ...about, task_id: run_id }, run_id, session_id };
  };

/** The same, cancelled while it is followed: a workflow would wait for a person at its end. */
const followedBriefly = (noun: Noun) => async (admin: Client) => {
  const { about, run_id, session_id } = await live(noun, 500)(admin);
  const cancel = () =>
    admin.post(`/${noun}s/${running[noun]}/runs/${run_id}/cancel?session_id=${session_id}`);
  // Its outcome is in what the follower receives.
  setTimeout(() => void cancel().catch(() => undefined), 700);
  return { about, session_id };
};

export const soonCancelled =
  (noun: Noun): Stage =>
  async (admin) => {
    const { about } = await followedBriefly(noun)(admin);
    return { about, isBrief: true };
  };

/** As a chat. */
export const soonStopped =
  (noun: Noun): Stage =>
  async (admin) => {
    const { about, session_id } = await followedBriefly(noun)(admin);
    return { about: { [`${noun}_id`]: String(about[`${noun}_id`]), chat_id: session_id }, isBrief: true };
  };

/** The body with which the older dialect asks for a task. */
export const enveloped =
  (noun: Noun): Stage =>
  async (admin) => {
    const { about, run_id, session_id } = await paused(admin, noun);
    return { about, body: { jsonrpc: "2.0", id: "1", params: { id: run_id, contextId: session_id } } };
  };

/** A run that waits for a person, to which something may be said meanwhile. */
export const waitingForMore =
  (noun: Noun): Stage =>
  async (owner) => {
    const { about, session_id } = await paused(owner, noun);
    return { about, body: { session_id } };
  };

/** A message that waits for its run to be continued. */
export const aRunMessage =
  (noun: Noun): Stage =>
  async (owner) => {
    const { about, run_id, session_id } = await paused(owner, noun);
    const path = `/${noun}s/${about[`${noun}_id`]}/runs/${run_id}/messages`;
    const form = { session_id, message: "The newer order, please", message_id: "note-1" };
    await done(owner.post(path, { form }));
    return { about: { ...about, message_id: "note-1" } };
  };

/** That of a paused run. */
export const anApproval: Stage = async (owner) => {
  const message = '[[tool:close_account {"account":"4711"}]]';
  const { started } = await run(owner, "agent", { message }, "account-desk");
  return { about: { approval_id: started.tools[0].approval_id } };
};
export const resolved: Stage = async (owner, admin) => ({
  ...(await anApproval(owner, admin)),
  asAdmin: true,
});
export const removedApproval: Stage = async (owner, admin) => {
  const { about } = await anApproval(owner, admin);
  await done(admin.post(`/approvals/${about.approval_id}/resolve`, { json: { status: "rejected" } }));
  return { about, asAdmin: true };
};

async function failedJob(admin: Client): Promise<string> {
  const { run_id } = await run(admin, "agent", { message: FAILING, background: "true" });
  const job = () => done(admin.get(`/queue/jobs/${run_id}`));
  await until(job, ({ status }) => status === "failed");
  return run_id;
}

export const aFailedJob: Stage = async (admin) => ({ about: { job_id: await failedJob(admin) } });

export const manyFailedJobs: Stage = async (admin) => {
  await failedJob(admin);
  return { about: {}, body: { force: true, dry_run: false } };
};

export const manyLiveJobs: Stage = async (admin) => {
  await live("agent", 2_000)(admin);
  return { about: {}, body: { status: ["queued", "running"], dry_run: false } };
};

export const aSession: Stage = async (owner) => {
  const { session_id } = await run(owner, "agent", { message: QUESTION });
  return { about: { session_id } };
};

export const aLongSession: Stage = async (owner) => {
  const { about, session_id } = await run(owner, "agent", { message: QUESTION });
  for (const message of ["To which address?", "When does it arrive?", "Thank you."]) {
    await run(owner, "agent", { message, session_id });
  }
  return { about };
};

/** A run that the metrics of its day count. */
export const metered: Stage = async (owner) => {
  await run(owner, "agent", { message: QUESTION });
  await done(owner.post("/metrics/refresh"));
  return { about: {} };
};

export const aNamedSession: Stage = async (owner) => {
  await done(owner.post("/sessions?type=agent", { json: exampleBody("createSession") }));
  return { about: {} };
};

export const aMedium: Stage = async (owner) => {
  const message = '[[tool:draw_badge {"colour":"#00aa55"}]]';
  const { started, session_id } = await run(owner, "agent", { message });
  const key: string = started.images[0].media_reference.storage_key;
  return { about: { session_id, key } };
};

export const aTrace: Stage = async (owner) => {
  const { run_id } = await run(owner, "agent", { message: QUESTION });
  return { about: { trace_id: traceIdOf(run_id) } };
};

/** A task is found by its id alone where a message started it. */
export const aTask =
  (noun: Noun): Stage =>
  async (admin) => {
    const parts = [{ text: noun === "agent" ? LETTER : DELEGATED }];
    const message = { messageId: fresh("m"), role: "ROLE_USER", parts };
    const id = noun === "agent" ? "front-desk" : running[noun];
    const path = `/a2a/${noun}s/${id}/v1/message:send?A2A-Version=1.0`;
    const { task } = await done(admin.post(path, { json: { message } }));
    return { about: { [`${noun}_id`]: id, task_id: task.id } };
  };

export const aTaskOf =
  (noun: Noun): Stage =>
  async (owner, admin) => {
    const { about } = await aTask(noun)(owner, admin);
    return { about: { [`${noun}_id`]: String(about[`${noun}_id`]) } };
  };

/** A place where a client is notified of a task. */
export const aPushConfig =
  (noun: Noun): Stage =>
  async (owner, admin) => {
    const { about } = await aTask(noun)(owner, admin);
    const task = `/a2a/${noun}s/${about[`${noun}_id`]}/v1/tasks/${about.task_id}`;
    const json = exampleBody("createAgentPushConfig");
    const path = `${task}/pushNotificationConfigs?A2A-Version=1.0`;
    const { id } = await done(owner.post(path, { json }));
    return { about: { ...about, config_id: id } };
  };
