/** Where the agent-to-agent interface is, unless a deployment says otherwise. */
export const A2A_PREFIX = "/a2a";
