import type { AcceptedRun } from "../../../../shared/schemas/runs/run.ts";
import { assistant, messageOf } from "../../../support/a2a-world.ts";
import { taken } from "../../../support/fault-lab.ts";
import { accepted, type Scenario, walkStoreFaults } from "../../../support/fault-walk.ts";
import type { FaultWorld } from "../../../support/fault-world.ts";

const headers = { "a2a-version": "1.0" };
const message = (text: string, waits = true) => ({
  message: messageOf(text),
  configuration: { returnImmediately: !waits },
});

/** A task that has ended; its id stands where a run's would. */
const ended = async ({ maria, past }: FaultWorld): Promise<AcceptedRun> => {
  const { json } = await maria.post(`${assistant}/v1/message:send`, { json: message("hello"), headers });
  return { ...past, run_id: json.task.id, session_id: json.task.contextId };
};
const below =
  (method: string, verb = ""): Scenario["send"] =>
  ({ maria }, { run_id }) =>
    taken(maria.send(method, `${assistant}/v1/tasks/${run_id}${verb}`, { headers }));

const sendToAgent: readonly Scenario[] = [
  {
    what: "begun, not waited for",
    send: ({ maria }) =>
      taken(maria.send("POST", `${assistant}/v1/message:send`, { json: message("hello", false), headers })),
    status: 200,
    except: [accepted(200)],
  },
];
const RECEIVER = { id: "c", url: "https://client.example.com/tasks" };
const configs = ({ run_id }: AcceptedRun) => `${assistant}/v1/tasks/${run_id}/pushNotificationConfigs`;
const setConfig = ({ maria }: FaultWorld, task: AcceptedRun) =>
  maria.send("POST", configs(task), { json: RECEIVER, headers });

const createPushConfig: readonly Scenario[] = [
  { what: "of a task", prepare: ended, send: (world, task) => taken(setConfig(world, task)), status: 200 },
];
const removePushConfig: readonly Scenario[] = [
  {
    what: "of a task",
    prepare: async (world) => {
      const task = await ended(world);
      await setConfig(world, task);
      return task;
    },
    send: ({ maria }, task) => taken(maria.send("DELETE", `${configs(task)}/${RECEIVER.id}`, { headers })),
    status: 200,
  },
];
const card = (root: string) => ({ reachesNoStoreAt: `${root}/.well-known/agent-card.json` });

walkStoreFaults(
  "a2a",
  {
    getAgentTask: [{ what: "one", prepare: ended, send: below("GET"), status: 200 }],
    sendToAgent,
    listAgentTasks: [
      {
        what: "the caller's",
        prepare: ended,
        send: ({ maria }) => taken(maria.send("GET", `${assistant}/v1/tasks`, { headers })),
        status: 200,
      },
    ],
    getAgentCard: card("/a2a/agents/assistant"),
    getHostCard: "as getAgentCard",
    getCardKeys: "as getAgentCard",
    listCards: [
      {
        what: "the caller's",
        send: ({ maria }) => taken(maria.send("GET", "/a2a/cards", { headers })),
        status: 200,
      },
    ],
    streamToAgent: "as sendToAgent",
    callAgent: "as sendToAgent",
    callVersionedAgent: "as sendToAgent",
    cancelAgentTask: "as cancelAgentRun",
    subscribeToAgentTask: "as resumeAgentRun",
    followAgentTask: "as resumeAgentRun",
    createAgentPushConfig: createPushConfig,
    listAgentPushConfigs: "as createAgentPushConfig",
    getAgentPushConfig: "as createAgentPushConfig",
    removeAgentPushConfig: removePushConfig,
    getExtendedAgentCard: "as getAgentCard",
    getLegacyAgentCard: "as getAgentCard",
    readAgentTask: "as getAgentTask",
    stopAgentTask: "as cancelAgentRun",
    getTeamCard: card("/a2a/teams/support-team"),
    sendToTeam: "as sendToAgent",
    streamToTeam: "as sendToAgent",
    callTeam: "as sendToAgent",
    callVersionedTeam: "as sendToAgent",
    listTeamTasks: "as listAgentTasks",
    getTeamTask: "as getAgentTask",
    cancelTeamTask: "as cancelAgentRun",
    subscribeToTeamTask: "as resumeAgentRun",
    followTeamTask: "as resumeAgentRun",
    createTeamPushConfig: "as createAgentPushConfig",
    listTeamPushConfigs: "as createAgentPushConfig",
    getTeamPushConfig: "as createAgentPushConfig",
    removeTeamPushConfig: "as removeAgentPushConfig",
    getExtendedTeamCard: "as getAgentCard",
    getLegacyTeamCard: "as getAgentCard",
    readTeamTask: "as getAgentTask",
    stopTeamTask: "as cancelAgentRun",
    getWorkflowCard: card("/a2a/workflows/publish-report"),
    sendToWorkflow: "as sendToAgent",
    streamToWorkflow: "as sendToAgent",
    callWorkflow: "as sendToAgent",
    callVersionedWorkflow: "as sendToAgent",
    listWorkflowTasks: "as listAgentTasks",
    getWorkflowTask: "as getAgentTask",
    cancelWorkflowTask: "as cancelAgentRun",
    subscribeToWorkflowTask: "as resumeAgentRun",
    followWorkflowTask: "as resumeAgentRun",
    createWorkflowPushConfig: "as createAgentPushConfig",
    listWorkflowPushConfigs: "as createAgentPushConfig",
    getWorkflowPushConfig: "as createAgentPushConfig",
    removeWorkflowPushConfig: "as removeAgentPushConfig",
    getExtendedWorkflowCard: "as getAgentCard",
    getLegacyWorkflowCard: "as getAgentCard",
    sendMessage: "as sendToAgent",
    streamMessage: "as sendToAgent",
  },
  "own world",
);
