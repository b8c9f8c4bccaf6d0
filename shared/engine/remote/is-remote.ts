import type { Agent } from "../define/agent.ts";
import type { RemoteSettings } from "../define/remote-settings.ts";
import type { Member } from "../define/team.ts";

export type RemoteAgent = Agent & { readonly remote: RemoteSettings };

/** Whether a run of it is a task of another organization's agent. */
export const isRemote = (member: Member): member is RemoteAgent =>
  member.kind === "agent" && member.remote !== undefined;
