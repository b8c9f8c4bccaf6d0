/**
 * Names of the attributes of spans: those of OpenTelemetry's conventions for generative AI if there is one,
 * OpenInference's for the kind, the input and the output, and our own for the rest.
 */
export const spanAttributes = {
  kind: "openinference.span.kind",
  input: "input.value",
  output: "output.value",
  operation: "gen_ai.operation.name",
  provider: "gen_ai.provider.name",
  model: "gen_ai.request.model",
  inputTokens: "gen_ai.usage.input_tokens",
  outputTokens: "gen_ai.usage.output_tokens",
  cacheReadTokens: "gen_ai.usage.cache_read.input_tokens",
  cacheWriteTokens: "gen_ai.usage.cache_creation.input_tokens",
  /** What kept a model call from reading what the one before had cached: a part of its prompt, or `expired`. */
  cacheBreak: "agent_platform.cache_break",
  componentId: "gen_ai.agent.id",
  componentName: "gen_ai.agent.name",
  workflowName: "gen_ai.workflow.name",
  conversation: "gen_ai.conversation.id",
  tool: "gen_ai.tool.name",
  toolCall: "gen_ai.tool.call.id",
  toolArguments: "gen_ai.tool.call.arguments",
  user: "user.id",
  errorType: "error.type",
  run: "agent_platform.run.id",
  stepType: "agent_platform.step.type",
  description: "agent_platform.workflow.description",
  steps: "agent_platform.workflow.steps",
  stepTypes: "agent_platform.workflow.step_types",
  documents: "agent_platform.retrieval.documents",
} as const;
