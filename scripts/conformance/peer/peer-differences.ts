const CARD_URL =
  "the address in a card is the root of its interface, as the protocol has it; theirs is that of the one method that streams";
const OTHER_TOOLS =
  "the tools of the MCP server have names of our own: list_agents, list_teams, list_workflows, list_sessions; a session is a resource";

const SNAKE_CASE =
  "it sends thread_id, run_id and forwarded_props; the protocol and its official clients spell threadId, runId and forwardedProps";
const OWN_TEXT = "the status is the same 400; the text of its detail is ours";

/** Tests of the peer that fail here for a reason: part of their name, and the reason. */
const differences: readonly (readonly [RegExp, string])[] = [
  [/AgentCardDiscovery::test_get_(agent|team)_card$/, CARD_URL],
  [/test_agui_routes\.py::\w+::test_agui_run_/, SNAKE_CASE],
  [/::test_remote_content_endpoint_rejects_unknown_config$/, OWN_TEXT],
  [/test_mcp_routes\.py::test_(list_tools|get_agentos_config|get_session\w*)$/, OTHER_TOOLS],
];

/** Why a test of the peer may fail; undefined for one that must pass. */
export const differenceOf = (test: string): string | undefined =>
  differences.find(([name]) => name.test(test))?.[1];
