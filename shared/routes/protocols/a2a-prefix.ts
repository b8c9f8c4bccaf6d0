/** Default prefix of the agent-to-agent interface. */
export const A2A_PREFIX = "/a2a";
