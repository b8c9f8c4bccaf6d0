import type { Operations } from "../../client/index.ts";
import type { Kind } from "./kinds.ts";
import { platform } from "./platform.ts";

/** A message to a run that has begun, as the platform shows it. */
export type RunMessage = Operations["listAgentMessages"]["answer"]["messages"][number];

type Sent = Operations["sendAgentMessage"];

const operations = {
  agent: { send: "sendAgentMessage", list: "listAgentMessages", withdraw: "withdrawAgentMessage" },
  team: { send: "sendTeamMessage", list: "listTeamMessages", withdraw: "withdrawTeamMessage" },
  workflow: {
    send: "sendWorkflowMessage",
    list: "listWorkflowMessages",
    withdraw: "withdrawWorkflowMessage",
  },
} as const;

/** The messages to runs of one session, by the same names for all three kinds. */
export function messagesOf(kind: Kind, id: string, session_id: string) {
  const names = operations[kind];
  const own = { [`${kind}_id`]: id };
  // The three kinds differ in the name of one field of the path, which the generated types do not know.
  const call = <A>(name: (typeof names)[keyof typeof names], input: object): Promise<A> =>
    (platform[name] as (given: object) => Promise<unknown>)(input) as Promise<A>;
  return {
    send: (run_id: string, body: Sent["input"]["body"]) =>
      call<Sent["answer"]>(names.send, { path: { ...own, run_id }, body: { ...body, session_id } }),
    list: (run_id: string) =>
      call<Operations["listAgentMessages"]["answer"]>(names.list, {
        path: { ...own, run_id },
        query: { session_id },
      }),
    /** @throws PlatformError where the run has taken it already */
    withdraw: (run_id: string, message_id: string) =>
      call<unknown>(names.withdraw, { path: { ...own, run_id, message_id }, query: { session_id } }),
  };
}
