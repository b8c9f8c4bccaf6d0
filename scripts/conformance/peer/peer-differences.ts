const CARD_URL =
  "the address of a card is the root of its interface, as the protocol has it; theirs is the one method that streams (docs/interface/a2a.md)";
const OTHER_TOOLS =
  "the tools of the MCP server have names of our own: list_agents, list_teams, list_workflows, list_sessions; a session is a resource";

/** Tests of the peer that fail here for a reason: part of their name, and the reason. */
const differences: readonly (readonly [RegExp, string])[] = [
  [/AgentCardDiscovery::test_get_(agent|team)_card$/, CARD_URL],
  [/test_mcp_routes\.py::test_(list_tools|get_agentos_config|get_session\w*)$/, OTHER_TOOLS],
];

/** Why a test of the peer may fail; undefined for one that must pass. */
export const differenceOf = (test: string): string | undefined =>
  differences.find(([name]) => name.test(test))?.[1];
