/** Operations of AG-UI, of OpenAI's interface and of the MCP server, which a deployment may leave out. They are served by the family of runs. */
export const aguiOperations = [
  "runAgui",
  "getAguiStatus",
  "runAgentAgui",
  "runTeamAgui",
  "runWorkflowAgui",
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
export const mcpOperations = ["callMcp", "getMcpResource", "getMcpResourceOfPath"] as const;

/** A deployment's settings of these. */
export type ServedProtocols = {
  readonly AGUI_ENABLED: "true" | "false";
  readonly MCP_ENABLED: "true" | "false";
  readonly OPENAI_ENABLED: "true" | "false";
};

/** The rows of the family of runs that a deployment serves. */
export function withServedProtocols<Row>(
  rows: Readonly<Record<string, Row>>,
  { AGUI_ENABLED, MCP_ENABLED, OPENAI_ENABLED }: ServedProtocols,
): Readonly<Record<string, Row>> {
  const off = new Set<string>([
    ...(AGUI_ENABLED === "true" ? [] : aguiOperations),
    ...(MCP_ENABLED === "true" ? [] : mcpOperations),
    ...(OPENAI_ENABLED === "true" ? [] : openaiOperations),
  ]);
  return Object.fromEntries(Object.entries(rows).filter(([operation]) => !off.has(operation)));
}

/** Whether an operation is for other systems' clients: what it does, other routes of the runs do too. */
export const isProtocolOperation = (operation: string): boolean =>
  [...aguiOperations, ...mcpOperations, ...openaiOperations].some((one) => one === operation);
