/** Operations of AG-UI, of the AI SDK's chats, of OpenAI's interface and of the MCP server, which a deployment may leave out. They are served by the family of runs. */
export const aguiOperations = [
  "runAgui",
  "getAguiStatus",
  "runAgentAgui",
  "runTeamAgui",
  "runWorkflowAgui",
] as const;
export const uiChatOperations = [
  "runAgentChat",
  "getAgentChat",
  "followAgentChat",
  "stopAgentChat",
  "runTeamChat",
  "getTeamChat",
  "followTeamChat",
  "stopTeamChat",
  "runWorkflowChat",
  "getWorkflowChat",
  "followWorkflowChat",
  "stopWorkflowChat",
] as const;
export const openaiOperations = [
  "listOpenaiModels",
  "getOpenaiModel",
  "createChatCompletion",
  "createOpenaiResponse",
  "getOpenaiResponse",
  "cancelOpenaiResponse",
  "removeOpenaiResponse",
  "listOpenaiInputItems",
] as const;
export const mcpOperations = [
  "callMcp",
  "getMcpServerCard",
  "getAiCatalog",
  "getMcpCatalog",
  "getMcpResource",
  "getMcpResourceOfPath",
] as const;

const metadataOperations = ["getMcpResource", "getMcpResourceOfPath"] as const;

/** Operations of the sign-in of its clients, which the family of service accounts serves. */
export const oauthOperations = [
  "getOauthServer",
  "authorizeApp",
  "describeConsent",
  "decideConsent",
  "issueOauthToken",
  "revokeOauthToken",
  "registerOauthClient",
  "listConnectedApps",
  "removeConnectedApp",
] as const;

/** A deployment's settings of these. */
export type ServedProtocols = {
  readonly AGUI_ENABLED: "true" | "false";
  readonly UI_CHAT_ENABLED: "true" | "false";
  readonly MCP_ENABLED: "true" | "false";
  readonly OPENAI_ENABLED: "true" | "false";
  /** Where clients of the MCP server get their tokens. */
  readonly MCP_AUTH: "issuer" | "builtin" | "off";
};

/** Of the rows of a family those that a deployment serves. */
export function withServedProtocols<Row>(
  rows: Readonly<Record<string, Row>>,
  { AGUI_ENABLED, UI_CHAT_ENABLED, MCP_ENABLED, OPENAI_ENABLED, MCP_AUTH }: ServedProtocols,
): Readonly<Record<string, Row>> {
  const off = new Set<string>([
    ...(AGUI_ENABLED === "true" ? [] : aguiOperations),
    ...(UI_CHAT_ENABLED === "true" ? [] : uiChatOperations),
    ...(MCP_ENABLED === "true" ? [] : mcpOperations),
    ...(OPENAI_ENABLED === "true" ? [] : openaiOperations),
    ...(MCP_AUTH === "off" ? metadataOperations : []),
    ...(MCP_ENABLED === "true" && MCP_AUTH === "builtin" ? [] : oauthOperations),
  ]);
  return Object.fromEntries(Object.entries(rows).filter(([operation]) => !off.has(operation)));
}

/** Whether an operation is for other systems' clients, and for nothing that the platform does by itself. */
export const isProtocolOperation = (operation: string): boolean =>
  [...aguiOperations, ...uiChatOperations, ...mcpOperations, ...openaiOperations, ...oauthOperations].some(
    (one) => one === operation,
  );
