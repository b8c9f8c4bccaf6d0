import { randomUUID } from "node:crypto";
import {
  type AgentApp,
  type AgentContext,
  agent,
  methods,
  type PermissionOption,
  PROTOCOL_VERSION,
  RequestError,
  type RequestPermissionResponse,
} from "@agentclientprotocol/sdk";
import { type Client, type ComponentAddress, PlatformError } from "../../../client/index.ts";
import { promptOf } from "./prompt-of.ts";
import { type Editor, FailedRun, Turn } from "./turn.ts";
import { answered, asked } from "./updates-of.ts";

export type Bridge = {
  readonly app: AgentApp;
  /** Cancels the runs of prompts that are not answered yet. */
  readonly cancelAll: () => Promise<void>;
};

/** What may be answered to a call that waits. There is no answer for all calls to come: the platform knows none. */
const options: PermissionOption[] = [
  { optionId: "allow", name: "Allow", kind: "allow_once" },
  { optionId: "reject", name: "Reject", kind: "reject_once" },
];

/**
 * An agent, a team or a workflow of a platform as an agent of an editor, by the Agent Client Protocol in version 1. It reads and
 * writes no file of the editor and starts no MCP server that the editor names: its tools run on the platform.
 *
 * @param console  address of the platform's console
 */
export function acpAgent(
  client: Client,
  component: ComponentAddress,
  about: { readonly name: string; readonly version: string; readonly console: string },
): Bridge {
  const turns = new Map<string, Turn>();
  const app = agent({ name: about.name })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentCapabilities: { loadSession: true, promptCapabilities: { embeddedContext: true } },
      agentInfo: { name: about.name, version: about.version },
      authMethods: [],
    }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: randomUUID() }))
    .onRequest(methods.agent.session.load, ({ params: { sessionId }, client: editor }) =>
      refusing(() => replay(client, sessionId, editorOf(editor, sessionId))),
    )
    .onRequest(methods.agent.session.prompt, ({ params: { sessionId, prompt }, client: editor, signal }) =>
      refusing(async () => {
        if (turns.has(sessionId))
          throw RequestError.invalidRequest(undefined, "The session has a prompt that is not answered yet.");
        const turn = new Turn(client, component, sessionId, editorOf(editor, sessionId), about.console);
        turns.set(sessionId, turn);
        const cancel = () => void turn.cancel().catch(complain);
        signal.addEventListener("abort", cancel);
        try {
          return { stopReason: await turn.run(promptOf(prompt)) };
        } finally {
          turns.delete(sessionId);
          signal.removeEventListener("abort", cancel);
        }
      }),
    )
    .onNotification(methods.agent.session.cancel, async ({ params: { sessionId } }) => {
      await turns.get(sessionId)?.cancel().catch(complain);
    });
  return {
    app,
    cancelAll: async () => {
      await Promise.all([...turns.values()].map((turn) => turn.cancel().catch(complain)));
    },
  };
}

const editorOf = (context: AgentContext, sessionId: string): Editor => ({
  update: (update) => context.notify(methods.client.session.update, { sessionId, update }),
  ask: async (toolCall) => {
    const asking = { sessionId, toolCall, options };
    return (
      await context.request<RequestPermissionResponse>(methods.client.session.requestPermission, asking)
    ).outcome;
  },
});

/** Shows an earlier conversation: what was asked, and what was answered. */
async function replay(client: Client, session_id: string, { update }: Editor): Promise<object> {
  for (const run of await client.listSessionRuns({ path: { session_id } }))
    for (const shown of [...asked(run.run_input), ...answered(run.content)]) await update(shown);
  return {};
}

/** What the platform refuses is an error of the protocol, with the platform's own words. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FailedRun) throw RequestError.internalError(undefined, error.message);
    if (!(error instanceof PlatformError)) throw error;
    if (error.status === 401) throw RequestError.authRequired(undefined, "AGENT_PLATFORM_TOKEN is refused.");
    if (error.status === 404) throw new RequestError(-32002, error.message);
    throw RequestError.internalError({ status: error.status, code: error.code }, error.message);
  }
}

/** The editor reads the output; what went wrong beside it goes to the error output, which editors keep as a log. */
const complain = (error: unknown): void => console.error(error);
