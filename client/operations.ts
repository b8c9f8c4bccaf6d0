// Generated from the route table; do not edit.

export type A2aAnswer = Readonly<Record<string, unknown>>;

export type A2aCallId = string | number;

export type A2aCall = { jsonrpc: "2.0"; id?: A2aCallId | null | undefined; method: string; params?: Readonly<Record<string, unknown>> | undefined; };

export type A2aMessageOption1MessagePartsItemOption1 = { text: string; mediaType?: string | undefined; filename?: string | undefined; metadata?: Readonly<Record<string, unknown>> | undefined; };

export type A2aMessageOption1MessagePartsItemOption2 = { url: string; mediaType?: string | undefined; filename?: string | undefined; metadata?: Readonly<Record<string, unknown>> | undefined; };

export type A2aMessageOption1MessagePartsItemOption3 = { raw: string; mediaType?: string | undefined; filename?: string | undefined; metadata?: Readonly<Record<string, unknown>> | undefined; };

export type A2aMessageOption1MessagePartsItemOption4 = { data: unknown; mediaType?: string | undefined; filename?: string | undefined; metadata?: Readonly<Record<string, unknown>> | undefined; };

export type A2aMessageOption1MessagePartsItem = A2aMessageOption1MessagePartsItemOption1 | A2aMessageOption1MessagePartsItemOption2 | A2aMessageOption1MessagePartsItemOption3 | A2aMessageOption1MessagePartsItemOption4;

export type A2aMessageOption1Message = { messageId: string; role: "ROLE_USER"; parts: readonly (A2aMessageOption1MessagePartsItem)[]; contextId?: string | undefined; taskId?: string | undefined; metadata?: Readonly<Record<string, unknown>> | null | undefined; extensions?: readonly (string)[] | undefined; referenceTaskIds?: readonly (string)[] | undefined; };

export type A2aMessageOption1Configuration = { acceptedOutputModes?: readonly (string)[] | undefined; returnImmediately?: boolean | undefined; historyLength?: number | undefined; };

export type A2aMessageOption1 = { message: A2aMessageOption1Message; configuration?: A2aMessageOption1Configuration | null | undefined; metadata?: Readonly<Record<string, unknown>> | null | undefined; };

export type A2aMessageOption2MessageContentItemFile = { fileWithUri?: string | undefined; fileWithBytes?: string | undefined; mimeType?: string | undefined; name?: string | undefined; };

export type A2aMessageOption2MessageContentItemData = { data: Readonly<Record<string, unknown>>; };

export type A2aMessageOption2MessageContentItem = { text?: string | undefined; file?: A2aMessageOption2MessageContentItemFile | undefined; data?: A2aMessageOption2MessageContentItemData | undefined; };

export type A2aMessageOption2Message = { messageId: string; role: "ROLE_USER" | "user"; content: readonly (A2aMessageOption2MessageContentItem)[]; contextId?: string | undefined; taskId?: string | undefined; };

export type A2aMessageOption2ConfigurationPushNotificationAuthentication = { schemes?: readonly (string)[] | null | undefined; credentials?: string | null | undefined; };

export type A2aMessageOption2ConfigurationPushNotification = { id?: string | null | undefined; url: string; token?: string | null | undefined; authentication?: A2aMessageOption2ConfigurationPushNotificationAuthentication | null | undefined; };

export type A2aMessageOption2Configuration = { blocking?: boolean | undefined; historyLength?: number | undefined; pushNotification?: A2aMessageOption2ConfigurationPushNotification | undefined; pushNotificationConfig?: A2aMessageOption2ConfigurationPushNotification | undefined; };

export type A2aMessageOption2 = { message: A2aMessageOption2Message; configuration?: A2aMessageOption2Configuration | null | undefined; };

export type A2aMessageOption3ParamsMessagePartsItemText = { kind: "text"; text: string; };

export type A2aMessageOption3ParamsMessagePartsItemFileFile = { uri?: string | undefined; bytes?: string | undefined; mimeType?: string | null | undefined; name?: string | null | undefined; };

export type A2aMessageOption3ParamsMessagePartsItemFile = { kind: "file"; file: A2aMessageOption3ParamsMessagePartsItemFileFile; };

export type A2aMessageOption3ParamsMessagePartsItemData = { kind: "data"; data: Readonly<Record<string, unknown>>; };

export type A2aMessageOption3ParamsMessagePartsItem = A2aMessageOption3ParamsMessagePartsItemText | A2aMessageOption3ParamsMessagePartsItemFile | A2aMessageOption3ParamsMessagePartsItemData;

export type A2aMessageOption3ParamsMessage = { messageId: string; role: "user"; parts: readonly (A2aMessageOption3ParamsMessagePartsItem)[]; contextId?: string | null | undefined; agentId?: string | null | undefined; };

export type A2aMessageOption3ParamsConfiguration = { blocking?: boolean | null | undefined; };

export type A2aMessageOption3Params = { message: A2aMessageOption3ParamsMessage; configuration?: A2aMessageOption3ParamsConfiguration | null | undefined; };

export type A2aMessageOption3 = { jsonrpc?: "2.0" | undefined; id: A2aCallId; method?: string | undefined; params: A2aMessageOption3Params; };

export type A2aMessage = A2aMessageOption1 | A2aMessageOption2 | A2aMessageOption3;

export type A2aRefusalOption1Error = { code: number; status: string; message: string; details: readonly (Readonly<Record<string, unknown>>)[]; };

export type A2aRefusalOption1 = { detail?: string | undefined; error_code?: string | null | undefined; faults?: readonly (ConfigFault)[] | undefined; error: A2aRefusalOption1Error; };

export type A2aRefusalOption2 = { code: number; message: string; data?: unknown | undefined; };

export type A2aRefusal20 = { jsonrpc: "2.0"; id: string | null; error: A2aRefusalOption2; };

export type A2aRefusal = A2aRefusalOption1 | A2aRefusalOption2 | A2aRefusal20 | ErrorBody;

export type AcceptedRun = { run_id: string; session_id: string; status: "PENDING" | "RUNNING" | "COMPLETED" | "PAUSED" | "CANCELLED" | "ERROR" | "REGENERATED"; message_id?: string | undefined; steered?: boolean | undefined; };

export type AgentCardAnswerSkillsItem = { id: string; name: string; };

export type AgentCardAnswer = { name: string; description: string; version: string; skills: readonly (AgentCardAnswerSkillsItem)[]; };

export type AgentResponseModel = { name: string; model: string; provider: string; };

export type AgentResponseToolsToolsItem = { name: string; description?: string | undefined; parameters: Readonly<Record<string, unknown>>; requires_confirmation?: boolean | undefined; external_execution?: boolean | undefined; approval_type?: "required" | "audit" | undefined; };

export type AgentResponseToolsToolChoiceOption2 = { tool: string; };

export type AgentResponseToolsToolChoice = "auto" | "none" | "required" | AgentResponseToolsToolChoiceOption2;

export type AgentResponseTools = { tools: readonly (AgentResponseToolsToolsItem)[]; tool_call_limit?: number | undefined; tool_choice?: AgentResponseToolsToolChoice | undefined; };

export type AgentResponseSessions = { session_table: string; add_history_to_context?: boolean | undefined; enable_session_summaries?: boolean | undefined; num_history_runs?: number | undefined; };

export type AgentResponseDefaultTools = { read_chat_history?: boolean | undefined; search_knowledge?: boolean | undefined; };

export type AgentResponseKnowledge = { name: string; db_id: string; knowledge_table: string; enable_agentic_knowledge_filters?: boolean | undefined; knowledge_filters?: unknown | undefined; references_format: "json"; };

export type AgentResponseMemory = { memory_table: string; enable_agentic_memory?: boolean | undefined; update_memory_on_run?: boolean | undefined; };

export type AgentResponseSystemMessageInstructions = string | readonly (string)[];

export type AgentResponseSystemMessage = { system_message?: string | undefined; description?: string | undefined; instructions?: AgentResponseSystemMessageInstructions | undefined; expected_output?: string | undefined; additional_context?: string | undefined; markdown?: boolean | undefined; add_name_to_context?: boolean | undefined; add_datetime_to_context?: boolean | undefined; timezone_identifier?: string | undefined; resolve_in_context?: boolean | undefined; };

export type AgentResponseExtraMessagesAdditionalInputItem = { role: "user" | "assistant"; content: string; };

export type AgentResponseExtraMessages = { additional_input: readonly (AgentResponseExtraMessagesAdditionalInputItem)[]; };

export type AgentResponseResponseSettings = { retries?: number | undefined; delay_between_retries?: number | undefined; exponential_backoff?: boolean | undefined; output_schema_name?: string | undefined; };

export type AgentResponse = { id: string; name?: string | undefined; description?: string | undefined; role?: string | undefined; introduction?: string | undefined; db_id?: string | undefined; is_factory: boolean; input_schema?: Readonly<Record<string, unknown>> | undefined; model?: AgentResponseModel | undefined; tools?: AgentResponseTools | undefined; sessions?: AgentResponseSessions | undefined; default_tools?: AgentResponseDefaultTools | undefined; knowledge?: AgentResponseKnowledge | undefined; memory?: AgentResponseMemory | undefined; system_message?: AgentResponseSystemMessage | undefined; extra_messages?: AgentResponseExtraMessages | undefined; response_settings?: AgentResponseResponseSettings | undefined; metadata?: Readonly<Record<string, unknown>> | undefined; is_component: boolean; current_version?: number | undefined; stage?: "draft" | "published" | undefined; };

export type AgentRunEventRunStarted = { event: "RunStarted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; agent_id: string; agent_name: string; model: string; model_provider: string; };

export type AgentRunEventRunContinued = { event: "RunContinued"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; agent_id: string; agent_name: string; };

export type AgentRunEventRunContent = { event: "RunContent"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; agent_id: string; agent_name: string; content: string; content_type: "str"; workflow_agent: boolean; reasoning_content: string; };

export type AgentRunEventRunContentCompleted = { event: "RunContentCompleted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; agent_id: string; agent_name: string; };

export type AgentRunEventRunCompletedReferencesItemReferencesItem = { content: string; name?: string | undefined; meta_data: Readonly<Record<string, unknown>>; };

export type AgentRunEventRunCompletedReferencesItem = { query: string; references: readonly (AgentRunEventRunCompletedReferencesItemReferencesItem)[]; time: number; };

export type AgentRunEventRunCompleted = { event: "RunCompleted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; agent_id: string; agent_name: string; content: unknown; content_type: string; images?: readonly (Media)[] | undefined; audio?: readonly (Media)[] | undefined; videos?: readonly (Media)[] | undefined; files?: readonly (Media)[] | undefined; reasoning_content?: string | undefined; references?: readonly (AgentRunEventRunCompletedReferencesItem)[] | undefined; additional_input?: readonly (Message)[] | undefined; metadata?: Readonly<Record<string, unknown>> | undefined; metrics?: RunMetrics | undefined; session_state?: Readonly<Record<string, unknown>> | undefined; member_responses?: readonly (RunOutput)[] | undefined; };

export type AgentRunEventRunPaused = { event: "RunPaused"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; agent_id: string; agent_name: string; content?: string | undefined; tools: readonly (ToolExecution)[]; requirements: readonly (Requirement)[]; };

export type AgentRunEventRunError = { event: "RunError"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; agent_id: string; agent_name: string; content: string; error_type?: string | undefined; error_id?: string | undefined; };

export type AgentRunEventRunCancelled = { event: "RunCancelled"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; agent_id: string; agent_name: string; content?: string | undefined; reason: string; };

export type AgentRunEventPreHookStartedRunInput = { input_content: string; };

export type AgentRunEventPreHookStarted = { event: "PreHookStarted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; agent_id: string; agent_name: string; pre_hook_name: string; run_input: AgentRunEventPreHookStartedRunInput; };

export type AgentRunEventPreHookCompleted = { event: "PreHookCompleted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; agent_id: string; agent_name: string; pre_hook_name: string; run_input: AgentRunEventPreHookStartedRunInput; };

export type AgentRunEventPostHookStarted = { event: "PostHookStarted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; agent_id: string; agent_name: string; post_hook_name: string; };

export type AgentRunEventPostHookCompleted = { event: "PostHookCompleted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; agent_id: string; agent_name: string; post_hook_name: string; };

export type AgentRunEventMemoryUpdateStarted = { event: "MemoryUpdateStarted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; agent_id: string; agent_name: string; };

export type AgentRunEventMemoryUpdateCompleted = { event: "MemoryUpdateCompleted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; agent_id: string; agent_name: string; memories?: readonly (UserMemory)[] | undefined; };

export type AgentRunEventSessionSummaryStarted = { event: "SessionSummaryStarted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; agent_id: string; agent_name: string; };

export type AgentRunEventSessionSummaryCompleted = { event: "SessionSummaryCompleted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; agent_id: string; agent_name: string; session_summary?: SessionSummary | undefined; };

export type AgentRunEventSessionStateConflict = { event: "SessionStateConflict"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; agent_id: string; agent_name: string; keys: readonly (string)[]; };

export type AgentRunEventCustomEvent = { event: "CustomEvent"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; agent_id: string; agent_name: string; name: "user_message" | "feedback_links"; message_id?: string | undefined; content?: string | undefined; state?: "taken" | "refused" | undefined; feedback?: Readonly<Record<string, string>> | undefined; };

export type AgentRunEventFollowupsStarted = { event: "FollowupsStarted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; agent_id: string; agent_name: string; };

export type AgentRunEventFollowupsCompleted = { event: "FollowupsCompleted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; agent_id: string; agent_name: string; followups: readonly (string)[]; };

export type AgentRunEventToolCallStarted = { event: "ToolCallStarted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; agent_id: string; agent_name: string; tool: ToolExecution; };

export type AgentRunEventToolCallCompleted = { event: "ToolCallCompleted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; agent_id: string; agent_name: string; tool: ToolExecution; content: string; images?: readonly (Media)[] | undefined; audio?: readonly (Media)[] | undefined; videos?: readonly (Media)[] | undefined; files?: readonly (Media)[] | undefined; };

export type AgentRunEventToolCallError = { event: "ToolCallError"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; agent_id: string; agent_name: string; tool: ToolExecution; error: string; };

export type AgentRunEventCompressionStarted = { event: "CompressionStarted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; agent_id: string; agent_name: string; };

export type AgentRunEventCompressionCompleted = { event: "CompressionCompleted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; agent_id: string; agent_name: string; tool_results_compressed: number; original_size: number; compressed_size: number; };

export type AgentRunEventCompactionStarted = { event: "CompactionStarted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; agent_id: string; agent_name: string; };

export type AgentRunEventCompactionCompleted = { event: "CompactionCompleted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; agent_id: string; agent_name: string; messages_compacted: number; tokens_before: number; tokens_after: number; archived: boolean; };

export type AgentRunEventModelRequestStarted = { event: "ModelRequestStarted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; agent_id: string; agent_name: string; model: string; model_provider: string; };

export type AgentRunEventModelRequestCompleted = { event: "ModelRequestCompleted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; agent_id: string; agent_name: string; model: string; model_provider: string; input_tokens: number; output_tokens: number; total_tokens: number; time_to_first_token?: number | undefined; reasoning_tokens: number; cache_read_tokens: number; cache_write_tokens: number; finish_reason?: "length" | "content-filter" | undefined; usage_estimated?: boolean | undefined; };

export type AgentRunEventReplay = { event: "replay"; run_id: string; status: "PENDING" | "RUNNING" | "COMPLETED" | "PAUSED" | "CANCELLED" | "ERROR" | "REGENERATED"; message: string; total_events: number; last_event_index_requested?: number | undefined; };

export type AgentRunEventCatchUp = { event: "catch_up"; run_id: string; status: "PENDING" | "RUNNING" | "COMPLETED" | "PAUSED" | "CANCELLED" | "ERROR" | "REGENERATED"; message: string; missed_events: number; current_event_count: number; };

export type AgentRunEventSubscribed = { event: "subscribed"; run_id: string; status: "PENDING" | "RUNNING" | "COMPLETED" | "PAUSED" | "CANCELLED" | "ERROR" | "REGENERATED"; message: string; current_event_count: number; };

export type AgentRunEventError = { event: "error"; error: string; };

export type AgentRunEvent = AgentRunEventRunStarted | AgentRunEventRunContinued | AgentRunEventRunContent | AgentRunEventRunContentCompleted | AgentRunEventRunCompleted | AgentRunEventRunPaused | AgentRunEventRunError | AgentRunEventRunCancelled | AgentRunEventPreHookStarted | AgentRunEventPreHookCompleted | AgentRunEventPostHookStarted | AgentRunEventPostHookCompleted | AgentRunEventMemoryUpdateStarted | AgentRunEventMemoryUpdateCompleted | AgentRunEventSessionSummaryStarted | AgentRunEventSessionSummaryCompleted | AgentRunEventSessionStateConflict | AgentRunEventCustomEvent | AgentRunEventFollowupsStarted | AgentRunEventFollowupsCompleted | AgentRunEventToolCallStarted | AgentRunEventToolCallCompleted | AgentRunEventToolCallError | AgentRunEventCompressionStarted | AgentRunEventCompressionCompleted | AgentRunEventCompactionStarted | AgentRunEventCompactionCompleted | AgentRunEventModelRequestStarted | AgentRunEventModelRequestCompleted | AgentRunEventReplay | AgentRunEventCatchUp | AgentRunEventSubscribed | AgentRunEventError;

export type AgentRunRowInputMedia = { images: readonly (Media)[]; videos: readonly (Media)[]; audios: readonly (Media)[]; files: readonly (Media)[]; };

export type AgentRunRow = { run_id: string; status: "PENDING" | "RUNNING" | "COMPLETED" | "PAUSED" | "CANCELLED" | "ERROR" | "REGENERATED"; run_input: string; content?: unknown | undefined; error?: string | undefined; reasoning_content: string; reasoning_steps: readonly (unknown)[]; events?: readonly (unknown)[] | null | undefined; created_at: string; references: readonly (unknown)[]; images: readonly (Media)[]; videos: readonly (Media)[]; audio: readonly (Media)[]; files: readonly (Media)[]; citations?: Readonly<Record<string, unknown>> | null | undefined; response_audio?: Readonly<Record<string, unknown>> | null | undefined; parent_run_id: string; run_response_format: "text"; metrics: RunMetrics; messages?: readonly (Message)[] | null | undefined; tools?: readonly (ToolExecution)[] | null | undefined; session_state?: Readonly<Record<string, unknown>> | null | undefined; input_media: AgentRunRowInputMedia; followups?: readonly (string)[] | null | undefined; forked_from_run_id?: string | null | undefined; forked_from_message_index?: number | null | undefined; forked_from_session_id?: string | null | undefined; regenerated_from?: string | null | undefined; last_checkpoint_at_message_index?: number | null | undefined; agent_id?: string | null | undefined; user_id: string; };

export type AgentSessionDetailAgentDataModel = { id: string; provider: string; name: string; };

export type AgentSessionDetailAgentData = { id: string; agent_id: string; name: string; model: AgentSessionDetailAgentDataModel; };

export type AgentSessionDetail = { session_id: string; session_name: string; user_id?: string | null | undefined; session_state: Readonly<Record<string, unknown>>; metadata?: Readonly<Record<string, unknown>> | null | undefined; created_at: string; updated_at: string; session_summary?: SessionSummary | null | undefined; metrics: RunMetrics; total_tokens: number; chat_history: readonly (Message)[]; agent_session_id: string; agent_id?: string | null | undefined; agent_data?: AgentSessionDetailAgentData | null | undefined; };

export type AguiEvent = { type: string; };

export type ApprovalContext = { tool_names: readonly (string)[]; source_name: string | null; };

export type Approval = { id: string; run_id: string; session_id: string; status: "pending" | "approved" | "rejected" | "expired" | "cancelled"; source_type: "agent" | "team" | "workflow"; approval_type: "required" | "audit" | null; pause_type: "confirmation" | "user_input" | "external_execution" | null; tool_name: string | null; tool_args: Readonly<Record<string, unknown>> | null; edited_args?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | null | undefined; expires_at: number | null; agent_id: string | null; team_id: string | null; workflow_id: string | null; user_id: string | null; schedule_id: string | null; schedule_run_id: string | null; source_name: string | null; requirements: readonly (Requirement)[] | null; context: ApprovalContext | null; resolution_data: Readonly<Record<string, unknown>> | null; resolved_by: string | null; resolved_at: number | null; created_at: number; updated_at: number | null; run_status: string | null; };

export type CallInputField = { name: string; field_type: string; description: string | null; value: unknown; };

export type CallQuestionOptionsItem = { label: string; description: string | null; selected: boolean; };

export type CallQuestion = { question: string; header: string; multi_select: boolean; selected_options: readonly (string)[] | null; options?: readonly (CallQuestionOptionsItem)[] | undefined; };

export type ChatCompletionChunk = { id?: string | undefined; };

export type CheckedComponent = { component_id: string; component_type: "agent" | "team" | "workflow" | "skill"; name: string; description?: string | undefined; current_version?: number | undefined; metadata?: Readonly<Record<string, unknown>> | undefined; user_id?: string | undefined; created_at: number; updated_at?: number | undefined; deleted_at?: number | undefined; warnings?: readonly (ConfigWarning)[] | undefined; faults?: readonly (ConfigFault)[] | undefined; };

export type CheckedVersion = { component_id: string; version: number; label?: string | undefined; stage: "draft" | "published"; config?: Readonly<Record<string, unknown>> | undefined; notes?: string | undefined; created_at: number; updated_at?: number | undefined; warnings?: readonly (ConfigWarning)[] | undefined; faults?: readonly (ConfigFault)[] | undefined; };

export type Checkpoint = { checkpoint_id: string; run_id: string; session_id: string; message_index: number; continue_from: number; status: "PENDING" | "RUNNING" | "COMPLETED" | "PAUSED" | "CANCELLED" | "ERROR" | "REGENERATED"; reason: "checkpoint" | "end"; created_at: number; message_id: string | null; message_role: string | null; message_preview: string | null; is_latest: boolean; };

export type Component = { component_id: string; component_type: "agent" | "team" | "workflow" | "skill"; name: string; description?: string | undefined; current_version?: number | undefined; metadata?: Readonly<Record<string, unknown>> | undefined; user_id?: string | undefined; created_at: number; updated_at?: number | undefined; deleted_at?: number | undefined; };

export type ConfigCheck = { ok: boolean; faults: readonly (ConfigFault)[]; warnings: readonly (ConfigWarning)[]; };

export type ConfigFault = { path: string; message: string; error_code: string; };

export type ConfigVersion = { component_id: string; version: number; label?: string | undefined; stage: "draft" | "published"; config?: Readonly<Record<string, unknown>> | undefined; notes?: string | undefined; created_at: number; updated_at?: number | undefined; };

export type ConfigWarning = { path: string; message: string; };

export type Content = { id: string; name: string | null; description: string | null; type: string | null; size: string | null; linked_to: string | null; metadata: Readonly<Record<string, unknown>> | null; access_count: number | null; status: "processing" | "completed" | "failed"; status_message: string | null; created_at: string | null; updated_at: string | null; };

export type DatabaseMigration = { status: "running" | "completed" | "failed"; target_version: string; at?: string | undefined; records_read: number; records_changed: number; started_at: number; updated_at: number; error?: string | undefined; };

export type Database = { db_id: string; version: string; latest_version: string; versions: readonly (string)[]; migration?: DatabaseMigration | undefined; };

export type ErrorBody = { detail: string; error_code?: string | null | undefined; faults?: readonly (ConfigFault)[] | undefined; };

export type EvalResultsOption1ResultsItem = { input: string; output: string; score: number | null; reason: string; expected_output: string; };

export type EvalResultsOption1 = { results: readonly (EvalResultsOption1ResultsItem)[]; avg_score: number | null; min_score: number | null; max_score: number | null; std_dev_score: number | null; mean_score: number | null; };

export type EvalResultsOption2ResultsItem = { input: string; output: string; score: number | null; reason: string; criteria: string; passed: boolean | null; };

export type EvalResultsOption2 = { run_id: string; results: readonly (EvalResultsOption2ResultsItem)[]; avg_score: number | null; min_score: number | null; max_score: number | null; std_dev_score: number | null; pass_rate: number; };

export type EvalResultsOption3Result = { avg_run_time: number | null; min_run_time: number | null; max_run_time: number | null; std_dev_run_time: number | null; median_run_time: number | null; p50_run_time: number | null; p90_run_time: number | null; p95_run_time: number | null; p99_run_time: number | null; avg_memory_usage: number | null; min_memory_usage: number | null; max_memory_usage: number | null; std_dev_memory_usage: number | null; median_memory_usage: number | null; p50_memory_usage: number | null; p90_memory_usage: number | null; p95_memory_usage: number | null; p99_memory_usage: number | null; };

export type EvalResultsOption3RunsItem = { runtime: number; memory: number; };

export type EvalResultsOption3 = { result: EvalResultsOption3Result; runs: readonly (EvalResultsOption3RunsItem)[]; };

export type EvalResultsOption4 = { eval_status: "PASSED" | "FAILED"; passed_tool_calls: readonly (string)[]; failed_tool_calls: readonly (string)[]; additional_tool_calls: readonly (string)[]; missing_tool_calls: readonly (string)[]; passed_argument_checks: readonly (string)[]; failed_argument_checks: readonly (string)[]; };

export type EvalResults = EvalResultsOption1 | EvalResultsOption2 | EvalResultsOption3 | EvalResultsOption4 | Record<string, never>;

export type EvalRunProgress = { done: number; total: number; };

export type EvalRun = { id: string; eval_type: "accuracy" | "agent_as_judge" | "performance" | "reliability"; name: string | null; agent_id: string | null; team_id: string | null; workflow_id: string | null; model_id: string | null; model_provider: string | null; evaluated_component_name: string | null; eval_data: EvalResults; eval_input: Readonly<Record<string, unknown>> | null; created_at: string | null; updated_at: string | null; user_id: string | null; status: "running" | "completed" | "failed"; error: string | null; progress: EvalRunProgress; cases: number; metrics?: RunMetrics | undefined; component_version?: number | undefined; dataset_id?: string | undefined; dataset_version?: number | undefined; run_id?: string | undefined; session_id?: string | undefined; };

export type GivenLink = { link_kind: "member" | "step_agent" | "step_team" | "step_workflow" | "skill"; link_key: string; child_component_id: string; child_version: number; position?: number | null | undefined; meta?: Readonly<Record<string, unknown>> | null | undefined; };

export type Learning = { learning_id: string; learning_type: string; namespace: string | null; user_id: string | null; agent_id: string | null; team_id: string | null; session_id: string | null; entity_id: string | null; entity_type: string | null; content: Readonly<Record<string, unknown>> | null; metadata: Readonly<Record<string, unknown>> | null; created_at: number; updated_at: number; };

export type McpAnswerError = { code: number; message: string; };

export type McpAnswer = { jsonrpc: "2.0"; id?: A2aCallId | null | undefined; result?: Readonly<Record<string, unknown>> | undefined; error?: McpAnswerError | undefined; };

export type McpMessageId = string | number;

export type McpMessage = { jsonrpc: "2.0"; id?: McpMessageId | undefined; method: string; params?: Readonly<Record<string, unknown>> | undefined; };

export type MediaObject = { key: string; sha256: string; bytes: number; };

export type Media = { id: string; format?: string | undefined; mime_type?: string | undefined; filename?: string | undefined; url?: string | undefined; content?: string | undefined; object?: MediaObject | undefined; };

export type MessageSteered = { message_id: string; };

export type MessageToolCallsItemFunction = { name: string; arguments: string; };

export type MessageToolCallsItem = { id: string; type: "function"; function: MessageToolCallsItemFunction; };

export type MessageStoredResult = { result_id: string; lines: number; chars: number; digest: string; stored: boolean; };

export type MessageProviderDataPartsItemReasoning = { type: "reasoning"; text: string; options?: Readonly<Record<string, unknown>> | undefined; };

export type MessageProviderDataPartsItemText = { type: "text"; length: number; options?: Readonly<Record<string, unknown>> | undefined; };

export type MessageProviderDataPartsItemToolCall = { type: "tool-call"; options?: Readonly<Record<string, unknown>> | undefined; };

export type MessageProviderDataPartsItem = MessageProviderDataPartsItemReasoning | MessageProviderDataPartsItemText | MessageProviderDataPartsItemToolCall;

export type MessageProviderData = { provider: string; model: string; parts: readonly (MessageProviderDataPartsItem)[]; };

export type Message = { id: string; role: "system" | "user" | "assistant" | "tool"; content?: string | undefined; context?: string | undefined; steered?: MessageSteered | undefined; tool_call_id?: string | undefined; tool_calls?: readonly (MessageToolCallsItem)[] | undefined; tool_name?: string | undefined; tool_args?: Readonly<Record<string, unknown>> | undefined; tool_call_error?: boolean | undefined; stored_result?: MessageStoredResult | undefined; reasoning_content?: string | undefined; provider_data?: MessageProviderData | undefined; images?: readonly (Media)[] | undefined; audio?: readonly (Media)[] | undefined; videos?: readonly (Media)[] | undefined; files?: readonly (Media)[] | undefined; finish_reason?: "length" | "content-filter" | undefined; metrics?: RunMetrics | undefined; from_history: boolean; stop_after_tool_call: boolean; created_at: number; };

export type CacheMetricsBreaksItem = { call: number; part: "model" | "tools" | "system" | "tool_choice" | "history" | "expired"; };

export type CacheMetricsLast = { model: string; tools: string; system: string; tool_choice: string; history: string; to: string; at_ms: number; };

export type CacheMetrics = { hit_rate: number; breaks: readonly (CacheMetricsBreaksItem)[]; derived?: boolean | undefined; last?: CacheMetricsLast | undefined; };

export type ModelUsage = { id: string; provider: string; input_tokens?: number | undefined; output_tokens?: number | undefined; total_tokens?: number | undefined; cache_read_tokens?: number | undefined; cache_write_tokens?: number | undefined; reasoning_tokens?: number | undefined; cost?: number | undefined; usage_estimated?: boolean | undefined; };

export type PaginationInfo = { page: number; limit: number; total_pages: number; total_count: number; search_time_ms: number; };

export type QueueJobQueuedPayloadContinue = { updated_tools?: readonly (Readonly<Record<string, unknown>>)[] | undefined; requirements?: readonly (Readonly<Record<string, unknown>>)[] | undefined; step_requirements?: readonly (Readonly<Record<string, unknown>>)[] | undefined; input?: string | null | undefined; continue_from?: string | undefined; kwargs: Readonly<Record<string, unknown>>; };

export type QueueJobQueuedPayload = { input: string; kwargs: Readonly<Record<string, unknown>>; stream?: boolean | undefined; version?: number | undefined; truncated?: boolean | undefined; continue?: QueueJobQueuedPayloadContinue | undefined; };

export type QueueJobQueued = { id: string; component_type: "agent" | "team" | "workflow"; component_id: string; session_id: string; job_type: "run"; user_id: string | null; payload: QueueJobQueuedPayload; attempt: number; max_attempts: number; idempotency_key: string | null; available_at: number | null; created_at: number; updated_at: number | null; locked_by: string | null; locked_at: number | null; status: "queued" | "paused"; error: string | null; completed_at: number | null; };

export type QueueJobRunning = { id: string; component_type: "agent" | "team" | "workflow"; component_id: string; session_id: string; job_type: "run"; user_id: string | null; payload: QueueJobQueuedPayload; attempt: number; max_attempts: number; idempotency_key: string | null; available_at: number | null; created_at: number; updated_at: number | null; status: "running"; locked_by: string; locked_at: number; error: string | null; completed_at: number | null; };

export type QueueJobCompleted = { id: string; component_type: "agent" | "team" | "workflow"; component_id: string; session_id: string; job_type: "run"; user_id: string | null; payload: QueueJobQueuedPayload; attempt: number; max_attempts: number; idempotency_key: string | null; available_at: number | null; created_at: number; updated_at: number | null; locked_by: string | null; locked_at: number | null; status: "completed"; error: string | null; completed_at: number; };

export type QueueJobCancelled = { id: string; component_type: "agent" | "team" | "workflow"; component_id: string; session_id: string; job_type: "run"; user_id: string | null; payload: QueueJobQueuedPayload; attempt: number; max_attempts: number; idempotency_key: string | null; available_at: number | null; created_at: number; updated_at: number | null; locked_by: string | null; locked_at: number | null; status: "cancelled"; error: string | null; completed_at: number; };

export type QueueJobFailed = { id: string; component_type: "agent" | "team" | "workflow"; component_id: string; session_id: string; job_type: "run"; user_id: string | null; payload: QueueJobQueuedPayload; attempt: number; max_attempts: number; idempotency_key: string | null; available_at: number | null; created_at: number; updated_at: number | null; locked_by: string | null; locked_at: number | null; status: "failed"; error: string; completed_at: number; };

export type QueueJob = QueueJobQueued | QueueJobRunning | QueueJobCompleted | QueueJobCancelled | QueueJobFailed;

export type QueueStatsCounts = { queued: number; running: number; paused: number; completed: number; failed: number; cancelled: number; };

export type QueueStatsWaiting = { for_slot: number; for_share: number; for_session: number; until_later: number; };

export type QueueStatsUsersItem = { user_id: string | null; queued: number; running: number; };

export type QueueStats = { counts: QueueStatsCounts; oldest_queued_age_seconds: number | null; waiting: QueueStatsWaiting; users: readonly (QueueStatsUsersItem)[]; };

export type Requirement = { id: string; created_at: string; confirmation?: boolean | undefined; confirmation_note?: string | undefined; external_execution_result?: string | undefined; tool_execution: ToolExecution; user_input_schema?: readonly (CallInputField)[] | undefined; user_feedback_schema?: readonly (CallQuestion)[] | undefined; member_agent_id?: string | undefined; member_agent_name?: string | undefined; member_run_id?: string | undefined; };

export type ResponseStreamEvent = { type: string; };

export type RunMetricsAdditionalMetricsFallbacksItem = { call: number; from: string; to: string; class: "rate_limit" | "context_overflow" | "unavailable" | "refused" | "broken" | "client"; };

export type RunMetricsAdditionalMetricsContextFoldsItem = { id: string; run_id: string; summary: string; first_kept_message_id: string; messages_compacted: number; tokens_before: number; tokens_after: number; archived: boolean; created_at: number; };

export type RunMetricsAdditionalMetricsContextRefused = { at: number; times: number; };

export type RunMetricsAdditionalMetricsContext = { cleared_to?: string | undefined; folds?: readonly (RunMetricsAdditionalMetricsContextFoldsItem)[] | undefined; cut_to?: number | undefined; changed_at: number; learned?: Readonly<Record<string, number>> | undefined; refused?: RunMetricsAdditionalMetricsContextRefused | undefined; };

export type RunMetricsAdditionalMetricsUsedByValue = { input_tokens?: number | undefined; output_tokens?: number | undefined; total_tokens?: number | undefined; cache_read_tokens?: number | undefined; cache_write_tokens?: number | undefined; reasoning_tokens?: number | undefined; cost?: number | undefined; usage_estimated?: boolean | undefined; };

export type RunMetricsAdditionalMetrics = { cache?: CacheMetrics | undefined; fallbacks?: readonly (RunMetricsAdditionalMetricsFallbacksItem)[] | undefined; context?: RunMetricsAdditionalMetricsContext | undefined; used_by?: Readonly<Record<string, RunMetricsAdditionalMetricsUsedByValue>> | undefined; folds_used?: Readonly<Record<string, RunMetricsAdditionalMetricsUsedByValue>> | undefined; };

export type RunMetrics = { input_tokens?: number | undefined; output_tokens?: number | undefined; total_tokens?: number | undefined; cache_read_tokens?: number | undefined; cache_write_tokens?: number | undefined; reasoning_tokens?: number | undefined; cost?: number | undefined; usage_estimated?: boolean | undefined; time_to_first_token?: number | undefined; duration?: number | undefined; details?: Readonly<Record<string, readonly (ModelUsage)[]>> | undefined; additional_metrics?: RunMetricsAdditionalMetrics | undefined; };

export type RunOutputInput = { input_content: string; images?: readonly (Media)[] | undefined; videos?: readonly (Media)[] | undefined; audios?: readonly (Media)[] | undefined; files?: readonly (Media)[] | undefined; };

export type RunOutputTeamTasksListItem = { id: string; title: string; description: string; status: "pending" | "in_progress" | "completed" | "failed" | "blocked"; assignee: string | null; dependencies: readonly (string)[]; result: string | null; member_run_id?: string | undefined; };

export type RunOutputTeamTasks = { list: readonly (RunOutputTeamTasksListItem)[]; iteration: number; iterating: boolean; goal_complete: boolean; completion_summary: string | null; };

export type RunOutputCallback = { url: string; events: readonly ("run.completed" | "run.failed" | "run.cancelled" | "run.paused")[]; };

export type RunOutputWithheldItem = { run_id: string; hook: string; error_id?: string | undefined; text: string; created_at: number; };

export type RunOutput = { run_id: string; session_id: string; user_id?: string | undefined; agent_id?: string | undefined; agent_name?: string | undefined; team_id?: string | undefined; team_name?: string | undefined; parent_run_id?: string | undefined; parent_tool_call_id?: string | undefined; workflow_id?: string | undefined; workflow_step_id?: string | undefined; input: RunOutputInput; content?: unknown | undefined; content_type?: string | undefined; error?: string | undefined; reasoning_content?: string | undefined; finish_reason?: "length" | "content-filter" | undefined; model?: string | undefined; model_provider?: string | undefined; messages?: readonly (Message)[] | undefined; metrics?: RunMetrics | undefined; compaction?: RunMetricsAdditionalMetricsContextFoldsItem | undefined; total_metrics?: RunMetrics | undefined; tools?: readonly (ToolExecution)[] | undefined; images?: readonly (Media)[] | undefined; audio?: readonly (Media)[] | undefined; videos?: readonly (Media)[] | undefined; files?: readonly (Media)[] | undefined; references?: readonly (AgentRunEventRunCompletedReferencesItem)[] | undefined; requirements?: readonly (Requirement)[] | undefined; team_tasks?: RunOutputTeamTasks | undefined; additional_input?: readonly (Message)[] | undefined; followups?: readonly (string)[] | undefined; metadata?: Readonly<Record<string, unknown>> | undefined; session_state?: Readonly<Record<string, unknown>> | undefined; forked_from_run_id?: string | undefined; forked_from_message_index?: number | undefined; forked_from_session_id?: string | undefined; regenerated_from?: string | undefined; created_at: number; status: "PENDING" | "RUNNING" | "COMPLETED" | "PAUSED" | "CANCELLED" | "ERROR" | "REGENERATED"; member_responses?: readonly (RunOutput)[] | undefined; callback?: RunOutputCallback | undefined; withheld?: readonly (RunOutputWithheldItem)[] | undefined; feedback?: Readonly<Record<string, string>> | undefined; };

export type RunRequirement = Requirement | StepRequirement;

export type Schedule = { id: string; user_id: string | null; name: string; description: string | null; method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"; endpoint: string; payload: Readonly<Record<string, unknown>>; cron_expr: string; timezone: string; timeout_seconds: number; max_retries: number; retry_delay_seconds: number; overlap: "skip" | "queue" | "allow"; enabled: boolean; next_run_at: number | null; managed_by: string | null; target_type: "agent" | "team" | "workflow" | null; target_id: string | null; disabled_reason: string | null; created_at: number; updated_at: number | null; };

export type ScheduleRunOutput = { content: unknown; content_type: string; };

export type ScheduleRun = { id: string; schedule_id: string; user_id: string | null; attempt: number; triggered_at: number; completed_at: number | null; status: "queued" | "running" | "paused" | "success" | "failed" | "cancelled" | "skipped" | "missed"; status_code: number | null; run_id: string | null; session_id: string | null; error: string | null; input: AgentRunEventPreHookStartedRunInput | null; output: ScheduleRunOutput | null; requirements: readonly (RunRequirement)[] | null; created_at: number; };

export type SessionDetail = AgentSessionDetail | TeamSessionDetail | WorkflowSessionDetail;

export type SessionItem = { session_id: string; session_name: string; session_state: Readonly<Record<string, unknown>>; created_at: string; updated_at: string; session_type: "agent" | "team" | "workflow"; user_id?: string | undefined; agent_id?: string | undefined; team_id?: string | undefined; workflow_id?: string | undefined; session_summary?: SessionSummary | undefined; metrics: RunMetrics; total_tokens: number; total_cost?: number | undefined; metadata?: Readonly<Record<string, unknown>> | undefined; };

export type SessionSummary = { summary: string; topics?: readonly (string)[] | undefined; updated_at?: string | undefined; };

export type StepMetrics = { step_name: string; executor_type: "agent" | "team" | "function" | "workflow" | null; executor_name: string | null; metrics: RunMetrics | null; };

export type StepOutput = { content: unknown; step_name: string; step_id: string; step_type: string; executor_type: "agent" | "team" | "function" | "workflow" | null; executor_name: string | null; step_run_id: string | null; images: readonly (Media)[] | null; videos: readonly (Media)[] | null; audio: readonly (Media)[] | null; files: readonly (Media)[] | null; metrics: RunMetrics | null; finish_reason?: "length" | "content-filter" | undefined; success: boolean; error: string | null; stop: boolean; is_paused: boolean; };

export type StepRequirementUserInputSchemaItem = { name: string; field_type: string; description: string | null; value: unknown; required: boolean; allowed_values?: readonly (unknown)[] | undefined; };

export type StepRequirement = { step_id: string; step_name: string; step_index: number; step_type: string; requires_confirmation: boolean; confirmation_message: string | null; confirmed: boolean | null; on_reject: "skip" | "cancel" | "else" | "retry"; requires_user_input: boolean; user_input_message: string | null; user_input: Readonly<Record<string, unknown>> | null; user_input_schema?: readonly (StepRequirementUserInputSchemaItem)[] | undefined; requires_route_selection: boolean; available_choices: readonly (string)[] | null; allow_multiple_selections: boolean; selected_choices: readonly (string)[] | null; requires_output_review: boolean; output_review_message: string | null; is_post_execution: boolean; step_output?: StepOutput | undefined; edited_output?: unknown | undefined; rejection_feedback: string | null; retry_count: number; max_retries: number; timeout_at: string | null; on_timeout: "cancel" | "skip" | "approve"; requires_executor_input?: boolean | undefined; executor_requirements?: readonly (Requirement)[] | undefined; executor_id?: string | undefined; executor_name?: string | undefined; executor_run_id?: string | undefined; executor_type?: "agent" | "team" | undefined; executor_session_id?: string | undefined; };

export type StepResponse = { name: string; description?: string | undefined; type: "Function" | "Step" | "Steps" | "Loop" | "Parallel" | "Condition" | "Router" | "Workflow"; agent?: AgentResponse | undefined; team?: TeamResponse | undefined; workflow_id?: string | undefined; steps?: readonly (StepResponse)[] | undefined; else_steps?: readonly (StepResponse)[] | undefined; };

export type TaskEvent = Readonly<Record<string, unknown>>;

export type TeamResponseDefaultTools = { read_chat_history?: boolean | undefined; search_knowledge?: boolean | undefined; get_member_information_tool?: boolean | undefined; };

export type TeamResponseStreaming = { stream_member_events?: boolean | undefined; };

export type TeamResponseMembersItem = TeamResponse | AgentResponse;

export type TeamResponse = { id: string; name?: string | undefined; description?: string | undefined; role?: string | undefined; introduction?: string | undefined; db_id?: string | undefined; is_factory: boolean; input_schema?: Readonly<Record<string, unknown>> | undefined; model?: AgentResponseModel | undefined; tools?: AgentResponseTools | undefined; sessions?: AgentResponseSessions | undefined; default_tools?: TeamResponseDefaultTools | undefined; knowledge?: AgentResponseKnowledge | undefined; memory?: AgentResponseMemory | undefined; system_message?: AgentResponseSystemMessage | undefined; extra_messages?: AgentResponseExtraMessages | undefined; response_settings?: AgentResponseResponseSettings | undefined; metadata?: Readonly<Record<string, unknown>> | undefined; is_component: boolean; current_version?: number | undefined; stage?: "draft" | "published" | undefined; mode: "coordinate" | "route" | "broadcast" | "tasks"; streaming?: TeamResponseStreaming | undefined; members: readonly (TeamResponseMembersItem)[]; };

export type TeamRunEventTeamRunStarted = { event: "TeamRunStarted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; model: string; model_provider: string; };

export type TeamRunEventTeamRunContinued = { event: "TeamRunContinued"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; };

export type TeamRunEventTeamRunContent = { event: "TeamRunContent"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; content: string; content_type: "str"; reasoning_content: string; };

export type TeamRunEventTeamRunContentCompleted = { event: "TeamRunContentCompleted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; };

export type TeamRunEventTeamRunCompleted = { event: "TeamRunCompleted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; content: unknown; content_type: string; images?: readonly (Media)[] | undefined; audio?: readonly (Media)[] | undefined; videos?: readonly (Media)[] | undefined; files?: readonly (Media)[] | undefined; reasoning_content?: string | undefined; references?: readonly (AgentRunEventRunCompletedReferencesItem)[] | undefined; additional_input?: readonly (Message)[] | undefined; metadata?: Readonly<Record<string, unknown>> | undefined; metrics?: RunMetrics | undefined; session_state?: Readonly<Record<string, unknown>> | undefined; member_responses?: readonly (RunOutput)[] | undefined; };

export type TeamRunEventTeamRunPaused = { event: "TeamRunPaused"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; content?: string | undefined; tools: readonly (ToolExecution)[]; requirements: readonly (Requirement)[]; };

export type TeamRunEventTeamRunError = { event: "TeamRunError"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; content: string; error_type?: string | undefined; error_id?: string | undefined; };

export type TeamRunEventTeamRunCancelled = { event: "TeamRunCancelled"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; content?: string | undefined; reason: string; };

export type TeamRunEventTeamPreHookStarted = { event: "TeamPreHookStarted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; pre_hook_name: string; run_input: AgentRunEventPreHookStartedRunInput; };

export type TeamRunEventTeamPreHookCompleted = { event: "TeamPreHookCompleted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; pre_hook_name: string; run_input: AgentRunEventPreHookStartedRunInput; };

export type TeamRunEventTeamPostHookStarted = { event: "TeamPostHookStarted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; post_hook_name: string; };

export type TeamRunEventTeamPostHookCompleted = { event: "TeamPostHookCompleted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; post_hook_name: string; };

export type TeamRunEventTeamMemoryUpdateStarted = { event: "TeamMemoryUpdateStarted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; };

export type TeamRunEventTeamMemoryUpdateCompleted = { event: "TeamMemoryUpdateCompleted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; memories?: readonly (UserMemory)[] | undefined; };

export type TeamRunEventTeamSessionSummaryStarted = { event: "TeamSessionSummaryStarted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; };

export type TeamRunEventTeamSessionSummaryCompleted = { event: "TeamSessionSummaryCompleted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; session_summary?: SessionSummary | undefined; };

export type TeamRunEventTeamSessionStateConflict = { event: "TeamSessionStateConflict"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; keys: readonly (string)[]; };

export type TeamRunEventTeamFollowupsStarted = { event: "TeamFollowupsStarted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; };

export type TeamRunEventTeamFollowupsCompleted = { event: "TeamFollowupsCompleted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; followups: readonly (string)[]; };

export type TeamRunEventTeamToolCallStarted = { event: "TeamToolCallStarted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; tool: ToolExecution; };

export type TeamRunEventTeamToolCallCompleted = { event: "TeamToolCallCompleted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; tool: ToolExecution; content: string; images?: readonly (Media)[] | undefined; audio?: readonly (Media)[] | undefined; videos?: readonly (Media)[] | undefined; files?: readonly (Media)[] | undefined; };

export type TeamRunEventTeamToolCallError = { event: "TeamToolCallError"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; tool: ToolExecution; error: string; };

export type TeamRunEventTeamCompressionStarted = { event: "TeamCompressionStarted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; };

export type TeamRunEventTeamCompressionCompleted = { event: "TeamCompressionCompleted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; tool_results_compressed: number; original_size: number; compressed_size: number; };

export type TeamRunEventTeamCompactionStarted = { event: "TeamCompactionStarted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; };

export type TeamRunEventTeamCompactionCompleted = { event: "TeamCompactionCompleted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; messages_compacted: number; tokens_before: number; tokens_after: number; archived: boolean; };

export type TeamRunEventTeamModelRequestStarted = { event: "TeamModelRequestStarted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; model: string; model_provider: string; };

export type TeamRunEventTeamModelRequestCompleted = { event: "TeamModelRequestCompleted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; model: string; model_provider: string; input_tokens: number; output_tokens: number; total_tokens: number; time_to_first_token?: number | undefined; reasoning_tokens: number; cache_read_tokens: number; cache_write_tokens: number; finish_reason?: "length" | "content-filter" | undefined; usage_estimated?: boolean | undefined; };

export type TeamRunEventTeamTaskIterationStarted = { event: "TeamTaskIterationStarted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; iteration: number; max_iterations: number; };

export type TeamRunEventTeamTaskIterationCompleted = { event: "TeamTaskIterationCompleted"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; iteration: number; max_iterations: number; task_summary: string; };

export type TeamRunEventTeamTaskStateUpdatedTasksItem = { id: string; title: string; description: string; status: "pending" | "in_progress" | "completed" | "failed" | "blocked"; assignee: string | null; dependencies: readonly (string)[]; result: string | null; };

export type TeamRunEventTeamTaskStateUpdated = { event: "TeamTaskStateUpdated"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; task_summary: string; goal_complete: boolean; tasks: readonly (TeamRunEventTeamTaskStateUpdatedTasksItem)[]; completion_summary?: string | undefined; };

export type TeamRunEventTeamTaskCreated = { event: "TeamTaskCreated"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; task_id: string; title: string; description: string; assignee: string | null; status: "pending" | "in_progress" | "completed" | "failed" | "blocked"; dependencies: readonly (string)[]; };

export type TeamRunEventTeamTaskUpdated = { event: "TeamTaskUpdated"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; task_id: string; previous_status: "pending" | "in_progress" | "completed" | "failed" | "blocked"; title: string; status: "pending" | "in_progress" | "completed" | "failed" | "blocked"; result: string | null; assignee: string | null; };

export type TeamRunEventCustomEvent = { event: "CustomEvent"; created_at: number; run_id: string; session_id: string; parent_run_id?: string | undefined; workflow_id?: string | undefined; workflow_run_id?: string | undefined; step_id?: string | undefined; step_name?: string | undefined; step_index?: number | undefined; nested_depth: number; event_index?: number | undefined; team_id: string; team_name: string; name: "user_message" | "feedback_links"; message_id?: string | undefined; content?: string | undefined; state?: "taken" | "refused" | undefined; feedback?: Readonly<Record<string, string>> | undefined; };

export type TeamRunEvent = TeamRunEventTeamRunStarted | TeamRunEventTeamRunContinued | TeamRunEventTeamRunContent | TeamRunEventTeamRunContentCompleted | TeamRunEventTeamRunCompleted | TeamRunEventTeamRunPaused | TeamRunEventTeamRunError | TeamRunEventTeamRunCancelled | TeamRunEventTeamPreHookStarted | TeamRunEventTeamPreHookCompleted | TeamRunEventTeamPostHookStarted | TeamRunEventTeamPostHookCompleted | TeamRunEventTeamMemoryUpdateStarted | TeamRunEventTeamMemoryUpdateCompleted | TeamRunEventTeamSessionSummaryStarted | TeamRunEventTeamSessionSummaryCompleted | TeamRunEventTeamSessionStateConflict | TeamRunEventTeamFollowupsStarted | TeamRunEventTeamFollowupsCompleted | TeamRunEventTeamToolCallStarted | TeamRunEventTeamToolCallCompleted | TeamRunEventTeamToolCallError | TeamRunEventTeamCompressionStarted | TeamRunEventTeamCompressionCompleted | TeamRunEventTeamCompactionStarted | TeamRunEventTeamCompactionCompleted | TeamRunEventTeamModelRequestStarted | TeamRunEventTeamModelRequestCompleted | TeamRunEventTeamTaskIterationStarted | TeamRunEventTeamTaskIterationCompleted | TeamRunEventTeamTaskStateUpdated | TeamRunEventTeamTaskCreated | TeamRunEventTeamTaskUpdated | TeamRunEventCustomEvent | AgentRunEventRunStarted | AgentRunEventRunContinued | AgentRunEventRunContent | AgentRunEventRunContentCompleted | AgentRunEventRunCompleted | AgentRunEventRunPaused | AgentRunEventRunError | AgentRunEventRunCancelled | AgentRunEventPreHookStarted | AgentRunEventPreHookCompleted | AgentRunEventPostHookStarted | AgentRunEventPostHookCompleted | AgentRunEventMemoryUpdateStarted | AgentRunEventMemoryUpdateCompleted | AgentRunEventSessionSummaryStarted | AgentRunEventSessionSummaryCompleted | AgentRunEventSessionStateConflict | AgentRunEventCustomEvent | AgentRunEventFollowupsStarted | AgentRunEventFollowupsCompleted | AgentRunEventToolCallStarted | AgentRunEventToolCallCompleted | AgentRunEventToolCallError | AgentRunEventCompressionStarted | AgentRunEventCompressionCompleted | AgentRunEventCompactionStarted | AgentRunEventCompactionCompleted | AgentRunEventModelRequestStarted | AgentRunEventModelRequestCompleted | AgentRunEventReplay | AgentRunEventCatchUp | AgentRunEventSubscribed | AgentRunEventError;

export type TeamRunRow = { run_id: string; status: "PENDING" | "RUNNING" | "COMPLETED" | "PAUSED" | "CANCELLED" | "ERROR" | "REGENERATED"; run_input: string; content?: unknown | undefined; error?: string | undefined; reasoning_content: string; reasoning_steps: readonly (unknown)[]; events?: readonly (unknown)[] | null | undefined; created_at: string; references: readonly (unknown)[]; images: readonly (Media)[]; videos: readonly (Media)[]; audio: readonly (Media)[]; files: readonly (Media)[]; citations?: Readonly<Record<string, unknown>> | null | undefined; response_audio?: Readonly<Record<string, unknown>> | null | undefined; parent_run_id: string; run_response_format: "text"; metrics: RunMetrics; messages?: readonly (Message)[] | null | undefined; tools?: readonly (ToolExecution)[] | null | undefined; session_state?: Readonly<Record<string, unknown>> | null | undefined; input_media: AgentRunRowInputMedia; followups?: readonly (string)[] | null | undefined; forked_from_run_id?: string | null | undefined; forked_from_message_index?: number | null | undefined; forked_from_session_id?: string | null | undefined; regenerated_from?: string | null | undefined; last_checkpoint_at_message_index?: number | null | undefined; team_id: string; };

export type TeamSessionDetailTeamData = { id: string; team_id: string; name: string; model: AgentSessionDetailAgentDataModel; };

export type TeamSessionDetail = { session_id: string; session_name: string; user_id?: string | null | undefined; session_state: Readonly<Record<string, unknown>>; metadata?: Readonly<Record<string, unknown>> | null | undefined; created_at: string; updated_at: string; session_summary?: SessionSummary | null | undefined; metrics: RunMetrics; total_tokens: number; chat_history: readonly (Message)[]; team_id?: string | null | undefined; team_data?: TeamSessionDetailTeamData | null | undefined; };

export type ToolExecutionMetrics = { start_time: number; end_time: number; duration: number; attempts?: number | undefined; };

export type ToolExecutionRemoteCall = { server: string; round: number; kept: string; follows: boolean; message?: string | undefined; url?: string | undefined; };

export type ToolExecution = { tool_call_id: string; tool_name: string; tool_args: Readonly<Record<string, unknown>>; proposed_args?: Readonly<Record<string, unknown>> | undefined; tool_call_error: boolean | null; result: string | null; stored_result?: MessageStoredResult | undefined; metrics: ToolExecutionMetrics | null; child_run_id: string | null; stop_after_tool_call: boolean; created_at: number; requires_confirmation: boolean | null; confirmed: boolean | null; confirmation_note: string | null; requires_user_input: boolean | null; answered: boolean | null; user_input_schema: readonly (CallInputField)[] | null; user_feedback_schema: readonly (CallQuestion)[] | null; external_execution_required: boolean | null; external_execution_silent: boolean | null; approval_type: "required" | "audit" | null; approval_id: string | null; in_doubt?: number | undefined; remote_call?: ToolExecutionRemoteCall | undefined; };

export type TraceDetail = { trace_id: string; name: string; status: "OK" | "ERROR" | "UNSET"; duration: string; start_time: string; end_time: string; created_at: string; total_spans: number; error_count: number; input?: string | undefined; run_id?: string | undefined; session_id?: string | undefined; user_id?: string | undefined; agent_id?: string | undefined; team_id?: string | undefined; workflow_id?: string | undefined; output?: string | undefined; error?: string | undefined; tree: readonly (TraceNode)[]; };

export type TraceNode = { id: string; name: string; type: string; duration: string; start_time: string; end_time: string; status: "OK" | "ERROR" | "UNSET"; input?: string | undefined; output?: string | undefined; error?: string | undefined; spans?: readonly (TraceNode)[] | undefined; step_type?: string | undefined; metadata?: Readonly<Record<string, unknown>> | undefined; };

export type UiMessage = { id: string; role: "system" | "user" | "assistant"; parts: readonly (ResponseStreamEvent)[]; };

export type UiMessageChunk = { type: string; };

export type UnprocessableBody = ValidationErrorBody | ErrorBody;

export type UserMemory = { memory_id: string; memory: string; topics: readonly (string)[] | null; agent_id: string | null; team_id: string | null; user_id: string | null; updated_at: string | null; };

export type ValidationErrorBodyDetailItemLocItem = string | number;

export type ValidationErrorBodyDetailItem = { loc: readonly (ValidationErrorBodyDetailItemLocItem)[]; msg: string; type: string; input?: unknown | undefined; ctx?: Readonly<Record<string, unknown>> | undefined; };

export type ValidationErrorBody = { detail: readonly (ValidationErrorBodyDetailItem)[]; };

export type WorkflowMetrics = { input_tokens?: number | undefined; output_tokens?: number | undefined; total_tokens?: number | undefined; cache_read_tokens?: number | undefined; cache_write_tokens?: number | undefined; reasoning_tokens?: number | undefined; cost?: number | undefined; usage_estimated?: boolean | undefined; time_to_first_token?: number | undefined; duration?: number | undefined; details?: Readonly<Record<string, readonly (ModelUsage)[]>> | undefined; additional_metrics?: RunMetricsAdditionalMetrics | undefined; steps?: Readonly<Record<string, StepMetrics>> | undefined; };

export type WorkflowRunEventWorkflowStarted = { event: "WorkflowStarted"; created_at: number; workflow_id: string; workflow_name: string; run_id: string; session_id: string; step_id?: string | undefined; parent_step_id?: string | undefined; nested_depth: number; event_index?: number | undefined; };

export type WorkflowRunEventWorkflowCompleted = { event: "WorkflowCompleted"; created_at: number; workflow_id: string; workflow_name: string; run_id: string; session_id: string; step_id?: string | undefined; parent_step_id?: string | undefined; nested_depth: number; event_index?: number | undefined; content: unknown; content_type: string; finish_reason?: "length" | "content-filter" | undefined; metadata?: Readonly<Record<string, unknown>> | undefined; metrics?: WorkflowMetrics | undefined; step_results: readonly (StepOutput)[]; };

export type WorkflowRunEventWorkflowPaused = { event: "WorkflowPaused"; created_at: number; workflow_id: string; workflow_name: string; run_id: string; session_id: string; step_id?: string | undefined; parent_step_id?: string | undefined; nested_depth: number; event_index?: number | undefined; status: "PENDING" | "RUNNING" | "COMPLETED" | "PAUSED" | "CANCELLED" | "ERROR" | "REGENERATED"; paused_step_index?: number | undefined; paused_step_name?: string | undefined; pause_kind?: "step" | "executor" | undefined; step_requirements?: readonly (StepRequirement)[] | undefined; step_results: readonly (StepOutput)[]; step_executor_runs?: readonly (RunOutput)[] | undefined; metadata?: Readonly<Record<string, unknown>> | undefined; };

export type WorkflowRunEventWorkflowCancelled = { event: "WorkflowCancelled"; created_at: number; workflow_id: string; workflow_name: string; run_id: string; session_id: string; step_id?: string | undefined; parent_step_id?: string | undefined; nested_depth: number; event_index?: number | undefined; reason: string; content: unknown; };

export type WorkflowRunEventWorkflowError = { event: "WorkflowError"; created_at: number; workflow_id: string; workflow_name: string; run_id: string; session_id: string; step_id?: string | undefined; parent_step_id?: string | undefined; nested_depth: number; event_index?: number | undefined; error: string; error_type?: string | undefined; };

export type WorkflowRunEventWorkflowSessionStateConflict = { event: "WorkflowSessionStateConflict"; created_at: number; workflow_id: string; workflow_name: string; run_id: string; session_id: string; step_id?: string | undefined; parent_step_id?: string | undefined; nested_depth: number; event_index?: number | undefined; keys: readonly (string)[]; };

export type WorkflowRunEventStepStarted = { event: "StepStarted"; created_at: number; workflow_id: string; workflow_name: string; run_id: string; session_id: string; step_id?: string | undefined; parent_step_id?: string | undefined; nested_depth: number; event_index?: number | undefined; step_name: string; step_index: number; };

export type WorkflowRunEventStepCompleted = { event: "StepCompleted"; created_at: number; workflow_id: string; workflow_name: string; run_id: string; session_id: string; step_id?: string | undefined; parent_step_id?: string | undefined; nested_depth: number; event_index?: number | undefined; step_name: string; step_index: number; images?: readonly (Media)[] | undefined; audio?: readonly (Media)[] | undefined; videos?: readonly (Media)[] | undefined; files?: readonly (Media)[] | undefined; content: unknown; content_type: string; step_response: StepOutput; };

export type WorkflowRunEventStepOutput = { event: "StepOutput"; created_at: number; workflow_id: string; workflow_name: string; run_id: string; session_id: string; step_id?: string | undefined; parent_step_id?: string | undefined; nested_depth: number; event_index?: number | undefined; step_name: string; step_index: number; step_output: StepOutput; };

export type WorkflowRunEventStepPaused = { event: "StepPaused"; created_at: number; workflow_id: string; workflow_name: string; run_id: string; session_id: string; step_id: string; parent_step_id?: string | undefined; nested_depth: number; event_index?: number | undefined; step_name: string; step_index: number; requires_confirmation: boolean; confirmation_message: string | null; requires_user_input: boolean; user_input_message: string | null; user_input_schema?: readonly (StepRequirementUserInputSchemaItem)[] | undefined; };

export type WorkflowRunEventStepContinued = { event: "StepContinued"; created_at: number; workflow_id: string; workflow_name: string; run_id: string; session_id: string; step_id: string; parent_step_id?: string | undefined; nested_depth: number; event_index?: number | undefined; step_name: string; step_index: number; };

export type WorkflowRunEventStepExecutorPaused = { event: "StepExecutorPaused"; created_at: number; workflow_id: string; workflow_name: string; run_id: string; session_id: string; step_id: string; parent_step_id?: string | undefined; nested_depth: number; event_index?: number | undefined; step_name: string; step_index: number; executor_id: string; executor_name: string; executor_run_id: string; executor_type: "agent" | "team"; executor_requirements: readonly (Requirement)[]; };

export type WorkflowRunEventStepExecutorContinued = { event: "StepExecutorContinued"; created_at: number; workflow_id: string; workflow_name: string; run_id: string; session_id: string; step_id: string; parent_step_id?: string | undefined; nested_depth: number; event_index?: number | undefined; step_name: string; step_index: number; executor_id: string; executor_name: string; executor_run_id: string; executor_type: "agent" | "team"; };

export type WorkflowRunEventStepOutputReview = { event: "StepOutputReview"; created_at: number; workflow_id: string; workflow_name: string; run_id: string; session_id: string; step_id?: string | undefined; parent_step_id?: string | undefined; nested_depth: number; event_index?: number | undefined; step_name: string; step_index: number; output_review_message: string | null; requires_output_review: boolean; };

export type WorkflowRunEventStepError = { event: "StepError"; created_at: number; workflow_id: string; workflow_name: string; run_id: string; session_id: string; step_id?: string | undefined; parent_step_id?: string | undefined; nested_depth: number; event_index?: number | undefined; step_name: string; step_index: number; error: string; };

export type WorkflowRunEventLoopExecutionStarted = { event: "LoopExecutionStarted"; created_at: number; workflow_id: string; workflow_name: string; run_id: string; session_id: string; step_id?: string | undefined; parent_step_id?: string | undefined; nested_depth: number; event_index?: number | undefined; step_name: string; step_index: number; max_iterations: number; };

export type WorkflowRunEventLoopIterationStarted = { event: "LoopIterationStarted"; created_at: number; workflow_id: string; workflow_name: string; run_id: string; session_id: string; step_id?: string | undefined; parent_step_id?: string | undefined; nested_depth: number; event_index?: number | undefined; step_name: string; step_index: number; iteration: number; };

export type WorkflowRunEventLoopIterationCompleted = { event: "LoopIterationCompleted"; created_at: number; workflow_id: string; workflow_name: string; run_id: string; session_id: string; step_id?: string | undefined; parent_step_id?: string | undefined; nested_depth: number; event_index?: number | undefined; step_name: string; step_index: number; iteration: number; iteration_results: readonly (StepOutput)[]; should_continue: boolean; };

export type WorkflowRunEventLoopExecutionCompleted = { event: "LoopExecutionCompleted"; created_at: number; workflow_id: string; workflow_name: string; run_id: string; session_id: string; step_id?: string | undefined; parent_step_id?: string | undefined; nested_depth: number; event_index?: number | undefined; step_name: string; step_index: number; total_iterations: number; all_results: readonly (StepOutput)[]; };

export type WorkflowRunEventParallelExecutionStarted = { event: "ParallelExecutionStarted"; created_at: number; workflow_id: string; workflow_name: string; run_id: string; session_id: string; step_id?: string | undefined; parent_step_id?: string | undefined; nested_depth: number; event_index?: number | undefined; step_name: string; step_index: number; parallel_step_count: number; };

export type WorkflowRunEventParallelExecutionCompleted = { event: "ParallelExecutionCompleted"; created_at: number; workflow_id: string; workflow_name: string; run_id: string; session_id: string; step_id?: string | undefined; parent_step_id?: string | undefined; nested_depth: number; event_index?: number | undefined; step_name: string; step_index: number; parallel_step_count: number; step_results: readonly (StepOutput)[]; };

export type WorkflowRunEventConditionExecutionStarted = { event: "ConditionExecutionStarted"; created_at: number; workflow_id: string; workflow_name: string; run_id: string; session_id: string; step_id?: string | undefined; parent_step_id?: string | undefined; nested_depth: number; event_index?: number | undefined; step_name: string; step_index: number; condition_result: boolean; };

export type WorkflowRunEventConditionExecutionCompleted = { event: "ConditionExecutionCompleted"; created_at: number; workflow_id: string; workflow_name: string; run_id: string; session_id: string; step_id?: string | undefined; parent_step_id?: string | undefined; nested_depth: number; event_index?: number | undefined; step_name: string; step_index: number; condition_result: boolean; branch: "if" | "else" | null; executed_steps: number; step_results: readonly (StepOutput)[]; };

export type WorkflowRunEventRouterExecutionStarted = { event: "RouterExecutionStarted"; created_at: number; workflow_id: string; workflow_name: string; run_id: string; session_id: string; step_id?: string | undefined; parent_step_id?: string | undefined; nested_depth: number; event_index?: number | undefined; step_name: string; step_index: number; selected_steps: readonly (string)[]; };

export type WorkflowRunEventRouterExecutionCompleted = { event: "RouterExecutionCompleted"; created_at: number; workflow_id: string; workflow_name: string; run_id: string; session_id: string; step_id?: string | undefined; parent_step_id?: string | undefined; nested_depth: number; event_index?: number | undefined; step_name: string; step_index: number; selected_steps: readonly (string)[]; executed_steps: number; step_results: readonly (StepOutput)[]; };

export type WorkflowRunEventRouterPaused = { event: "RouterPaused"; created_at: number; workflow_id: string; workflow_name: string; run_id: string; session_id: string; step_id?: string | undefined; parent_step_id?: string | undefined; nested_depth: number; event_index?: number | undefined; step_name: string; step_index: number; available_choices: readonly (string)[]; user_input_message: string | null; allow_multiple_selections: boolean; };

export type WorkflowRunEventStepsExecutionStarted = { event: "StepsExecutionStarted"; created_at: number; workflow_id: string; workflow_name: string; run_id: string; session_id: string; step_id?: string | undefined; parent_step_id?: string | undefined; nested_depth: number; event_index?: number | undefined; step_name: string; step_index: number; steps_count: number; };

export type WorkflowRunEventStepsExecutionCompleted = { event: "StepsExecutionCompleted"; created_at: number; workflow_id: string; workflow_name: string; run_id: string; session_id: string; step_id?: string | undefined; parent_step_id?: string | undefined; nested_depth: number; event_index?: number | undefined; step_name: string; step_index: number; steps_count: number; executed_steps: number; step_results: readonly (StepOutput)[]; };

export type WorkflowRunEventOption29ErrorRequirementsItem = { step_id: string; step_name: string; step_index: number; error_message: string; error_type: string; retry_count: number; decision: "retry" | "skip" | null; };

export type WorkflowRunEventOption29 = { run_id: string; session_id: string; user_id?: string | undefined; workflow_id: string; workflow_name: string; parent_run_id?: string | undefined; input: unknown; content?: unknown | undefined; content_type?: string | undefined; finish_reason?: "length" | "content-filter" | undefined; images?: readonly (Media)[] | undefined; audio?: readonly (Media)[] | undefined; videos?: readonly (Media)[] | undefined; files?: readonly (Media)[] | undefined; step_results: readonly (StepOutput)[]; step_executor_runs?: readonly (RunOutput)[] | undefined; step_requirements?: readonly (StepRequirement)[] | undefined; error_requirements?: readonly (WorkflowRunEventOption29ErrorRequirementsItem)[] | undefined; paused_step_index?: number | undefined; paused_step_name?: string | undefined; pause_kind?: "step" | "executor" | undefined; metrics?: WorkflowMetrics | undefined; total_metrics?: RunMetrics | undefined; metadata?: Readonly<Record<string, unknown>> | undefined; session_state?: Readonly<Record<string, unknown>> | undefined; created_at: number; status: "PENDING" | "RUNNING" | "COMPLETED" | "PAUSED" | "CANCELLED" | "ERROR" | "REGENERATED"; callback?: RunOutputCallback | undefined; withheld?: readonly (RunOutputWithheldItem)[] | undefined; feedback?: Readonly<Record<string, string>> | undefined; step_id?: string | undefined; parent_step_id?: string | undefined; nested_depth: number; event_index?: number | undefined; };

export type WorkflowRunEvent = WorkflowRunEventWorkflowStarted | WorkflowRunEventWorkflowCompleted | WorkflowRunEventWorkflowPaused | WorkflowRunEventWorkflowCancelled | WorkflowRunEventWorkflowError | WorkflowRunEventWorkflowSessionStateConflict | WorkflowRunEventStepStarted | WorkflowRunEventStepCompleted | WorkflowRunEventStepOutput | WorkflowRunEventStepPaused | WorkflowRunEventStepContinued | WorkflowRunEventStepExecutorPaused | WorkflowRunEventStepExecutorContinued | WorkflowRunEventStepOutputReview | WorkflowRunEventStepError | WorkflowRunEventLoopExecutionStarted | WorkflowRunEventLoopIterationStarted | WorkflowRunEventLoopIterationCompleted | WorkflowRunEventLoopExecutionCompleted | WorkflowRunEventParallelExecutionStarted | WorkflowRunEventParallelExecutionCompleted | WorkflowRunEventConditionExecutionStarted | WorkflowRunEventConditionExecutionCompleted | WorkflowRunEventRouterExecutionStarted | WorkflowRunEventRouterExecutionCompleted | WorkflowRunEventRouterPaused | WorkflowRunEventStepsExecutionStarted | WorkflowRunEventStepsExecutionCompleted | WorkflowRunEventOption29 | AgentRunEventRunStarted | AgentRunEventRunContinued | AgentRunEventRunContent | AgentRunEventRunContentCompleted | AgentRunEventRunCompleted | AgentRunEventRunPaused | AgentRunEventRunError | AgentRunEventRunCancelled | AgentRunEventPreHookStarted | AgentRunEventPreHookCompleted | AgentRunEventPostHookStarted | AgentRunEventPostHookCompleted | AgentRunEventMemoryUpdateStarted | AgentRunEventMemoryUpdateCompleted | AgentRunEventSessionSummaryStarted | AgentRunEventSessionSummaryCompleted | AgentRunEventSessionStateConflict | AgentRunEventCustomEvent | AgentRunEventFollowupsStarted | AgentRunEventFollowupsCompleted | AgentRunEventToolCallStarted | AgentRunEventToolCallCompleted | AgentRunEventToolCallError | AgentRunEventCompressionStarted | AgentRunEventCompressionCompleted | AgentRunEventCompactionStarted | AgentRunEventCompactionCompleted | AgentRunEventModelRequestStarted | AgentRunEventModelRequestCompleted | AgentRunEventReplay | AgentRunEventCatchUp | AgentRunEventSubscribed | AgentRunEventError | TeamRunEvent;

export type WorkflowRunOutput = { run_id: string; session_id: string; user_id?: string | undefined; workflow_id: string; workflow_name: string; parent_run_id?: string | undefined; input: unknown; content?: unknown | undefined; content_type?: string | undefined; finish_reason?: "length" | "content-filter" | undefined; images?: readonly (Media)[] | undefined; audio?: readonly (Media)[] | undefined; videos?: readonly (Media)[] | undefined; files?: readonly (Media)[] | undefined; step_results: readonly (StepOutput)[]; step_executor_runs?: readonly (RunOutput)[] | undefined; step_requirements?: readonly (StepRequirement)[] | undefined; error_requirements?: readonly (WorkflowRunEventOption29ErrorRequirementsItem)[] | undefined; paused_step_index?: number | undefined; paused_step_name?: string | undefined; pause_kind?: "step" | "executor" | undefined; metrics?: WorkflowMetrics | undefined; total_metrics?: RunMetrics | undefined; metadata?: Readonly<Record<string, unknown>> | undefined; session_state?: Readonly<Record<string, unknown>> | undefined; created_at: number; status: "PENDING" | "RUNNING" | "COMPLETED" | "PAUSED" | "CANCELLED" | "ERROR" | "REGENERATED"; callback?: RunOutputCallback | undefined; withheld?: readonly (RunOutputWithheldItem)[] | undefined; feedback?: Readonly<Record<string, string>> | undefined; };

export type WorkflowRunRow = { run_id: string; status: "PENDING" | "RUNNING" | "COMPLETED" | "PAUSED" | "CANCELLED" | "ERROR" | "REGENERATED"; run_input: string; content?: unknown | undefined; error?: string | undefined; reasoning_content: string; reasoning_steps: readonly (unknown)[]; events?: readonly (unknown)[] | null | undefined; created_at: string; references: readonly (unknown)[]; images: readonly (Media)[]; videos: readonly (Media)[]; audio: readonly (Media)[]; files: readonly (Media)[]; citations?: Readonly<Record<string, unknown>> | null | undefined; response_audio?: Readonly<Record<string, unknown>> | null | undefined; workflow_id: string; user_id: string; content_type?: string | null | undefined; metrics: WorkflowMetrics; step_results: readonly (StepOutput)[]; step_executor_runs?: readonly (RunOutput)[] | null | undefined; step_requirements?: readonly (StepRequirement)[] | null | undefined; pause_kind?: "step" | "executor" | null | undefined; paused_step_name?: string | null | undefined; paused_step_index?: number | null | undefined; };

export type WorkflowSessionDetailWorkflowDataStepsItem = { name: string; description: string | null; type: string; };

export type WorkflowSessionDetailWorkflowData = { id: string; workflow_id: string; name: string; steps: readonly (WorkflowSessionDetailWorkflowDataStepsItem)[]; };

export type WorkflowSessionDetailSessionData = { session_name: string | null; session_state: Readonly<Record<string, unknown>>; session_metrics: RunMetrics; };

export type WorkflowSessionDetail = { session_id: string; session_name: string; user_id?: string | null | undefined; session_state: Readonly<Record<string, unknown>>; metadata?: Readonly<Record<string, unknown>> | null | undefined; created_at: string; updated_at: string; workflow_id?: string | null | undefined; workflow_name?: string | null | undefined; workflow_data?: WorkflowSessionDetailWorkflowData | null | undefined; session_data: WorkflowSessionDetailSessionData; };

export type GetRootResponse = { name: string; id: string; version: string; health: string; info: string; docs: string; };

export type GetHealthResponse = { status: "ok"; instantiated_at: string; };

export type GetInfoResponseMcp = { enabled: boolean; path: string | null; oauth: boolean; };

export type GetInfoResponseDoors = { agui: boolean; openai: boolean; chat: boolean; a2a: boolean; };

export type GetInfoResponse = { os_id: string; name: string | null; agno_version: string; os_version: string; agent_count: number; team_count: number; workflow_count: number; mcp: GetInfoResponseMcp; doors: GetInfoResponseDoors; auth_mode: "none" | "security_key" | "jwt"; };

export type GetConfigResponseAvailableModelsItem = { id: string; provider: string; };

export type GetConfigResponseChat = { quick_prompts: Readonly<Record<string, readonly (string)[]>>; };

export type GetConfigResponseSessionDbsItemDomainConfig = { display_name: string; };

export type GetConfigResponseSessionDbsItem = { db_id: string; domain_config: GetConfigResponseSessionDbsItemDomainConfig; tables?: readonly (string)[] | undefined; };

export type GetConfigResponseSession = { display_name?: string | undefined; dbs: readonly (GetConfigResponseSessionDbsItem)[]; };

export type GetConfigResponseKnowledgeKnowledgeInstancesItem = { id: string; name: string; description?: string | undefined; db_id: string; table: string; };

export type GetConfigResponseKnowledge = { display_name?: string | undefined; dbs: readonly (GetConfigResponseSessionDbsItem)[]; knowledge_instances: readonly (GetConfigResponseKnowledgeKnowledgeInstancesItem)[]; };

export type GetConfigResponseAgentsItem = { id: string; name?: string | undefined; description?: string | undefined; db_id?: string | undefined; model?: GetConfigResponseAvailableModelsItem | undefined; metadata?: Readonly<Record<string, unknown>> | undefined; };

export type GetConfigResponseTeamsItem = { id: string; name?: string | undefined; description?: string | undefined; db_id?: string | undefined; model?: GetConfigResponseAvailableModelsItem | undefined; metadata?: Readonly<Record<string, unknown>> | undefined; mode: "coordinate" | "route" | "broadcast" | "tasks"; };

export type GetConfigResponseWorkflowsItem = { id: string; name?: string | undefined; description?: string | undefined; db_id?: string | undefined; is_factory: boolean; is_component: boolean; current_version?: number | undefined; stage?: "draft" | "published" | undefined; };

export type GetConfigResponseInterfacesItem = { type: string; version: string; route: string; };

export type GetConfigResponseQueue = { enabled: boolean; durable: boolean; queue_per_session: boolean; };

export type GetConfigResponse = { os_id: string; name?: string | undefined; description?: string | undefined; available_models: readonly (GetConfigResponseAvailableModelsItem)[]; os_database: string; databases: readonly (string)[]; chat: GetConfigResponseChat; session: GetConfigResponseSession; knowledge: GetConfigResponseKnowledge; metrics?: GetConfigResponseSession | undefined; memory?: GetConfigResponseSession | undefined; learning?: GetConfigResponseSession | undefined; evals?: GetConfigResponseSession | undefined; traces?: GetConfigResponseSession | undefined; agents: readonly (GetConfigResponseAgentsItem)[]; teams: readonly (GetConfigResponseTeamsItem)[]; workflows: readonly (GetConfigResponseWorkflowsItem)[]; interfaces: readonly (GetConfigResponseInterfacesItem)[]; queue: GetConfigResponseQueue; };

export type GetMeResponse = { id: string | null; kind: "user" | "service_account"; name?: string | undefined; scopes: readonly (string)[]; is_admin: boolean; admin_scope: string; };

export type ListRegistryResponseDataItem = { name: string; type: "tool" | "model" | "db" | "vector_db" | "schema" | "function" | "agent" | "team" | "workflow" | "skill" | "knowledge" | "memory_manager" | "session_summary_manager" | "learning"; id?: string | undefined; description?: string | undefined; metadata?: Readonly<Record<string, unknown>> | undefined; };

export type ListRegistryResponse = { data: readonly (ListRegistryResponseDataItem)[]; meta: PaginationInfo; };

export type GetWorkflowResponse = { id: string; name?: string | undefined; description?: string | undefined; db_id?: string | undefined; is_factory: boolean; is_component: boolean; current_version?: number | undefined; stage?: "draft" | "published" | undefined; input_schema?: Readonly<Record<string, unknown>> | undefined; metadata?: Readonly<Record<string, unknown>> | undefined; workflow_agent: boolean; steps: readonly (StepResponse)[]; };

export type ListRunsResponseDataItemScheduleRun = { schedule_id: string; schedule_run_id: string; };

export type ListRunsResponseDataItem = { run_id: string; session_id: string; session_name?: string | undefined; component_type: "agent" | "team" | "workflow"; component_id: string; component_version?: number | undefined; user_id?: string | undefined; status: "PENDING" | "RUNNING" | "COMPLETED" | "PAUSED" | "CANCELLED" | "ERROR" | "REGENERATED"; created_at: string; updated_at?: string | undefined; duration?: number | undefined; input_tokens?: number | undefined; output_tokens?: number | undefined; total_tokens?: number | undefined; cost?: number | undefined; model?: string | undefined; model_provider?: string | undefined; input_preview: string; content_preview?: string | undefined; error?: string | undefined; attempt: number; queued: boolean; schedule_run?: ListRunsResponseDataItemScheduleRun | undefined; };

export type ListRunsResponseMetaLookedAt = { runs: number; back_to: string | null; };

export type ListRunsResponseMeta = { next_cursor: string | null; limit: number; looked_at: ListRunsResponseMetaLookedAt; };

export type ListRunsResponse = { data: readonly (ListRunsResponseDataItem)[]; meta: ListRunsResponseMeta; };

export type CancelRunsRequest = { component_type?: "agent" | "team" | "workflow" | undefined; component_id?: string | undefined; user_id?: string | undefined; status?: readonly ("PENDING" | "RUNNING" | "PAUSED")[] | undefined; created_after?: number | undefined; created_before?: number | undefined; limit?: number | undefined; dry_run?: boolean | undefined; };

export type CancelRunsResponseRefusedItem = { id: string; detail: string; };

export type CancelRunsResponse = { dry_run: boolean; matched: number; cancelled: readonly (string)[]; refused: readonly (CancelRunsResponseRefusedItem)[]; more: boolean; };

export type CreateAgentRunRequestImagesItemOption1 = unknown;

export type CreateAgentRunRequestImagesItemOption2 = unknown;

export type CreateAgentRunRequestImagesItem = CreateAgentRunRequestImagesItemOption1 | CreateAgentRunRequestImagesItemOption2;

export type ContinueAgentRunRequestToolsItemUserInputSchemaItem = { name: string; value?: unknown | undefined; };

export type ContinueAgentRunRequestToolsItemUserFeedbackSchemaItem = { question: string; selected_options?: readonly (string)[] | null | undefined; };

export type ContinueAgentRunRequestToolsItem = { tool_call_id: string; tool_name?: string | null | undefined; tool_args?: Readonly<Record<string, unknown>> | null | undefined; confirmed?: boolean | null | undefined; confirmation_note?: string | null | undefined; user_input_schema?: readonly (ContinueAgentRunRequestToolsItemUserInputSchemaItem)[] | null | undefined; user_feedback_schema?: readonly (ContinueAgentRunRequestToolsItemUserFeedbackSchemaItem)[] | null | undefined; result?: string | null | undefined; };

export type ContinueAgentRunRequestRequirementsItem = { id?: string | null | undefined; member_run_id?: string | null | undefined; confirmation?: boolean | null | undefined; confirmation_note?: string | null | undefined; external_execution_result?: string | null | undefined; user_input_schema?: readonly (ContinueAgentRunRequestToolsItemUserInputSchemaItem)[] | null | undefined; user_feedback_schema?: readonly (ContinueAgentRunRequestToolsItemUserFeedbackSchemaItem)[] | null | undefined; tool_execution?: ContinueAgentRunRequestToolsItem | null | undefined; };

export type ContinueAgentRunRequestStepRequirementsItem = { step_id: string; is_post_execution?: boolean | null | undefined; confirmed?: boolean | null | undefined; rejection_feedback?: string | null | undefined; user_input?: Readonly<Record<string, unknown>> | null | undefined; user_input_schema?: readonly (ContinueAgentRunRequestToolsItemUserInputSchemaItem)[] | null | undefined; selected_choices?: readonly (string)[] | null | undefined; edited_output?: unknown | undefined; executor_requirements?: readonly (ContinueAgentRunRequestRequirementsItem)[] | null | undefined; decision?: "retry" | "skip" | null | undefined; };

export type ListAgentCheckpointsResponse = { run_id: string; session_id: string; checkpoints: readonly (Checkpoint)[]; };

export type GetAgentCheckpointResponse = { checkpoint: Checkpoint; snapshot: RunOutput; };

export type ForkAgentSessionResponse = { session_id: string; forked_from_session_id: string; };

export type CompactAgentSessionResponseRecord = { summary: string; through_run_id: string; messages_compacted: number; tokens_before: number; tokens_after: number; created_at: number; };

export type CompactAgentSessionResponse = { status: "compacted" | "not_enabled" | "no_history" | "nothing_to_fold" | "already_compacted" | "not_worth_it" | "summary_failed"; compacted: boolean; message: string; record: CompactAgentSessionResponseRecord | null; };

export type SendAgentMessageResponse = { message_id: string; run_id: string; session_id: string; delivery: "steered" | "new_run"; };

export type ListAgentMessagesResponseMessagesItem = { message_id: string; content: string; state: "unread" | "taken" | "refused" | "moved" | "withdrawn"; step_id?: string | undefined; moved_to?: string | undefined; created_at: number; };

export type ListAgentMessagesResponse = { messages: readonly (ListAgentMessagesResponseMessagesItem)[]; };

export type ResolveApprovalRequest = { status: "approved" | "rejected"; resolved_by?: string | null | undefined; resolution_data?: Readonly<Record<string, unknown>> | null | undefined; edited_args?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | null | undefined; continue?: boolean | null | undefined; };

export type ResolveApprovalResponseRun = { status: "PENDING" | "RUNNING" | "COMPLETED" | "PAUSED" | "CANCELLED" | "ERROR" | "REGENERATED"; job_id: string | null; waits_for: number; };

export type ResolveApprovalResponse = { id: string; run_id: string; session_id: string; status: "pending" | "approved" | "rejected" | "expired" | "cancelled"; source_type: "agent" | "team" | "workflow"; approval_type: "required" | "audit" | null; pause_type: "confirmation" | "user_input" | "external_execution" | null; tool_name: string | null; tool_args: Readonly<Record<string, unknown>> | null; edited_args?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | null | undefined; expires_at: number | null; agent_id: string | null; team_id: string | null; workflow_id: string | null; user_id: string | null; schedule_id: string | null; schedule_run_id: string | null; source_name: string | null; requirements: readonly (Requirement)[] | null; context: ApprovalContext | null; resolution_data: Readonly<Record<string, unknown>> | null; resolved_by: string | null; resolved_at: number | null; created_at: number; updated_at: number | null; run_status: string | null; run?: ResolveApprovalResponseRun | undefined; };

export type RunAguiRequestMessagesItemContentOption2ItemSource = { type: "data" | "url" | "file"; value?: string | undefined; mimeType?: string | undefined; };

export type RunAguiRequestMessagesItemContentOption2Item = { type: "text" | "image" | "audio" | "video" | "document" | "binary"; text?: string | undefined; source?: RunAguiRequestMessagesItemContentOption2ItemSource | undefined; mimeType?: string | undefined; data?: string | undefined; url?: string | undefined; filename?: string | null | undefined; metadata?: unknown | undefined; };

export type RunAguiRequestMessagesItemContent = string | readonly (RunAguiRequestMessagesItemContentOption2Item)[];

export type RunAguiRequestMessagesItem = { id: string; role: "user" | "assistant" | "system" | "developer" | "tool" | "activity" | "reasoning"; content?: RunAguiRequestMessagesItemContent | null | undefined; toolCallId?: string | undefined; error?: string | null | undefined; };

export type RunAguiRequestToolsItem = { name: string; description?: string | undefined; parameters?: Readonly<Record<string, unknown>> | null | undefined; };

export type RunAguiRequestContextItem = { description: string; value: string; };

export type RunAguiRequestForwardedProps = { background?: boolean | undefined; steer?: boolean | undefined; follow?: string | undefined; };

export type RunAguiRequestResumeItem = { interruptId: string; status: "resolved" | "cancelled"; payload?: unknown | undefined; };

export type RunAguiRequest = { threadId: string; runId: string; protocolVersion?: string | null | undefined; parentRunId?: string | null | undefined; state?: unknown | undefined; messages: readonly (RunAguiRequestMessagesItem)[]; tools?: readonly (RunAguiRequestToolsItem)[] | null | undefined; context?: readonly (RunAguiRequestContextItem)[] | null | undefined; forwardedProps?: RunAguiRequestForwardedProps | null | undefined; resume?: readonly (RunAguiRequestResumeItem)[] | null | undefined; };

export type GetAguiStatusResponse = { status: "available"; };

export type ListOpenaiModelsResponseDataItem = { id: string; object: "model"; created: number; owned_by: string; };

export type ListOpenaiModelsResponse = { object: "list"; data: readonly (ListOpenaiModelsResponseDataItem)[]; };

export type ListOpenaiModelsResponse401Error = { message: string; type: string; param: string | null; code: string | null; };

export type ListOpenaiModelsResponse401 = { error: ListOpenaiModelsResponse401Error; };

export type CreateChatCompletionRequestMessagesItemContentOption2ItemImageUrl = { url: string; };

export type CreateChatCompletionRequestMessagesItemContentOption2ItemInputAudio = { data: string; format: string; };

export type CreateChatCompletionRequestMessagesItemContentOption2ItemFile = { file_data?: string | undefined; file_id?: string | undefined; filename?: string | undefined; };

export type CreateChatCompletionRequestMessagesItemContentOption2Item = { type: string; text?: string | undefined; image_url?: CreateChatCompletionRequestMessagesItemContentOption2ItemImageUrl | undefined; input_audio?: CreateChatCompletionRequestMessagesItemContentOption2ItemInputAudio | undefined; file?: CreateChatCompletionRequestMessagesItemContentOption2ItemFile | undefined; };

export type CreateChatCompletionRequestMessagesItemContent = string | readonly (CreateChatCompletionRequestMessagesItemContentOption2Item)[];

export type CreateChatCompletionRequestMessagesItemToolCallsItemFunction = { name: string; arguments?: string | undefined; };

export type CreateChatCompletionRequestMessagesItemToolCallsItem = { id: string; type?: string | undefined; function: CreateChatCompletionRequestMessagesItemToolCallsItemFunction; };

export type CreateChatCompletionRequestMessagesItem = { role: "system" | "developer" | "user" | "assistant" | "tool"; content?: CreateChatCompletionRequestMessagesItemContent | null | undefined; tool_calls?: readonly (CreateChatCompletionRequestMessagesItemToolCallsItem)[] | null | undefined; tool_call_id?: string | undefined; };

export type CreateChatCompletionRequestStreamOptions = { include_usage?: boolean | null | undefined; };

export type CreateChatCompletionRequestToolsItemFunction = { name: string; description?: string | undefined; parameters?: Readonly<Record<string, unknown>> | null | undefined; };

export type CreateChatCompletionRequestToolsItem = { type: string; function?: CreateChatCompletionRequestToolsItemFunction | undefined; };

export type CreateChatCompletionRequestResponseFormatJsonSchema = { schema?: Readonly<Record<string, unknown>> | null | undefined; };

export type CreateChatCompletionRequestResponseFormat = { type: string; json_schema?: CreateChatCompletionRequestResponseFormatJsonSchema | undefined; };

export type CreateChatCompletionRequest = { model: string; messages: readonly (CreateChatCompletionRequestMessagesItem)[]; stream?: boolean | null | undefined; stream_options?: CreateChatCompletionRequestStreamOptions | null | undefined; tools?: readonly (CreateChatCompletionRequestToolsItem)[] | null | undefined; tool_choice?: unknown | undefined; response_format?: CreateChatCompletionRequestResponseFormat | null | undefined; n?: number | null | undefined; metadata?: Readonly<Record<string, unknown>> | null | undefined; };

export type CreateChatCompletionResponseChoicesItemMessage = { role: "assistant"; content: string | null; refusal: string | null; tool_calls?: readonly (MessageToolCallsItem)[] | undefined; };

export type CreateChatCompletionResponseChoicesItem = { index: number; message: CreateChatCompletionResponseChoicesItemMessage; finish_reason: "stop" | "tool_calls" | "length" | "content_filter"; };

export type CreateChatCompletionResponseUsagePromptTokensDetails = { cached_tokens: number; };

export type CreateChatCompletionResponseUsageCompletionTokensDetails = { reasoning_tokens: number; };

export type CreateChatCompletionResponseUsage = { prompt_tokens: number; completion_tokens: number; total_tokens: number; prompt_tokens_details: CreateChatCompletionResponseUsagePromptTokensDetails; completion_tokens_details: CreateChatCompletionResponseUsageCompletionTokensDetails; };

export type CreateChatCompletionResponse = { id: string; object: "chat.completion"; created: number; model: string; choices: readonly (CreateChatCompletionResponseChoicesItem)[]; usage: CreateChatCompletionResponseUsage; };

export type CreateOpenaiResponseRequestInputOption2ItemContentOption2Item = { type: string; text?: string | undefined; image_url?: string | null | undefined; file_data?: string | null | undefined; file_url?: string | null | undefined; filename?: string | null | undefined; };

export type CreateOpenaiResponseRequestInputOption2ItemContent = string | readonly (CreateOpenaiResponseRequestInputOption2ItemContentOption2Item)[];

export type CreateOpenaiResponseRequestInputOption2Item = { type?: string | undefined; id?: string | null | undefined; role?: "system" | "developer" | "user" | "assistant" | undefined; content?: CreateOpenaiResponseRequestInputOption2ItemContent | null | undefined; call_id?: string | undefined; output?: unknown | undefined; approval_request_id?: string | undefined; approve?: boolean | undefined; reason?: string | null | undefined; };

export type CreateOpenaiResponseRequestInput = string | readonly (CreateOpenaiResponseRequestInputOption2Item)[];

export type CreateOpenaiResponseRequestConversationOption2 = { id: string; };

export type CreateOpenaiResponseRequestConversation = string | CreateOpenaiResponseRequestConversationOption2;

export type CreateOpenaiResponseRequestToolsItem = { type: string; name?: string | undefined; description?: string | null | undefined; parameters?: Readonly<Record<string, unknown>> | null | undefined; };

export type CreateOpenaiResponseRequestTextFormat = { type: string; schema?: Readonly<Record<string, unknown>> | null | undefined; };

export type CreateOpenaiResponseRequestText = { format?: CreateOpenaiResponseRequestTextFormat | null | undefined; };

export type CreateOpenaiResponseRequest = { model: string; input: CreateOpenaiResponseRequestInput; instructions?: string | null | undefined; previous_response_id?: string | null | undefined; conversation?: CreateOpenaiResponseRequestConversation | null | undefined; background?: boolean | null | undefined; store?: boolean | null | undefined; stream?: boolean | null | undefined; tools?: readonly (CreateOpenaiResponseRequestToolsItem)[] | null | undefined; tool_choice?: unknown | undefined; text?: CreateOpenaiResponseRequestText | null | undefined; metadata?: Readonly<Record<string, unknown>> | null | undefined; };

export type CreateOpenaiResponseResponseError = { code: string; message: string; };

export type CreateOpenaiResponseResponseIncompleteDetails = { reason: string; };

export type CreateOpenaiResponseResponseOutputItemContentItem = { type: "output_text"; text: string; annotations: readonly (string)[]; };

export type CreateOpenaiResponseResponseOutputItemSummaryItem = { type: "summary_text"; text: string; };

export type CreateOpenaiResponseResponseOutputItem = { id: string; type: "message" | "reasoning" | "function_call" | "mcp_call" | "mcp_approval_request"; status?: "in_progress" | "completed" | "incomplete" | "failed" | undefined; role?: "assistant" | undefined; content?: readonly (CreateOpenaiResponseResponseOutputItemContentItem)[] | undefined; summary?: readonly (CreateOpenaiResponseResponseOutputItemSummaryItem)[] | undefined; call_id?: string | undefined; name?: string | undefined; arguments?: string | undefined; server_label?: string | undefined; output?: string | null | undefined; error?: string | null | undefined; };

export type CreateOpenaiResponseResponseConversation = { id: string; };

export type CreateOpenaiResponseResponseReasoning = { effort?: string | null | undefined; summary?: string | null | undefined; };

export type CreateOpenaiResponseResponseUsage = { input_tokens: number; input_tokens_details: CreateChatCompletionResponseUsagePromptTokensDetails; output_tokens: number; output_tokens_details: CreateChatCompletionResponseUsageCompletionTokensDetails; total_tokens: number; };

export type CreateOpenaiResponseResponse = { id: string; object: "response"; created_at: number; status: "queued" | "in_progress" | "completed" | "incomplete" | "failed" | "cancelled"; background: boolean; error: CreateOpenaiResponseResponseError | null; incomplete_details: CreateOpenaiResponseResponseIncompleteDetails | null; instructions: string | null; model: string; output: readonly (CreateOpenaiResponseResponseOutputItem)[]; parallel_tool_calls: boolean; previous_response_id: string | null; conversation: CreateOpenaiResponseResponseConversation; store: boolean; tool_choice: "auto"; tools: readonly (string)[]; metadata: Readonly<Record<string, unknown>>; temperature?: number | undefined; top_p?: number | undefined; max_output_tokens?: number | undefined; reasoning?: CreateOpenaiResponseResponseReasoning | undefined; truncation?: string | undefined; service_tier?: string | undefined; user?: string | undefined; safety_identifier?: string | undefined; usage: CreateOpenaiResponseResponseUsage | null; };

export type RemoveOpenaiResponseResponse = { id: string; object: "response"; deleted: boolean; };

export type ListOpenaiInputItemsResponseDataItemContentItem = { type: string; text?: string | undefined; detail?: string | undefined; image_url?: string | undefined; file_url?: string | undefined; file_id?: string | undefined; filename?: string | undefined; };

export type ListOpenaiInputItemsResponseDataItem = { id: string; type: "message" | "function_call" | "function_call_output"; status: "completed"; role?: "user" | "assistant" | undefined; content?: readonly (ListOpenaiInputItemsResponseDataItemContentItem)[] | undefined; call_id?: string | undefined; name?: string | undefined; arguments?: string | undefined; output?: string | undefined; };

export type ListOpenaiInputItemsResponse = { object: "list"; data: readonly (ListOpenaiInputItemsResponseDataItem)[]; first_id: string | null; last_id: string | null; has_more: boolean; };

export type RunAgentChatRequest = { id: string; messages: readonly (UiMessage)[]; trigger?: "submit-message" | "regenerate-message" | undefined; messageId?: string | null | undefined; tools?: readonly (RunAguiRequestToolsItem)[] | undefined; background?: boolean | undefined; };

export type GetMcpResourceResponse = { resource: string; authorization_servers?: readonly (string)[] | undefined; bearer_methods_supported: readonly (string)[]; scopes_supported: readonly (string)[]; resource_name: string; };

export type ListJobsResponse = { data: readonly (QueueJob)[]; meta: PaginationInfo; };

export type GetRunLogResponseDataItem = { time: string; level: string; function: string; message: string; fields: Readonly<Record<string, unknown>>; };

export type GetRunLogResponseMeta = { next_cursor: string | null; limit: number; };

export type GetRunLogResponse = { data: readonly (GetRunLogResponseDataItem)[]; meta: GetRunLogResponseMeta; };

export type CancelJobsRequest = { status?: readonly ("queued" | "running" | "paused")[] | undefined; component_id?: string | undefined; user_id?: string | undefined; created_after?: number | undefined; created_before?: number | undefined; error_contains?: string | undefined; limit?: number | undefined; dry_run?: boolean | undefined; };

export type RequeueJobsRequest = { status?: readonly ("failed" | "cancelled")[] | undefined; component_id?: string | undefined; user_id?: string | undefined; created_after?: number | undefined; created_before?: number | undefined; error_contains?: string | undefined; limit?: number | undefined; dry_run?: boolean | undefined; force?: boolean | undefined; clear_cancellation?: boolean | undefined; per_second?: number | undefined; };

export type RequeueJobsResponse = { dry_run: boolean; matched: number; requeued: readonly (string)[]; refused: readonly (CancelRunsResponseRefusedItem)[]; more: boolean; };

export type MintServiceAccountRequestScopesItem = { scope: string; effect?: "allow" | undefined; };

export type MintServiceAccountRequest = { name: string; scopes?: readonly (MintServiceAccountRequestScopesItem)[] | undefined; expires_in_days?: number | null | undefined; never_expires?: boolean | undefined; daily_tokens?: number | null | undefined; daily_cost?: number | null | undefined; allow_privileged_scopes?: boolean | undefined; };

export type MintServiceAccountResponseScopesItem = { id: string | null; raw: string; namespace: string; sub_namespace: string | null; permission: string; value: "allow"; };

export type MintServiceAccountResponse = { id: string; name: string; principal: string; user_id: string | null; token_prefix: string; scopes: readonly (MintServiceAccountResponseScopesItem)[]; created_at: number; expires_at: number | null; last_used_at: number | null; revoked_at: number | null; created_by: string | null; daily_tokens?: number | undefined; daily_cost?: number | undefined; token: string; };

export type ListServiceAccountsResponseDataItem = { id: string; name: string; principal: string; user_id: string | null; token_prefix: string; scopes: readonly (MintServiceAccountResponseScopesItem)[]; created_at: number; expires_at: number | null; last_used_at: number | null; revoked_at: number | null; created_by: string | null; daily_tokens?: number | undefined; daily_cost?: number | undefined; };

export type ListServiceAccountsResponse = { data: readonly (ListServiceAccountsResponseDataItem)[]; meta: PaginationInfo; };

export type RevokeServiceAccountResponseAlsoRevokedItem = { id: string; name: string; };

export type RevokeServiceAccountResponse = { also_revoked: readonly (RevokeServiceAccountResponseAlsoRevokedItem)[]; };

export type GetOauthServerResponse = { issuer: string; authorization_endpoint: string; token_endpoint: string; revocation_endpoint: string; registration_endpoint?: string | undefined; scopes_supported: readonly (string)[]; response_types_supported: readonly (string)[]; response_modes_supported: readonly (string)[]; grant_types_supported: readonly (string)[]; token_endpoint_auth_methods_supported: readonly (string)[]; revocation_endpoint_auth_methods_supported: readonly (string)[]; code_challenge_methods_supported: readonly (string)[]; client_id_metadata_document_supported: boolean; authorization_response_iss_parameter_supported: boolean; };

export type DescribeConsentResponseClient = { name: string; host: string | null; goes_to: string; is_local: boolean; };

export type DescribeConsentResponse = { redirect_to: string | null; client: DescribeConsentResponseClient | null; scopes: readonly (string)[]; lasts_seconds: number; lasts_unasked_seconds: number; };

export type DecideConsentRequest = { response_type?: string | undefined; client_id?: string | undefined; redirect_uri?: string | undefined; scope?: string | undefined; state?: string | undefined; code_challenge?: string | undefined; code_challenge_method?: string | undefined; resource?: string | undefined; approve: boolean; granted: readonly (string)[]; issuer_token?: string | undefined; };

export type DecideConsentResponse = { redirect_to: string; };

export type IssueOauthTokenResponse = { access_token: string; token_type: string; expires_in: number; refresh_token: string; scope: string; };

export type IssueOauthTokenResponse400 = { error: string; error_description: string; };

export type RegisterOauthClientRequest = { redirect_uris?: readonly (string)[] | undefined; client_name?: string | undefined; };

export type RegisterOauthClientResponse = { client_id: string; client_id_issued_at: number; client_name: string; redirect_uris: readonly (string)[]; token_endpoint_auth_method: string; grant_types: readonly (string)[]; response_types: readonly (string)[]; };

export type ListConnectedAppsResponseDataItem = { id: string; user_id: string; name: string; host: string | null; goes_to: string; scopes: readonly (string)[]; created_at: number; expires_at: number; last_used_at: number | null; };

export type ListConnectedAppsResponse = { data: readonly (ListConnectedAppsResponseDataItem)[]; };

export type ListApprovalsResponse = { data: readonly (Approval)[]; meta: PaginationInfo; };

export type CountApprovalsResponse = { count: number; };

export type GetApprovalStatusResponse = { approval_id: string; status: "pending" | "approved" | "rejected" | "expired" | "cancelled"; run_id: string; resolved_at: number | null; resolved_by: string | null; };

export type ListSessionsResponse = { data: readonly (SessionItem)[]; meta: PaginationInfo; };

export type CreateSessionRequest = { session_id?: string | null | undefined; session_name?: string | null | undefined; session_state?: Readonly<Record<string, unknown>> | null | undefined; metadata?: Readonly<Record<string, unknown>> | null | undefined; user_id?: string | null | undefined; agent_id?: string | null | undefined; team_id?: string | null | undefined; workflow_id?: string | null | undefined; };

export type RemoveSessionsRequest = { session_ids: readonly (string)[]; session_types: readonly ("agent" | "team" | "workflow")[]; };

export type UpdateSessionRequestSummary = { summary: string; topics?: readonly (string)[] | undefined; updated_at?: string | undefined; };

export type UpdateSessionRequest = { session_name?: string | null | undefined; session_state?: Readonly<Record<string, unknown>> | null | undefined; metadata?: Readonly<Record<string, unknown>> | null | undefined; summary?: UpdateSessionRequestSummary | null | undefined; };

export type RenameSessionRequest = { session_name?: string | undefined; autogenerate?: boolean | undefined; };

export type ListSessionRunsResponseItem = AgentRunRow | TeamRunRow | WorkflowRunRow;

export type ListRunPreviewsResponseItem = { run_id: string; parent_run_id?: string | null | undefined; agent_id?: string | undefined; team_id?: string | undefined; workflow_id?: string | undefined; user_id?: string | null | undefined; status: "PENDING" | "RUNNING" | "COMPLETED" | "PAUSED" | "CANCELLED" | "ERROR" | "REGENERATED"; run_input?: string | null | undefined; content_preview?: string | null | undefined; created_at: string; };

export type AddRemoteContentRequestSourceParams = { repo?: string | undefined; };

export type CreateUploadUrlRequest = { filename: string; mime_type?: string | undefined; size: number; };

export type CreateUploadUrlResponse = { upload_id: string; method: "PUT"; url: string; headers: Readonly<Record<string, string>>; expires_at: number; };

export type ListContentResponse = { data: readonly (Content)[]; meta: PaginationInfo; };

export type GetContentStatusResponse = { id: string | null; status: "processing" | "completed" | "failed"; status_message: string; };

export type GetKnowledgeConfigResponseReadersValue = { id: string; name: string; description: string; chunkers: readonly (string)[]; };

export type GetKnowledgeConfigResponseChunkersValue = { key: string; name: string; description: string; metadata: Readonly<Record<string, number>>; };

export type GetKnowledgeConfigResponseVectorDbsItem = { id: string; name: string; description: string; search_types: readonly ("vector" | "keyword" | "hybrid")[]; };

export type GetKnowledgeConfigResponseEmbedder = { id: string; provider: string; description: string; };

export type GetKnowledgeConfigResponseRemoteContentSourcesItem = { id: string; name: string; type: "s3" | "gcs" | "sharepoint" | "github" | "azureblob"; metadata: Readonly<Record<string, unknown>> | null; prefix: string | null; };

export type GetKnowledgeConfigResponse = { readers: Readonly<Record<string, GetKnowledgeConfigResponseReadersValue>>; readersForType: Readonly<Record<string, readonly (string)[]>>; chunkers: Readonly<Record<string, GetKnowledgeConfigResponseChunkersValue>>; filters: readonly (string)[]; vector_dbs: readonly (GetKnowledgeConfigResponseVectorDbsItem)[]; embedder: GetKnowledgeConfigResponseEmbedder; remote_content_sources: readonly (GetKnowledgeConfigResponseRemoteContentSourcesItem)[] | null; };

export type ListSourceFilesResponseFoldersItem = { prefix: string; name: string; is_empty: boolean; };

export type ListSourceFilesResponseFilesItem = { key: string; name: string; size: number | null; last_modified: string | null; content_type: string | null; };

export type ListSourceFilesResponse = { source_id: string; source_name: string; prefix: string; folders: readonly (ListSourceFilesResponseFoldersItem)[]; files: readonly (ListSourceFilesResponseFilesItem)[]; meta: PaginationInfo; };

export type SearchKnowledgeRequestFiltersValue = string | number | boolean;

export type SearchKnowledgeRequestWeights = { vector?: number | undefined; keyword?: number | undefined; };

export type SearchKnowledgeRequestMeta = { limit?: number | undefined; page?: number | undefined; };

export type SearchKnowledgeRequest = { query: string; max_results?: number | null | undefined; filters?: Readonly<Record<string, SearchKnowledgeRequestFiltersValue>> | null | undefined; search_type?: "vector" | "keyword" | "hybrid" | null | undefined; weights?: SearchKnowledgeRequestWeights | null | undefined; vector_db_ids?: readonly (string)[] | null | undefined; db_id?: string | null | undefined; knowledge_id?: string | null | undefined; meta?: SearchKnowledgeRequestMeta | null | undefined; };

export type SearchKnowledgeResponseDataItem = { id: string; content: string; name: string | null; meta_data: Readonly<Record<string, unknown>> | null; usage: Readonly<Record<string, unknown>> | null; reranking_score: number | null; content_id: string | null; content_origin: string | null; size: number | null; };

export type SearchKnowledgeResponse = { data: readonly (SearchKnowledgeResponseDataItem)[]; meta: PaginationInfo; };

export type ListComponentsResponse = { data: readonly (Component)[]; meta: PaginationInfo; };

export type CreateComponentRequest = { component_id?: string | null | undefined; name: string; description?: string | null | undefined; metadata?: Readonly<Record<string, unknown>> | null | undefined; config?: Readonly<Record<string, unknown>> | null | undefined; label?: string | null | undefined; notes?: string | null | undefined; stage?: "draft" | "published" | null | undefined; links?: readonly (GivenLink)[] | null | undefined; component_type: "agent" | "team" | "workflow" | "skill"; };

export type UpdateComponentRequestGuard = { latest_version?: number | null | undefined; current_version?: number | null | undefined; };

export type UpdateComponentRequest = { name?: string | null | undefined; description?: string | null | undefined; metadata?: Readonly<Record<string, unknown>> | null | undefined; current_version?: number | null | undefined; component_type?: "agent" | "team" | "workflow" | "skill" | null | undefined; guard?: UpdateComponentRequestGuard | null | undefined; };

export type RemoveComponentRequest = { guard?: UpdateComponentRequestGuard | null | undefined; };

export type CreateConfigVersionRequest = { config: Readonly<Record<string, unknown>>; stage?: "draft" | "published" | null | undefined; label?: string | null | undefined; notes?: string | null | undefined; links?: readonly (GivenLink)[] | null | undefined; guard?: UpdateComponentRequestGuard | null | undefined; };

export type UpdateConfigVersionRequest = { config?: Readonly<Record<string, unknown>> | null | undefined; stage?: "draft" | "published" | null | undefined; label?: string | null | undefined; notes?: string | null | undefined; links?: readonly (GivenLink)[] | null | undefined; guard?: UpdateComponentRequestGuard | null | undefined; };

export type CreateAgentRequest = { component_id?: string | null | undefined; name: string; description?: string | null | undefined; metadata?: Readonly<Record<string, unknown>> | null | undefined; config?: Readonly<Record<string, unknown>> | null | undefined; label?: string | null | undefined; notes?: string | null | undefined; stage?: "draft" | "published" | null | undefined; links?: readonly (GivenLink)[] | null | undefined; };

export type ListSkillsResponseItem = { id: string; name: string; description?: string | undefined; license?: string | undefined; compatibility?: string | undefined; allowed_tools?: string | undefined; metadata?: Readonly<Record<string, string>> | undefined; files: readonly (string)[]; is_component: boolean; current_version: number; stage: "draft" | "published"; };

export type MigrateAllDatabasesRequest = { target_version?: string | null | undefined; };

export type MigrateAllDatabasesResponse = { message: string; databases: readonly (Database)[]; failed?: Readonly<Record<string, string>> | undefined; };

export type MigrateDatabaseResponse = { message: string; database: Database; };

export type GetUserDataResponseFound = { apps: number; service_accounts: number; schedules: number; webhook_endpoints: number; sessions: number; memories: number; learnings: number; contents: number; evaluations: number; datasets: number; views: number; };

export type GetUserDataResponseRemoval = { status: "removing" | "completed"; requested_at: number; requested_by: string | null; updated_at: number; completed_at: number | null; removed: GetUserDataResponseFound; };

export type GetUserDataResponse = { user_id: string; found: GetUserDataResponseFound; removal: GetUserDataResponseRemoval | null; };

export type ListViewsResponseDataItem = { name: string; to: string; };

export type ListViewsResponse = { data: readonly (ListViewsResponseDataItem)[]; };

export type ListSchedulesResponseDataItem = { id: string; user_id: string | null; name: string; description: string | null; method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"; endpoint: string; payload: Readonly<Record<string, unknown>>; cron_expr: string; timezone: string; timeout_seconds: number; max_retries: number; retry_delay_seconds: number; overlap: "skip" | "queue" | "allow"; enabled: boolean; next_run_at: number | null; managed_by: string | null; target_type: "agent" | "team" | "workflow" | null; target_id: string | null; disabled_reason: string | null; created_at: number; updated_at: number | null; latest_runs?: readonly (ScheduleRun)[] | undefined; };

export type ListSchedulesResponse = { data: readonly (ListSchedulesResponseDataItem)[]; meta: PaginationInfo; };

export type CreateScheduleRequest = { id?: unknown | undefined; user_id?: unknown | undefined; name: string; description?: string | null | undefined; method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | undefined; endpoint: string; payload?: Readonly<Record<string, unknown>> | null | undefined; cron_expr?: string | undefined; timezone?: string | undefined; timeout_seconds?: number | undefined; max_retries?: number | undefined; retry_delay_seconds?: number | undefined; overlap?: "skip" | "queue" | "allow" | undefined; enabled?: unknown | undefined; next_run_at?: unknown | undefined; managed_by?: unknown | undefined; target_type?: unknown | undefined; target_id?: unknown | undefined; disabled_reason?: unknown | undefined; created_at?: unknown | undefined; updated_at?: unknown | undefined; };

export type UpdateScheduleRequest = { id?: unknown | undefined; user_id?: unknown | undefined; name?: string | undefined; description?: string | null | undefined; method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | undefined; endpoint?: string | undefined; payload?: Readonly<Record<string, unknown>> | null | undefined; cron_expr?: string | undefined; timezone?: string | undefined; timeout_seconds?: number | undefined; max_retries?: number | undefined; retry_delay_seconds?: number | undefined; overlap?: "skip" | "queue" | "allow" | undefined; enabled?: unknown | undefined; next_run_at?: unknown | undefined; managed_by?: unknown | undefined; target_type?: unknown | undefined; target_id?: unknown | undefined; disabled_reason?: unknown | undefined; created_at?: unknown | undefined; updated_at?: unknown | undefined; };

export type EnableScheduleResponse = { id: string; name: string; enabled: boolean; next_run_at: number | null; updated_at: number | null; };

export type ListScheduleRunsResponse = { data: readonly (ScheduleRun)[]; meta: PaginationInfo; };

export type CreateMemoryRequest = { memory: string; user_id?: string | null | undefined; topics?: readonly (string)[] | null | undefined; };

export type ListMemoriesResponse = { data: readonly (UserMemory)[]; meta: PaginationInfo; };

export type RemoveMemoriesRequest = { memory_ids: readonly (string)[]; user_id?: string | null | undefined; };

export type ListUserMemoryStatsResponseDataItem = { user_id: string; total_memories: number; last_memory_updated_at: string | null; };

export type ListUserMemoryStatsResponse = { data: readonly (ListUserMemoryStatsResponseDataItem)[]; meta: PaginationInfo; };

export type OptimizeMemoriesRequest = { user_id: string; model?: string | null | undefined; apply?: boolean | undefined; };

export type OptimizeMemoriesResponse = { memories: readonly (UserMemory)[]; memories_before: number; memories_after: number; tokens_before: number; tokens_after: number; tokens_saved: number; reduction_percentage: number; };

export type ListLearningsResponse = { data: readonly (Learning)[]; meta: PaginationInfo; };

export type CreateLearningRequest = { learning_type: string; content: Readonly<Record<string, unknown>>; namespace?: string | null | undefined; user_id?: string | null | undefined; agent_id?: string | null | undefined; team_id?: string | null | undefined; session_id?: string | null | undefined; entity_id?: string | null | undefined; entity_type?: string | null | undefined; metadata?: Readonly<Record<string, unknown>> | null | undefined; };

export type ListLearningUsersResponseDataItem = { user_id: string; last_learning_updated_at: number | null; };

export type ListLearningUsersResponse = { data: readonly (ListLearningUsersResponseDataItem)[]; meta: PaginationInfo; };

export type UpdateLearningRequest = { content?: Readonly<Record<string, unknown>> | undefined; metadata?: Readonly<Record<string, unknown>> | null | undefined; };

export type ListEvalsResponse = { data: readonly (EvalRun)[]; meta: PaginationInfo; };

export type CreateEvalRequestExpectedToolCallArgumentsValue = readonly (Readonly<Record<string, unknown>>)[] | Readonly<Record<string, unknown>>;

export type CreateEvalRequestCasesItem = { input: string; name?: string | null | undefined; expected_output?: string | null | undefined; criteria?: string | null | undefined; additional_guidelines?: string | null | undefined; additional_context?: string | null | undefined; expected_tool_calls?: readonly (string)[] | null | undefined; expected_tool_call_arguments?: Readonly<Record<string, CreateEvalRequestExpectedToolCallArgumentsValue>> | null | undefined; };

export type CreateEvalRequest = { eval_type: "accuracy" | "agent_as_judge" | "performance" | "reliability"; agent_id?: string | null | undefined; team_id?: string | null | undefined; model_id?: string | null | undefined; model_provider?: string | null | undefined; num_iterations?: number | undefined; scoring_strategy?: "numeric" | "binary" | undefined; threshold?: number | undefined; warmup_runs?: number | undefined; allow_additional_tool_calls?: boolean | undefined; input?: string | undefined; name?: string | null | undefined; expected_output?: string | null | undefined; criteria?: string | null | undefined; additional_guidelines?: string | null | undefined; additional_context?: string | null | undefined; expected_tool_calls?: readonly (string)[] | null | undefined; expected_tool_call_arguments?: Readonly<Record<string, CreateEvalRequestExpectedToolCallArgumentsValue>> | null | undefined; cases?: readonly (CreateEvalRequestCasesItem)[] | undefined; dataset_id?: string | null | undefined; dataset_version?: number | null | undefined; version?: number | null | undefined; background?: boolean | undefined; };

export type CompareEvalsResponseFirst = { id: string; name: string | null; status: "running" | "completed" | "failed"; error: string | null; component_version: number | null; score: number | null; pass_rate: number | null; avg_run_time: number | null; total_tokens: number | null; cost: number | null; };

export type CompareEvalsResponseDifferences = { score: number | null; pass_rate: number | null; avg_run_time: number | null; total_tokens: number | null; cost: number | null; };

export type CompareEvalsResponseCounts = { better: number; worse: number; same: number; only_in_first: number; only_in_second: number; unfinished: number; };

export type CompareEvalsResponseCasesItemFirst = { number: number; status: "waiting" | "running" | "completed" | "failed"; error: string | null; passed: boolean | null; score: number | null; avg_run_time: number | null; };

export type CompareEvalsResponseCasesItem = { name: string | null; input: string; change: "better" | "worse" | "same" | "only_in_first" | "only_in_second" | "unfinished"; first: CompareEvalsResponseCasesItemFirst | null; second: CompareEvalsResponseCasesItemFirst | null; };

export type CompareEvalsResponse = { eval_type: "accuracy" | "agent_as_judge" | "performance" | "reliability"; first: CompareEvalsResponseFirst; second: CompareEvalsResponseFirst; differences: CompareEvalsResponseDifferences; counts: CompareEvalsResponseCounts; cases: readonly (CompareEvalsResponseCasesItem)[]; };

export type ListEvalCasesResponseDataItemRunsItem = { run_id: string; session_id: string; status: string; };

export type ListEvalCasesResponseDataItem = { number: number; name: string | null; input: string; status: "waiting" | "running" | "completed" | "failed"; error: string | null; passed: boolean | null; eval_data: EvalResults; progress: EvalRunProgress; runs: readonly (ListEvalCasesResponseDataItemRunsItem)[]; };

export type ListEvalCasesResponse = { data: readonly (ListEvalCasesResponseDataItem)[]; meta: PaginationInfo; };

export type UpdateEvalRequest = { name: string; };

export type RemoveEvalsRequest = { eval_run_ids: readonly (string)[]; };

export type ListDatasetsResponseDataItem = { id: string; name: string; description: string | null; user_id: string | null; version: number; cases: number; created_at: string; updated_at: string; };

export type ListDatasetsResponse = { data: readonly (ListDatasetsResponseDataItem)[]; meta: PaginationInfo; };

export type ListDatasetCasesResponseDataItemOption1 = { id: string; erased: boolean; };

export type ListDatasetCasesResponseDataItemOption2Source = { run_id?: string | undefined; session_id?: string | undefined; component_type: "agent" | "team" | "workflow"; component_id: string; component_version?: number | undefined; tool_calls: number; };

export type ListDatasetCasesResponseDataItemOption2 = { id: string; input: string; name?: string | null | undefined; expected_output?: string | null | undefined; criteria?: string | null | undefined; additional_guidelines?: string | null | undefined; additional_context?: string | null | undefined; expected_tool_calls?: readonly (string)[] | null | undefined; expected_tool_call_arguments?: Readonly<Record<string, CreateEvalRequestExpectedToolCallArgumentsValue>> | null | undefined; tags?: readonly (string)[] | undefined; split?: "train" | "test" | undefined; source?: ListDatasetCasesResponseDataItemOption2Source | undefined; };

export type ListDatasetCasesResponseDataItem = ListDatasetCasesResponseDataItemOption1 | ListDatasetCasesResponseDataItemOption2;

export type ListDatasetCasesResponse = { dataset_id: string; version: number; cases: number; data: readonly (ListDatasetCasesResponseDataItem)[]; };

export type AddDatasetCasesRequestRunsItem = { run_id: string; session_id: string; };

export type AddDatasetCasesRequestFilter = { component_type?: "agent" | "team" | "workflow" | undefined; component_id?: string | undefined; user_id?: string | undefined; status?: readonly ("PENDING" | "RUNNING" | "COMPLETED" | "PAUSED" | "CANCELLED" | "ERROR" | "REGENERATED")[] | undefined; created_after?: number | undefined; created_before?: number | undefined; error_contains?: string | undefined; q?: string | undefined; version?: number | undefined; tool?: string | undefined; cost_min?: number | undefined; duration_min?: number | undefined; feedback?: string | undefined; verdict?: "passed" | "not_passed" | undefined; };

export type AddDatasetCasesRequestRedactOption2 = { detect?: readonly ("email" | "phone" | "iban" | "card" | "ip")[] | undefined; patterns?: readonly (string)[] | undefined; names?: readonly (string)[] | undefined; };

export type AddDatasetCasesRequestRedact = boolean | AddDatasetCasesRequestRedactOption2;

export type AddDatasetCasesRequest = { runs?: readonly (AddDatasetCasesRequestRunsItem)[] | undefined; filter?: AddDatasetCasesRequestFilter | undefined; most?: number | undefined; expected?: "answer" | "correction" | "none" | undefined; tags?: readonly (string)[] | undefined; split?: "train" | "test" | undefined; redact?: AddDatasetCasesRequestRedact | undefined; on_removed_source?: "erase" | "keep" | undefined; };

export type AddDatasetCasesResponseSkippedItem = { run_id: string; reason: string; };

export type AddDatasetCasesResponse = { dataset_id: string; version: number; added: number; skipped: readonly (AddDatasetCasesResponseSkippedItem)[]; more: boolean; };

export type ChangeDatasetCasesRequestSetItem = { id?: string | undefined; input?: string | undefined; name?: string | null | undefined; expected_output?: string | null | undefined; criteria?: string | null | undefined; additional_guidelines?: string | null | undefined; additional_context?: string | null | undefined; expected_tool_calls?: readonly (string)[] | null | undefined; expected_tool_call_arguments?: Readonly<Record<string, CreateEvalRequestExpectedToolCallArgumentsValue>> | null | undefined; tags?: readonly (string)[] | undefined; split?: "train" | "test" | null | undefined; };

export type ChangeDatasetCasesRequest = { base_version: number; set?: readonly (ChangeDatasetCasesRequestSetItem)[] | undefined; remove?: readonly (string)[] | undefined; };

export type GiveFeedbackRequest = { session_id: string; message_id?: string | undefined; key: string; score?: number | undefined; value?: string | undefined; comment?: string | undefined; correction?: string | undefined; source?: "api" | "console" | undefined; author?: string | undefined; };

export type GiveFeedbackResponseComponent = { type: "agent" | "team" | "workflow"; id: string; version?: number | undefined; };

export type GiveFeedbackResponse = { feedback_id: string; run_id: string; session_id: string; message_id?: string | undefined; component: GiveFeedbackResponseComponent; user_id: string | null; key: string; score?: number | undefined; value?: string | undefined; comment?: string | undefined; correction?: string | undefined; source: "api" | "console" | "chat" | "link" | "review"; author: string | null; role: "user" | "participant" | "operator" | "reviewer"; review_status: "new" | "reviewed" | "dismissed"; created_at: number; updated_at: number; };

export type ListRunFeedbackResponseSummaryValue = { count: number; sum: number; scores: Readonly<Record<string, number>>; };

export type ListRunFeedbackResponse = { data: readonly (GiveFeedbackResponse)[]; summary: Readonly<Record<string, ListRunFeedbackResponseSummaryValue>>; };

export type ReviewFeedbackRequest = { review_status: "new" | "reviewed" | "dismissed"; };

export type ListFeedbackResponse = { data: readonly (GiveFeedbackResponse)[]; next_cursor: string | null; };

export type CreateFeedbackLinksRequest = { session_id: string; keys: readonly (string)[]; author?: string | undefined; expires_in_seconds?: number | undefined; };

export type ListTracesResponseDataItem = { trace_id: string; name: string; status: "OK" | "ERROR" | "UNSET"; duration: string; start_time: string; end_time: string; created_at: string; total_spans: number; error_count: number; input?: string | undefined; run_id?: string | undefined; session_id?: string | undefined; user_id?: string | undefined; agent_id?: string | undefined; team_id?: string | undefined; workflow_id?: string | undefined; };

export type ListTracesResponse = { data: readonly (ListTracesResponseDataItem)[]; meta: PaginationInfo; };

export type GetTraceFilterSchemaResponseFieldsItem = { key: string; label: string; type: "enum" | "string" | "number" | "datetime"; operators: readonly (string)[]; values: readonly (string)[] | null; };

export type GetTraceFilterSchemaResponse = { fields: readonly (GetTraceFilterSchemaResponseFieldsItem)[]; logical_operators: readonly (string)[]; };

export type GetTraceResponse = TraceDetail | TraceNode;

export type ListTraceSessionStatsResponseDataItem = { session_id: string; user_id?: string | undefined; agent_id?: string | undefined; team_id?: string | undefined; workflow_id?: string | undefined; total_traces: number; first_trace_at: string; last_trace_at: string; };

export type ListTraceSessionStatsResponse = { data: readonly (ListTraceSessionStatsResponseDataItem)[]; meta: PaginationInfo; };

export type SearchTracesRequest = { filter?: Readonly<Record<string, unknown>> | null | undefined; group_by?: "run" | "session" | undefined; page?: number | undefined; limit?: number | undefined; };

export type SearchTracesResponseOption1 = { data: readonly (TraceDetail)[]; meta: PaginationInfo; };

export type SearchTracesResponse = SearchTracesResponseOption1 | ListTraceSessionStatsResponse;

export type GetMetricsResponseMetricsItemTokenMetrics = { input_tokens: number; output_tokens: number; total_tokens: number; audio_total_tokens: number; audio_input_tokens: number; audio_output_tokens: number; cache_read_tokens: number; cache_write_tokens: number; reasoning_tokens: number; };

export type GetMetricsResponseMetricsItemModelMetricsItem = { model_id: string; model_provider: string; count: number; input_tokens: number; output_tokens: number; total_tokens: number; cost?: number | undefined; };

export type GetMetricsResponseMetricsItemComponentMetricsItem = { component_type: "agent" | "team" | "workflow" | null; component_id: string | null; others?: number | undefined; runs: number; input_tokens: number; output_tokens: number; total_tokens: number; cost?: number | undefined; };

export type GetMetricsResponseMetricsItemUserMetricsItem = { user_id: string | null; others?: number | undefined; runs: number; input_tokens: number; output_tokens: number; total_tokens: number; cost?: number | undefined; };

export type GetMetricsResponseMetricsItemEvaluationMetrics = { evaluations: number; online: number; online_passed: number; online_not_passed: number; online_failed: number; judge_calls: number; input_tokens: number; output_tokens: number; total_tokens: number; cost?: number | undefined; };

export type GetMetricsResponseMetricsItemFeedbackMetricsItem = { key: string; count: number; sum: number; };

export type GetMetricsResponseMetricsItem = { id: string; date: string; agent_sessions_count: number; team_sessions_count: number; workflow_sessions_count: number; agent_runs_count: number; team_runs_count: number; workflow_runs_count: number; users_count: number; token_metrics: GetMetricsResponseMetricsItemTokenMetrics; model_metrics: readonly (GetMetricsResponseMetricsItemModelMetricsItem)[]; cost?: number | undefined; component_metrics?: readonly (GetMetricsResponseMetricsItemComponentMetricsItem)[] | undefined; user_metrics?: readonly (GetMetricsResponseMetricsItemUserMetricsItem)[] | undefined; evaluation_metrics?: GetMetricsResponseMetricsItemEvaluationMetrics | undefined; feedback_metrics?: readonly (GetMetricsResponseMetricsItemFeedbackMetricsItem)[] | undefined; created_at: string; updated_at: string; };

export type GetMetricsResponse = { metrics: readonly (GetMetricsResponseMetricsItem)[]; updated_at: string | null; };

export type GetMetricsBreakdownResponseDataItemThumbs = { up: number; down: number; };

export type GetMetricsBreakdownResponseDataItem = { component_type?: "agent" | "team" | "workflow" | undefined; component_id?: string | undefined; version?: number | null | undefined; model_provider?: string | undefined; model_id?: string | undefined; tool?: string | undefined; user_id?: string | null | undefined; day?: string | undefined; others?: boolean | undefined; runs: number; errors: number; input_tokens: number; output_tokens: number; total_tokens: number; cache_hit_rate?: number | undefined; cost?: number | undefined; cost_per_run?: number | undefined; tool_calls: number; tool_errors: number; thumbs: GetMetricsBreakdownResponseDataItemThumbs; judged: number; pass_rate?: number | undefined; p50?: number | undefined; p90?: number | undefined; p95?: number | undefined; p99?: number | undefined; };

export type GetMetricsBreakdownResponseMeta = { by: string; from: string; to: string; days: readonly (string)[]; total_count: number; };

export type GetMetricsBreakdownResponse = { data: readonly (GetMetricsBreakdownResponseDataItem)[]; meta: GetMetricsBreakdownResponseMeta; };

export type GetBudgetsResponseUserTokens = { limit: number | null; used: number; };

export type GetBudgetsResponseUserCost = { limit: number | null; used: number; };

export type GetBudgetsResponseUser = { tokens: GetBudgetsResponseUserTokens; cost: GetBudgetsResponseUserCost; };

export type GetBudgetsResponse = { day: string; user: GetBudgetsResponseUser; deployment: GetBudgetsResponseUser | null; };

export type RefreshMetricsResponseOption2 = { status: "started" | "already_running"; message: string; };

export type RefreshMetricsResponse = readonly (GetMetricsResponseMetricsItem)[] | RefreshMetricsResponseOption2;

export type GetRefreshStatusResponse = { status: "idle" | "running" | "completed" | "failed"; started_at: string | null; finished_at: string | null; error: string | null; };

export type GetCardKeysResponseKeysItem = { kty: "EC" | "RSA" | "OKP"; kid: string; alg: string; use: "sig"; crv?: string | undefined; x?: string | undefined; y?: string | undefined; n?: string | undefined; e?: string | undefined; };

export type GetCardKeysResponse = { keys: readonly (GetCardKeysResponseKeysItem)[]; };

export type ListCardsResponse = { cards: readonly (AgentCardAnswer)[]; };

export type CancelAgentTaskRequest = { metadata?: Readonly<Record<string, unknown>> | undefined; };

export type CreateAgentPushConfigRequest = { id?: string | undefined; url?: string | undefined; token?: string | undefined; authentication?: Readonly<Record<string, unknown>> | undefined; pushNotificationConfig?: Readonly<Record<string, unknown>> | undefined; };

export type ReadAgentTaskRequestParams = { id: string; contextId?: string | null | undefined; };

export type ReadAgentTaskRequest = { jsonrpc?: "2.0" | undefined; id?: A2aCallId | undefined; params: ReadAgentTaskRequestParams; };

export type ReceiveWhatsappWebhookResponse = { status: string; };

export type ReceiveTelegramWebhookResponse = { status: string; method?: "answerCallbackQuery" | undefined; callback_query_id?: string | undefined; text?: string | undefined; };

export type ReceiveSlackEventResponseOption2 = { challenge: string; };

export type ReceiveSlackEventResponse = ReceiveWhatsappWebhookResponse | ReceiveSlackEventResponseOption2;

export type CreateWebhookEndpointRequestComponentsItem = { type: "agent" | "team" | "workflow"; id?: string | undefined; };

export type CreateWebhookEndpointRequest = { url: string; description?: string | null | undefined; audience?: "own" | "everybody" | undefined; events?: readonly ("run.completed" | "run.failed" | "run.cancelled" | "run.paused" | "run.started" | "job.queued" | "job.running" | "job.paused" | "job.completed" | "job.failed" | "job.cancelled" | "approval.created" | "approval.resolved" | "schedule.created" | "schedule.updated" | "schedule.deleted" | "schedule_run.completed" | "schedule_run.failed" | "schedule_run.skipped" | "evaluation.created" | "evaluation.completed" | "evaluation.failed" | "feedback.created" | "feedback.updated" | "feedback.deleted")[] | undefined; components?: readonly (CreateWebhookEndpointRequestComponentsItem)[] | undefined; include_content?: boolean | undefined; enabled?: boolean | undefined; };

export type CreateWebhookEndpointResponse = { id: string; url: string; description: string | null; user_id: string | null; audience: "own" | "everybody"; events: readonly ("run.completed" | "run.failed" | "run.cancelled" | "run.paused" | "run.started" | "job.queued" | "job.running" | "job.paused" | "job.completed" | "job.failed" | "job.cancelled" | "approval.created" | "approval.resolved" | "schedule.created" | "schedule.updated" | "schedule.deleted" | "schedule_run.completed" | "schedule_run.failed" | "schedule_run.skipped" | "evaluation.created" | "evaluation.completed" | "evaluation.failed" | "feedback.created" | "feedback.updated" | "feedback.deleted")[]; components: readonly (CreateWebhookEndpointRequestComponentsItem)[]; include_content: boolean; enabled: boolean; disabled_reason: string | null; failing_since: number | null; previous_secret_until: number | null; created_at: number; updated_at: number | null; secret: string; };

export type ListWebhookEndpointsResponseDataItem = { id: string; url: string; description: string | null; user_id: string | null; audience: "own" | "everybody"; events: readonly ("run.completed" | "run.failed" | "run.cancelled" | "run.paused" | "run.started" | "job.queued" | "job.running" | "job.paused" | "job.completed" | "job.failed" | "job.cancelled" | "approval.created" | "approval.resolved" | "schedule.created" | "schedule.updated" | "schedule.deleted" | "schedule_run.completed" | "schedule_run.failed" | "schedule_run.skipped" | "evaluation.created" | "evaluation.completed" | "evaluation.failed" | "feedback.created" | "feedback.updated" | "feedback.deleted")[]; components: readonly (CreateWebhookEndpointRequestComponentsItem)[]; include_content: boolean; enabled: boolean; disabled_reason: string | null; failing_since: number | null; previous_secret_until: number | null; created_at: number; updated_at: number | null; };

export type ListWebhookEndpointsResponse = { data: readonly (ListWebhookEndpointsResponseDataItem)[]; meta: PaginationInfo; };

export type UpdateWebhookEndpointRequest = { url?: string | undefined; description?: string | null | undefined; events?: readonly ("run.completed" | "run.failed" | "run.cancelled" | "run.paused" | "run.started" | "job.queued" | "job.running" | "job.paused" | "job.completed" | "job.failed" | "job.cancelled" | "approval.created" | "approval.resolved" | "schedule.created" | "schedule.updated" | "schedule.deleted" | "schedule_run.completed" | "schedule_run.failed" | "schedule_run.skipped" | "evaluation.created" | "evaluation.completed" | "evaluation.failed" | "feedback.created" | "feedback.updated" | "feedback.deleted")[] | undefined; components?: readonly (CreateWebhookEndpointRequestComponentsItem)[] | undefined; include_content?: boolean | undefined; enabled?: boolean | undefined; };

export type RotateWebhookSecretRequest = { overlap_seconds?: number | undefined; };

export type TestWebhookEndpointResponseAttemptsItem = { at: number; duration_ms: number; response_status: number | null; response: string | null; error: string | null; };

export type TestWebhookEndpointResponse = { id: string; event_id: string; type: "run.completed" | "run.failed" | "run.cancelled" | "run.paused" | "run.started" | "job.queued" | "job.running" | "job.paused" | "job.completed" | "job.failed" | "job.cancelled" | "approval.created" | "approval.resolved" | "schedule.created" | "schedule.updated" | "schedule.deleted" | "schedule_run.completed" | "schedule_run.failed" | "schedule_run.skipped" | "evaluation.created" | "evaluation.completed" | "evaluation.failed" | "feedback.created" | "feedback.updated" | "feedback.deleted" | "ping"; target: "callback" | "endpoint" | "event_bus" | "push" | "task"; endpoint_id: string | null; run_id: string | null; session_id: string | null; user_id: string | null; host: string; status: "pending" | "delivered" | "failed" | "skipped"; reason: string | null; tries: number; attempts: readonly (TestWebhookEndpointResponseAttemptsItem)[]; next_try_at: number | null; created_at: number; updated_at: number; };

export type ListWebhookDeliveriesResponse = { data: readonly (TestWebhookEndpointResponse)[]; meta: PaginationInfo; };

export type GetCallbackSecretResponse = { secret: string; previous_secret_until: number | null; };

export type ListAuditResponseDataItem = { id: string; at_ms: number; principal: string | null; principal_kind: "user" | "service_account" | "internal" | "anonymous" | "platform"; on_behalf_of: string | null; protocol: "http" | "ag-ui" | "mcp" | "a2a" | "chat" | "schedule" | "platform"; address: string | null; request_id: string | null; operation: string; target: Readonly<Record<string, string>>; decision: "allow" | "forbidden"; arguments_digest: string | null; before: Readonly<Record<string, unknown>> | null; after: Readonly<Record<string, unknown>> | null; outcome: "changed" | "started" | "done" | "read" | "refused" | "failed"; status: number | null; seal: number | null; };

export type ListAuditResponse = { data: readonly (ListAuditResponseDataItem)[]; next_cursor: string | null; };

export type VerifyAuditResponseProblemsItem = { kind: "seal_missing" | "seal_changed" | "link_broken" | "record_missing" | "record_changed" | "record_not_sealed"; what: string; };

export type VerifyAuditResponse = { day: string; intact: boolean; seals: number; records: number; waiting: number; head: string | null; problems: readonly (VerifyAuditResponseProblemsItem)[]; };

/** How each operation travels: its method, its path, how its body is encoded, and whether it streams. */
export const operations = {
  getRoot: "GET /",
  getHealth: "GET /health",
  getInfo: "GET /info",
  getOpenApi: "GET /openapi.json",
  getLlmsTxt: "GET /llms.txt",
  getFavicon: "GET /favicon.ico",
  getDocs: "GET /docs",
  getConfig: "GET /config",
  getMe: "GET /me",
  listModels: "GET /models",
  listRegistry: "GET /registry",
  listAgents: "GET /agents",
  createAgent: "POST /agents json",
  getAgent: "GET /agents/{agent_id}",
  updateAgent: "PATCH /agents/{agent_id} json",
  removeAgent: "DELETE /agents/{agent_id} json",
  listTeams: "GET /teams",
  createTeam: "POST /teams json",
  getTeam: "GET /teams/{team_id}",
  updateTeam: "PATCH /teams/{team_id} json",
  removeTeam: "DELETE /teams/{team_id} json",
  listWorkflows: "GET /workflows",
  createWorkflow: "POST /workflows json",
  getWorkflow: "GET /workflows/{workflow_id}",
  updateWorkflow: "PATCH /workflows/{workflow_id} json",
  removeWorkflow: "DELETE /workflows/{workflow_id} json",
  listRuns: "GET /runs",
  cancelRuns: "POST /runs/cancel json",
  createAgentRun: "POST /agents/{agent_id}/runs form stream",
  listAgentRuns: "GET /agents/{agent_id}/runs",
  continueAgentRun: "POST /agents/{agent_id}/runs/{run_id}/continue form stream",
  resumeAgentRun: "POST /agents/{agent_id}/runs/{run_id}/resume form stream",
  listAgentCheckpoints: "GET /agents/{agent_id}/runs/{run_id}/checkpoints",
  getAgentCheckpoint: "GET /agents/{agent_id}/runs/{run_id}/checkpoints/{message_index}",
  forkAgentSession: "POST /agents/{agent_id}/sessions/{session_id}/fork",
  compactAgentSession: "POST /agents/{agent_id}/sessions/{session_id}/compact",
  cancelAgentRun: "POST /agents/{agent_id}/runs/{run_id}/cancel",
  getAgentRun: "GET /agents/{agent_id}/runs/{run_id}",
  sendAgentMessage: "POST /agents/{agent_id}/runs/{run_id}/messages form",
  listAgentMessages: "GET /agents/{agent_id}/runs/{run_id}/messages",
  withdrawAgentMessage: "DELETE /agents/{agent_id}/runs/{run_id}/messages/{message_id}",
  createTeamRun: "POST /teams/{team_id}/runs form stream",
  listTeamRuns: "GET /teams/{team_id}/runs",
  continueTeamRun: "POST /teams/{team_id}/runs/{run_id}/continue form stream",
  resumeTeamRun: "POST /teams/{team_id}/runs/{run_id}/resume form stream",
  listTeamCheckpoints: "GET /teams/{team_id}/runs/{run_id}/checkpoints",
  getTeamCheckpoint: "GET /teams/{team_id}/runs/{run_id}/checkpoints/{message_index}",
  forkTeamSession: "POST /teams/{team_id}/sessions/{session_id}/fork",
  cancelTeamRun: "POST /teams/{team_id}/runs/{run_id}/cancel",
  getTeamRun: "GET /teams/{team_id}/runs/{run_id}",
  sendTeamMessage: "POST /teams/{team_id}/runs/{run_id}/messages form",
  listTeamMessages: "GET /teams/{team_id}/runs/{run_id}/messages",
  withdrawTeamMessage: "DELETE /teams/{team_id}/runs/{run_id}/messages/{message_id}",
  createWorkflowRun: "POST /workflows/{workflow_id}/runs form stream",
  listWorkflowRuns: "GET /workflows/{workflow_id}/runs",
  continueWorkflowRun: "POST /workflows/{workflow_id}/runs/{run_id}/continue form stream",
  resumeWorkflowRun: "POST /workflows/{workflow_id}/runs/{run_id}/resume form stream",
  cancelWorkflowRun: "POST /workflows/{workflow_id}/runs/{run_id}/cancel",
  getWorkflowRun: "GET /workflows/{workflow_id}/runs/{run_id}",
  sendWorkflowMessage: "POST /workflows/{workflow_id}/runs/{run_id}/messages form",
  listWorkflowMessages: "GET /workflows/{workflow_id}/runs/{run_id}/messages",
  withdrawWorkflowMessage: "DELETE /workflows/{workflow_id}/runs/{run_id}/messages/{message_id}",
  resolveApproval: "POST /approvals/{approval_id}/resolve json",
  runAgui: "POST /agui json stream",
  getAguiStatus: "GET /status",
  runAgentAgui: "POST /agents/{agent_id}/agui json stream",
  runTeamAgui: "POST /teams/{team_id}/agui json stream",
  runWorkflowAgui: "POST /workflows/{workflow_id}/agui json stream",
  listOpenaiModels: "GET /v1/models",
  getOpenaiModel: "GET /v1/models/{model}",
  createChatCompletion: "POST /v1/chat/completions json stream",
  createOpenaiResponse: "POST /v1/responses json stream",
  getOpenaiResponse: "GET /v1/responses/{response_id}  stream",
  removeOpenaiResponse: "DELETE /v1/responses/{response_id}",
  cancelOpenaiResponse: "POST /v1/responses/{response_id}/cancel",
  listOpenaiInputItems: "GET /v1/responses/{response_id}/input_items",
  runAgentChat: "POST /agents/{agent_id}/chat json stream",
  getAgentChat: "GET /agents/{agent_id}/chat/{chat_id}",
  followAgentChat: "GET /agents/{agent_id}/chat/{chat_id}/stream  stream",
  stopAgentChat: "POST /agents/{agent_id}/chat/{chat_id}/stop",
  runTeamChat: "POST /teams/{team_id}/chat json stream",
  getTeamChat: "GET /teams/{team_id}/chat/{chat_id}",
  followTeamChat: "GET /teams/{team_id}/chat/{chat_id}/stream  stream",
  stopTeamChat: "POST /teams/{team_id}/chat/{chat_id}/stop",
  runWorkflowChat: "POST /workflows/{workflow_id}/chat json stream",
  getWorkflowChat: "GET /workflows/{workflow_id}/chat/{chat_id}",
  followWorkflowChat: "GET /workflows/{workflow_id}/chat/{chat_id}/stream  stream",
  stopWorkflowChat: "POST /workflows/{workflow_id}/chat/{chat_id}/stop",
  callMcp: "POST /mcp json stream",
  getMcpServerCard: "GET /mcp/server-card",
  getAiCatalog: "GET /.well-known/ai-catalog.json",
  getMcpCatalog: "GET /.well-known/mcp/catalog.json",
  getMcpResource: "GET /.well-known/oauth-protected-resource",
  getMcpResourceOfPath: "GET /.well-known/oauth-protected-resource/mcp",
  listJobs: "GET /queue/jobs",
  getJob: "GET /queue/jobs/{job_id}",
  getQueueStats: "GET /queue/stats",
  getRunLog: "GET /runs/{run_id}/log",
  requeueJob: "POST /queue/jobs/{job_id}/requeue",
  cancelJobs: "POST /queue/jobs/cancel json",
  requeueJobs: "POST /queue/jobs/requeue json",
  mintServiceAccount: "POST /service-accounts json",
  listServiceAccounts: "GET /service-accounts",
  revokeServiceAccount: "DELETE /service-accounts/{account_id}",
  getOauthServer: "GET /.well-known/oauth-authorization-server",
  authorizeApp: "GET /oauth/authorize",
  describeConsent: "GET /oauth/consent",
  decideConsent: "POST /oauth/consent json",
  issueOauthToken: "POST /oauth/token",
  revokeOauthToken: "POST /oauth/revoke",
  registerOauthClient: "POST /oauth/register json",
  listConnectedApps: "GET /oauth/apps",
  removeConnectedApp: "DELETE /oauth/apps/{app_id}",
  listApprovals: "GET /approvals",
  countApprovals: "GET /approvals/count",
  getApproval: "GET /approvals/{approval_id}",
  removeApproval: "DELETE /approvals/{approval_id}",
  getApprovalStatus: "GET /approvals/{approval_id}/status",
  listSessions: "GET /sessions",
  createSession: "POST /sessions json",
  removeSessions: "DELETE /sessions json",
  getSession: "GET /sessions/{session_id}",
  updateSession: "PATCH /sessions/{session_id} json",
  removeSession: "DELETE /sessions/{session_id}",
  renameSession: "POST /sessions/{session_id}/rename json",
  listSessionRuns: "GET /sessions/{session_id}/runs",
  listRunPreviews: "GET /sessions/{session_id}/run-previews",
  getSessionMedium: "GET /sessions/{session_id}/media/{key}",
  getSessionRun: "GET /sessions/{session_id}/runs/{run_id}",
  addContent: "POST /knowledge/content form",
  listContent: "GET /knowledge/content",
  removeAllContent: "DELETE /knowledge/content",
  addRemoteContent: "POST /knowledge/remote-content form",
  createUploadUrl: "POST /knowledge/content/upload-url json",
  getContent: "GET /knowledge/content/{content_id}",
  updateContent: "PATCH /knowledge/content/{content_id} form",
  removeContent: "DELETE /knowledge/content/{content_id}",
  getContentStatus: "GET /knowledge/content/{content_id}/status",
  refreshContent: "POST /knowledge/content/{content_id}/refresh",
  getKnowledgeConfig: "GET /knowledge/config",
  listKnowledgeSources: "GET /knowledge/{knowledge_id}/sources",
  listSourceFiles: "GET /knowledge/{knowledge_id}/sources/{source_id}/files",
  searchKnowledge: "POST /knowledge/search json",
  listComponents: "GET /components",
  createComponent: "POST /components json",
  getComponent: "GET /components/{component_id}",
  updateComponent: "PATCH /components/{component_id} json",
  removeComponent: "DELETE /components/{component_id} json",
  restoreComponent: "POST /components/{component_id}/restore",
  listConfigVersions: "GET /components/{component_id}/configs",
  createConfigVersion: "POST /components/{component_id}/configs json",
  getCurrentConfigVersion: "GET /components/{component_id}/configs/current",
  getConfigVersion: "GET /components/{component_id}/configs/{version}",
  updateConfigVersion: "PATCH /components/{component_id}/configs/{version} json",
  removeConfigVersion: "DELETE /components/{component_id}/configs/{version}",
  setCurrentConfigVersion: "POST /components/{component_id}/configs/{version}/set-current json",
  checkConfigVersion: "POST /components/{component_id}/configs/{version}/check",
  listSkills: "GET /skills",
  createSkill: "POST /skills json",
  getSkill: "GET /skills/{skill_id}",
  updateSkill: "PATCH /skills/{skill_id} json",
  removeSkill: "DELETE /skills/{skill_id} json",
  getDatabase: "GET /databases/{db_id}",
  migrateAllDatabases: "POST /databases/all/migrate json",
  migrateDatabase: "POST /databases/{db_id}/migrate json",
  getUserData: "GET /users/{user_id}/data",
  removeUserData: "DELETE /users/{user_id}/data",
  listViews: "GET /me/views",
  saveView: "POST /me/views json",
  removeView: "DELETE /me/views/{view_name}",
  listSchedules: "GET /schedules",
  createSchedule: "POST /schedules json",
  getSchedule: "GET /schedules/{schedule_id}",
  updateSchedule: "PATCH /schedules/{schedule_id} json",
  removeSchedule: "DELETE /schedules/{schedule_id}",
  enableSchedule: "POST /schedules/{schedule_id}/enable",
  disableSchedule: "POST /schedules/{schedule_id}/disable",
  triggerSchedule: "POST /schedules/{schedule_id}/trigger",
  listScheduleRuns: "GET /schedules/{schedule_id}/runs",
  getScheduleRun: "GET /schedules/{schedule_id}/runs/{run_id}",
  createMemory: "POST /memories json",
  listMemories: "GET /memories",
  removeMemories: "DELETE /memories json",
  getMemory: "GET /memories/{memory_id}",
  updateMemory: "PATCH /memories/{memory_id} json",
  removeMemory: "DELETE /memories/{memory_id}",
  listMemoryTopics: "GET /memory_topics",
  listUserMemoryStats: "GET /user_memory_stats",
  optimizeMemories: "POST /optimize-memories json",
  listLearnings: "GET /learnings",
  createLearning: "POST /learnings json",
  listLearningUsers: "GET /learnings/users",
  removeUserLearnings: "DELETE /learnings/users/{user_id}",
  getLearning: "GET /learnings/{learning_id}",
  updateLearning: "PATCH /learnings/{learning_id} json",
  removeLearning: "DELETE /learnings/{learning_id}",
  listEvals: "GET /eval-runs",
  createEval: "POST /eval-runs json",
  removeEvals: "DELETE /eval-runs json",
  compareEvals: "GET /eval-runs/compare",
  getEval: "GET /eval-runs/{eval_run_id}",
  updateEval: "PATCH /eval-runs/{eval_run_id} json",
  listEvalCases: "GET /eval-runs/{eval_run_id}/cases",
  listDatasets: "GET /eval-datasets",
  createDataset: "POST /eval-datasets form",
  getDataset: "GET /eval-datasets/{dataset_id}",
  removeDataset: "DELETE /eval-datasets/{dataset_id}",
  listDatasetCases: "GET /eval-datasets/{dataset_id}/cases",
  addDatasetCases: "POST /eval-datasets/{dataset_id}/cases json",
  changeDatasetCases: "PATCH /eval-datasets/{dataset_id}/cases json",
  exportDataset: "GET /eval-datasets/{dataset_id}/export",
  createDatasetVersion: "POST /eval-datasets/{dataset_id}/versions form",
  giveFeedback: "POST /runs/{run_id}/feedback json",
  listRunFeedback: "GET /runs/{run_id}/feedback",
  reviewFeedback: "PATCH /runs/{run_id}/feedback/{feedback_id} json",
  removeFeedback: "DELETE /runs/{run_id}/feedback/{feedback_id}",
  listFeedback: "GET /feedback",
  createFeedbackLinks: "POST /runs/{run_id}/feedback-links json",
  getFeedbackForm: "GET /f/{token}",
  submitFeedback: "POST /f/{token} form",
  listTraces: "GET /traces",
  getTraceFilterSchema: "GET /traces/filter-schema",
  getTrace: "GET /traces/{trace_id}",
  listTraceSessionStats: "GET /trace_session_stats",
  searchTraces: "POST /traces/search json",
  getMetrics: "GET /metrics",
  getMetricsBreakdown: "GET /metrics/breakdown",
  getBudgets: "GET /budgets",
  refreshMetrics: "POST /metrics/refresh",
  getRefreshStatus: "GET /metrics/refresh/status",
  getHostCard: "GET /.well-known/agent-card.json",
  getCardKeys: "GET /.well-known/jwks.json",
  listCards: "GET /a2a/cards",
  getAgentCard: "GET /a2a/agents/{agent_id}/.well-known/agent-card.json",
  sendToAgent: "POST /a2a/agents/{agent_id}/v1/message:send json",
  streamToAgent: "POST /a2a/agents/{agent_id}/v1/message:stream json stream",
  callAgent: "POST /a2a/agents/{agent_id} json stream",
  callVersionedAgent: "POST /a2a/agents/{agent_id}/v1 json stream",
  listAgentTasks: "GET /a2a/agents/{agent_id}/v1/tasks",
  getAgentTask: "GET /a2a/agents/{agent_id}/v1/tasks/{task_id}",
  cancelAgentTask: "POST /a2a/agents/{agent_id}/v1/tasks/{task_id}:cancel json",
  subscribeToAgentTask: "POST /a2a/agents/{agent_id}/v1/tasks/{task_id}:subscribe json stream",
  followAgentTask: "GET /a2a/agents/{agent_id}/v1/tasks/{task_id}:subscribe  stream",
  createAgentPushConfig: "POST /a2a/agents/{agent_id}/v1/tasks/{task_id}/pushNotificationConfigs json",
  listAgentPushConfigs: "GET /a2a/agents/{agent_id}/v1/tasks/{task_id}/pushNotificationConfigs",
  getAgentPushConfig: "GET /a2a/agents/{agent_id}/v1/tasks/{task_id}/pushNotificationConfigs/{config_id}",
  removeAgentPushConfig: "DELETE /a2a/agents/{agent_id}/v1/tasks/{task_id}/pushNotificationConfigs/{config_id}",
  getExtendedAgentCard: "GET /a2a/agents/{agent_id}/v1/extendedAgentCard",
  getLegacyAgentCard: "GET /a2a/agents/{agent_id}/v1/card",
  readAgentTask: "POST /a2a/agents/{agent_id}/v1/tasks:get json",
  stopAgentTask: "POST /a2a/agents/{agent_id}/v1/tasks:cancel json",
  getTeamCard: "GET /a2a/teams/{team_id}/.well-known/agent-card.json",
  sendToTeam: "POST /a2a/teams/{team_id}/v1/message:send json",
  streamToTeam: "POST /a2a/teams/{team_id}/v1/message:stream json stream",
  callTeam: "POST /a2a/teams/{team_id} json stream",
  callVersionedTeam: "POST /a2a/teams/{team_id}/v1 json stream",
  listTeamTasks: "GET /a2a/teams/{team_id}/v1/tasks",
  getTeamTask: "GET /a2a/teams/{team_id}/v1/tasks/{task_id}",
  cancelTeamTask: "POST /a2a/teams/{team_id}/v1/tasks/{task_id}:cancel json",
  subscribeToTeamTask: "POST /a2a/teams/{team_id}/v1/tasks/{task_id}:subscribe json stream",
  followTeamTask: "GET /a2a/teams/{team_id}/v1/tasks/{task_id}:subscribe  stream",
  createTeamPushConfig: "POST /a2a/teams/{team_id}/v1/tasks/{task_id}/pushNotificationConfigs json",
  listTeamPushConfigs: "GET /a2a/teams/{team_id}/v1/tasks/{task_id}/pushNotificationConfigs",
  getTeamPushConfig: "GET /a2a/teams/{team_id}/v1/tasks/{task_id}/pushNotificationConfigs/{config_id}",
  removeTeamPushConfig: "DELETE /a2a/teams/{team_id}/v1/tasks/{task_id}/pushNotificationConfigs/{config_id}",
  getExtendedTeamCard: "GET /a2a/teams/{team_id}/v1/extendedAgentCard",
  getLegacyTeamCard: "GET /a2a/teams/{team_id}/v1/card",
  readTeamTask: "POST /a2a/teams/{team_id}/v1/tasks:get json",
  stopTeamTask: "POST /a2a/teams/{team_id}/v1/tasks:cancel json",
  getWorkflowCard: "GET /a2a/workflows/{workflow_id}/.well-known/agent-card.json",
  sendToWorkflow: "POST /a2a/workflows/{workflow_id}/v1/message:send json",
  streamToWorkflow: "POST /a2a/workflows/{workflow_id}/v1/message:stream json stream",
  callWorkflow: "POST /a2a/workflows/{workflow_id} json stream",
  callVersionedWorkflow: "POST /a2a/workflows/{workflow_id}/v1 json stream",
  listWorkflowTasks: "GET /a2a/workflows/{workflow_id}/v1/tasks",
  getWorkflowTask: "GET /a2a/workflows/{workflow_id}/v1/tasks/{task_id}",
  cancelWorkflowTask: "POST /a2a/workflows/{workflow_id}/v1/tasks/{task_id}:cancel json",
  subscribeToWorkflowTask: "POST /a2a/workflows/{workflow_id}/v1/tasks/{task_id}:subscribe json stream",
  followWorkflowTask: "GET /a2a/workflows/{workflow_id}/v1/tasks/{task_id}:subscribe  stream",
  createWorkflowPushConfig: "POST /a2a/workflows/{workflow_id}/v1/tasks/{task_id}/pushNotificationConfigs json",
  listWorkflowPushConfigs: "GET /a2a/workflows/{workflow_id}/v1/tasks/{task_id}/pushNotificationConfigs",
  getWorkflowPushConfig: "GET /a2a/workflows/{workflow_id}/v1/tasks/{task_id}/pushNotificationConfigs/{config_id}",
  removeWorkflowPushConfig: "DELETE /a2a/workflows/{workflow_id}/v1/tasks/{task_id}/pushNotificationConfigs/{config_id}",
  getExtendedWorkflowCard: "GET /a2a/workflows/{workflow_id}/v1/extendedAgentCard",
  getLegacyWorkflowCard: "GET /a2a/workflows/{workflow_id}/v1/card",
  sendMessage: "POST /a2a/message/send json",
  streamMessage: "POST /a2a/message/stream json stream",
  verifyWhatsappWebhook: "GET /whatsapp/webhook",
  receiveWhatsappWebhook: "POST /whatsapp/webhook json",
  getWhatsappStatus: "GET /whatsapp/status",
  receiveTelegramWebhook: "POST /telegram/webhook json",
  getTelegramStatus: "GET /telegram/status",
  receiveSlackEvent: "POST /slack/events json",
  receiveSlackInteraction: "POST /slack/interactions form",
  getSlackStatus: "GET /slack/status",
  createWebhookEndpoint: "POST /webhook-endpoints json",
  listWebhookEndpoints: "GET /webhook-endpoints",
  getWebhookEndpoint: "GET /webhook-endpoints/{endpoint_id}",
  updateWebhookEndpoint: "PATCH /webhook-endpoints/{endpoint_id} json",
  removeWebhookEndpoint: "DELETE /webhook-endpoints/{endpoint_id}",
  rotateWebhookSecret: "POST /webhook-endpoints/{endpoint_id}/rotate-secret json",
  testWebhookEndpoint: "POST /webhook-endpoints/{endpoint_id}/test",
  listWebhookDeliveries: "GET /webhook-deliveries",
  getWebhookDelivery: "GET /webhook-deliveries/{delivery_id}",
  redeliverWebhook: "POST /webhook-deliveries/{delivery_id}/redeliver",
  getCallbackSecret: "GET /webhook-callback-secret",
  rotateCallbackSecret: "POST /webhook-callback-secret/rotate json",
  listAudit: "GET /audit",
  verifyAudit: "GET /audit/verify",
} as const;

/** The events of runs and the frames around them, as they are named in streams. */
export const eventNames = "RunStarted RunContinued RunContent RunContentCompleted RunCompleted RunPaused RunError RunCancelled PreHookStarted PreHookCompleted PostHookStarted PostHookCompleted MemoryUpdateStarted MemoryUpdateCompleted SessionSummaryStarted SessionSummaryCompleted SessionStateConflict CustomEvent FollowupsStarted FollowupsCompleted ToolCallStarted ToolCallCompleted ToolCallError CompressionStarted CompressionCompleted CompactionStarted CompactionCompleted ModelRequestStarted ModelRequestCompleted replay catch_up subscribed error TeamRunStarted TeamRunContinued TeamRunContent TeamRunContentCompleted TeamRunCompleted TeamRunPaused TeamRunError TeamRunCancelled TeamPreHookStarted TeamPreHookCompleted TeamPostHookStarted TeamPostHookCompleted TeamMemoryUpdateStarted TeamMemoryUpdateCompleted TeamSessionSummaryStarted TeamSessionSummaryCompleted TeamSessionStateConflict TeamFollowupsStarted TeamFollowupsCompleted TeamToolCallStarted TeamToolCallCompleted TeamToolCallError TeamCompressionStarted TeamCompressionCompleted TeamCompactionStarted TeamCompactionCompleted TeamModelRequestStarted TeamModelRequestCompleted TeamTaskIterationStarted TeamTaskIterationCompleted TeamTaskStateUpdated TeamTaskCreated TeamTaskUpdated WorkflowStarted WorkflowCompleted WorkflowPaused WorkflowCancelled WorkflowError WorkflowSessionStateConflict StepStarted StepCompleted StepOutput StepPaused StepContinued StepExecutorPaused StepExecutorContinued StepOutputReview StepError LoopExecutionStarted LoopIterationStarted LoopIterationCompleted LoopExecutionCompleted ParallelExecutionStarted ParallelExecutionCompleted ConditionExecutionStarted ConditionExecutionCompleted RouterExecutionStarted RouterExecutionCompleted RouterPaused StepsExecutionStarted StepsExecutionCompleted WorkflowRunOutput";

/**
 * What each operation takes, and what it answers. `accepted` is the answer for a run that goes on in the background;
 * `events` is the data of the frames that it can stream.
 */
export type Operations = {
  /** Name the service and where to go on */
  getRoot: { input: {  }; answer: GetRootResponse; };
  /** Check that the service answers */
  getHealth: { input: { query?: { deep?: boolean | undefined; } | undefined; }; answer: GetHealthResponse; };
  /** Describe this instance */
  getInfo: { input: {  }; answer: GetInfoResponse; };
  /** The interface description (OpenAPI 3.1) */
  getOpenApi: { input: {  }; answer: Readonly<Record<string, unknown>>; };
  /** Where a model finds what the service is, and which interfaces are on */
  getLlmsTxt: { input: {  }; answer: string; };
  /** The icon that browsers ask for beside a page */
  getFavicon: { input: {  }; answer: Blob; };
  /** The interface description as a page */
  getDocs: { input: {  }; answer: string; };
  /** Describe what this instance hosts */
  getConfig: { input: {  }; answer: GetConfigResponse; };
  /** Describe the caller's own credential */
  getMe: { input: {  }; answer: GetMeResponse; };
  /** List the models that the agents use */
  listModels: { input: {  }; answer: readonly (GetConfigResponseAvailableModelsItem)[]; };
  /** List what code registered: tools, models, schemas, functions, agents, teams and workflows */
  listRegistry: { input: { query?: { resource_type?: "tool" | "model" | "db" | "vector_db" | "schema" | "function" | "agent" | "team" | "workflow" | "skill" | "knowledge" | "memory_manager" | "session_summary_manager" | "learning" | undefined; name?: string | undefined; limit?: number | undefined; page?: number | undefined; } | undefined; }; answer: ListRegistryResponse; };
  /** List the agents the caller may read */
  listAgents: { input: {  }; answer: readonly (AgentResponse)[]; };
  /** Create a stored agent with its first version */
  createAgent: { input: { query?: { force?: boolean | undefined; } | undefined; body: CreateAgentRequest; }; answer: CheckedComponent; };
  /** Show one agent */
  getAgent: { input: { path: { agent_id: string; }; }; answer: AgentResponse; };
  /** Change a stored agent, as PATCH /components/{component_id} does */
  updateAgent: { input: { path: { agent_id: string; }; query?: { force?: boolean | undefined; } | undefined; body: UpdateComponentRequest; }; answer: CheckedComponent; };
  /** Archive a stored agent */
  removeAgent: { input: { path: { agent_id: string; }; query?: { expected_current_version?: number | undefined; } | undefined; body: RemoveComponentRequest; }; answer: undefined; };
  /** List the teams the caller may read */
  listTeams: { input: {  }; answer: readonly (TeamResponse)[]; };
  /** Create a stored team with its first version */
  createTeam: { input: { query?: { force?: boolean | undefined; } | undefined; body: CreateAgentRequest; }; answer: CheckedComponent; };
  /** Show one team with its members */
  getTeam: { input: { path: { team_id: string; }; }; answer: TeamResponse; };
  /** Change a stored team, as PATCH /components/{component_id} does */
  updateTeam: { input: { path: { team_id: string; }; query?: { force?: boolean | undefined; } | undefined; body: UpdateComponentRequest; }; answer: CheckedComponent; };
  /** Archive a stored team */
  removeTeam: { input: { path: { team_id: string; }; query?: { expected_current_version?: number | undefined; } | undefined; body: RemoveComponentRequest; }; answer: undefined; };
  /** List the workflows the caller may read */
  listWorkflows: { input: {  }; answer: readonly (GetConfigResponseWorkflowsItem)[]; };
  /** Create a stored workflow with its first version */
  createWorkflow: { input: { query?: { force?: boolean | undefined; } | undefined; body: CreateAgentRequest; }; answer: CheckedComponent; };
  /** Show one workflow with its steps */
  getWorkflow: { input: { path: { workflow_id: string; }; query?: { version?: number | undefined; } | undefined; }; answer: GetWorkflowResponse; };
  /** Change a stored workflow, as PATCH /components/{component_id} does */
  updateWorkflow: { input: { path: { workflow_id: string; }; query?: { force?: boolean | undefined; } | undefined; body: UpdateComponentRequest; }; answer: CheckedComponent; };
  /** Archive a stored workflow */
  removeWorkflow: { input: { path: { workflow_id: string; }; query?: { expected_current_version?: number | undefined; } | undefined; body: RemoveComponentRequest; }; answer: undefined; };
  /** List runs over all sessions, the newest first */
  listRuns: { input: { query?: { component_type?: "agent" | "team" | "workflow" | undefined; component_id?: string | undefined; run_id?: string | undefined; user_id?: string | undefined; status?: readonly ("PENDING" | "RUNNING" | "COMPLETED" | "PAUSED" | "CANCELLED" | "ERROR" | "REGENERATED")[] | undefined; created_after?: number | undefined; created_before?: number | undefined; error_contains?: string | undefined; q?: string | undefined; version?: number | undefined; tool?: string | undefined; cost_min?: number | undefined; duration_min?: number | undefined; feedback?: string | undefined; verdict?: "passed" | "not_passed" | undefined; limit?: number | undefined; cursor?: string | undefined; } | undefined; }; answer: ListRunsResponse; };
  /** Cancel many live runs, those in the foreground too */
  cancelRuns: { input: { body: CancelRunsRequest; }; answer: CancelRunsResponse; };
  /** Run an agent: wait for the answer, stream it, or queue it */
  createAgentRun: { input: { path: { agent_id: string; }; body: { message: string; stream?: boolean | undefined; background?: boolean | undefined; session_id?: string | undefined; session_policy?: "parallel" | "queue" | "reject" | "interrupt" | "steer" | undefined; user_id?: string | undefined; version?: number | undefined; draft_config?: Readonly<Record<string, unknown>> | string | undefined; factory_input?: Readonly<Record<string, unknown>> | string | undefined; session_state?: Readonly<Record<string, unknown>> | string | undefined; dependencies?: Readonly<Record<string, unknown>> | string | undefined; metadata?: Readonly<Record<string, unknown>> | string | undefined; output_schema?: Readonly<Record<string, unknown>> | string | undefined; use_json_schema?: string | undefined; knowledge_filters?: unknown | undefined; files?: readonly (Blob)[] | undefined; files_metadata?: readonly (Readonly<Record<string, unknown>>)[] | string | undefined; images?: readonly (CreateAgentRunRequestImagesItem)[] | string | undefined; audio?: readonly (CreateAgentRunRequestImagesItem)[] | string | undefined; videos?: readonly (CreateAgentRunRequestImagesItem)[] | string | undefined; input_files?: readonly (CreateAgentRunRequestImagesItem)[] | string | undefined; callback_url?: string | undefined; callback_events?: string | undefined; callback_content?: boolean | undefined; task_token?: string | undefined; feedback_keys?: string | undefined; stream_events?: boolean | undefined; }; }; answer: RunOutput; accepted: AcceptedRun; events: AgentRunEvent; };
  /** List the runs of one session */
  listAgentRuns: { input: { path: { agent_id: string; }; query: { session_id: string; status?: string | undefined; }; }; answer: readonly (AgentRunRow)[]; };
  /** Continue a run: answer a paused one, resume a failed one, go on from a completed one */
  continueAgentRun: { input: { path: { agent_id: string; run_id: string; }; body?: { tools?: readonly (ContinueAgentRunRequestToolsItem)[] | string | undefined; requirements?: readonly (ContinueAgentRunRequestRequirementsItem)[] | string | undefined; step_requirements?: readonly (ContinueAgentRunRequestStepRequirementsItem)[] | string | undefined; session_id?: string | undefined; user_id?: string | undefined; stream?: boolean | undefined; background?: boolean | undefined; stream_events?: boolean | undefined; input?: string | undefined; continue_from?: string | undefined; fork?: boolean | undefined; regenerate?: boolean | undefined; replace_original?: boolean | undefined; additional_instructions?: string | undefined; } | undefined; }; answer: RunOutput; accepted: AcceptedRun; events: AgentRunEvent; };
  /** Follow a run's events again from where a connection broke off */
  resumeAgentRun: { input: { path: { agent_id: string; run_id: string; }; body?: { last_event_index?: number | undefined; session_id?: string | undefined; } | undefined; }; answer: undefined; events: AgentRunEvent; };
  /** List the places from which a run may be resumed */
  listAgentCheckpoints: { input: { path: { agent_id: string; run_id: string; }; query: { session_id: string; }; }; answer: ListAgentCheckpointsResponse; };
  /** Show a run as it was after so many messages */
  getAgentCheckpoint: { input: { path: { agent_id: string; run_id: string; message_index: string; }; query: { session_id: string; }; }; answer: GetAgentCheckpointResponse; };
  /** Copy a session's finished runs into a new session */
  forkAgentSession: { input: { path: { agent_id: string; session_id: string; }; }; answer: ForkAgentSessionResponse; };
  /** Fold a session's older history into a summary for the model */
  compactAgentSession: { input: { path: { agent_id: string; session_id: string; }; }; answer: CompactAgentSessionResponse; };
  /** Stop a run: at once while it waits, at its next checkpoint while it is executed */
  cancelAgentRun: { input: { path: { agent_id: string; run_id: string; }; query?: { session_id?: string | undefined; } | undefined; }; answer: Record<string, never>; };
  /** Poll one run */
  getAgentRun: { input: { path: { agent_id: string; run_id: string; }; query: { session_id: string; }; }; answer: RunOutput; };
  /** Say something to a run that has begun */
  sendAgentMessage: { input: { path: { agent_id: string; run_id: string; }; body: { message: string; session_id?: string | undefined; message_id?: string | undefined; step_id?: string | undefined; if_ended?: "run" | "reject" | undefined; files?: readonly (Blob)[] | undefined; files_metadata?: readonly (Readonly<Record<string, unknown>>)[] | string | undefined; }; }; answer: SendAgentMessageResponse; };
  /** List what was said to a run since it began, and what became of it */
  listAgentMessages: { input: { path: { agent_id: string; run_id: string; }; query: { session_id: string; }; }; answer: ListAgentMessagesResponse; };
  /** Take back a message that its run has not taken */
  withdrawAgentMessage: { input: { path: { agent_id: string; run_id: string; message_id: string; }; query: { session_id: string; }; }; answer: undefined; };
  /** Run a team: wait for the answer, stream it, or queue it */
  createTeamRun: { input: { path: { team_id: string; }; body: { message: string; stream?: boolean | undefined; background?: boolean | undefined; session_id?: string | undefined; session_policy?: "parallel" | "queue" | "reject" | "interrupt" | "steer" | undefined; user_id?: string | undefined; version?: number | undefined; draft_config?: Readonly<Record<string, unknown>> | string | undefined; factory_input?: Readonly<Record<string, unknown>> | string | undefined; session_state?: Readonly<Record<string, unknown>> | string | undefined; dependencies?: Readonly<Record<string, unknown>> | string | undefined; metadata?: Readonly<Record<string, unknown>> | string | undefined; output_schema?: Readonly<Record<string, unknown>> | string | undefined; use_json_schema?: string | undefined; knowledge_filters?: unknown | undefined; files?: readonly (Blob)[] | undefined; files_metadata?: readonly (Readonly<Record<string, unknown>>)[] | string | undefined; images?: readonly (CreateAgentRunRequestImagesItem)[] | string | undefined; audio?: readonly (CreateAgentRunRequestImagesItem)[] | string | undefined; videos?: readonly (CreateAgentRunRequestImagesItem)[] | string | undefined; input_files?: readonly (CreateAgentRunRequestImagesItem)[] | string | undefined; callback_url?: string | undefined; callback_events?: string | undefined; callback_content?: boolean | undefined; task_token?: string | undefined; feedback_keys?: string | undefined; stream_events?: boolean | undefined; }; }; answer: RunOutput; accepted: AcceptedRun; events: TeamRunEvent; };
  /** List the runs of one session */
  listTeamRuns: { input: { path: { team_id: string; }; query: { session_id: string; status?: string | undefined; }; }; answer: readonly (TeamRunRow)[]; };
  /** Continue a run: answer a paused one, resume a failed one, go on from a completed one */
  continueTeamRun: { input: { path: { team_id: string; run_id: string; }; body?: { tools?: readonly (ContinueAgentRunRequestToolsItem)[] | string | undefined; requirements?: readonly (ContinueAgentRunRequestRequirementsItem)[] | string | undefined; step_requirements?: readonly (ContinueAgentRunRequestStepRequirementsItem)[] | string | undefined; session_id?: string | undefined; user_id?: string | undefined; stream?: boolean | undefined; background?: boolean | undefined; stream_events?: boolean | undefined; input?: string | undefined; continue_from?: string | undefined; fork?: boolean | undefined; regenerate?: boolean | undefined; replace_original?: boolean | undefined; additional_instructions?: string | undefined; } | undefined; }; answer: RunOutput; accepted: AcceptedRun; events: TeamRunEvent; };
  /** Follow a run's events again from where a connection broke off */
  resumeTeamRun: { input: { path: { team_id: string; run_id: string; }; body?: { last_event_index?: number | undefined; session_id?: string | undefined; } | undefined; }; answer: undefined; events: TeamRunEvent; };
  /** List the places from which a run may be resumed */
  listTeamCheckpoints: { input: { path: { team_id: string; run_id: string; }; query: { session_id: string; }; }; answer: ListAgentCheckpointsResponse; };
  /** Show a run as it was after so many messages */
  getTeamCheckpoint: { input: { path: { team_id: string; run_id: string; message_index: string; }; query: { session_id: string; }; }; answer: GetAgentCheckpointResponse; };
  /** Copy a session's finished runs into a new session */
  forkTeamSession: { input: { path: { team_id: string; session_id: string; }; }; answer: ForkAgentSessionResponse; };
  /** Stop a run: at once while it waits, at its next checkpoint while it is executed */
  cancelTeamRun: { input: { path: { team_id: string; run_id: string; }; query?: { session_id?: string | undefined; } | undefined; }; answer: Record<string, never>; };
  /** Poll one run */
  getTeamRun: { input: { path: { team_id: string; run_id: string; }; query: { session_id: string; }; }; answer: RunOutput; };
  /** Say something to a run that has begun */
  sendTeamMessage: { input: { path: { team_id: string; run_id: string; }; body: { message: string; session_id?: string | undefined; message_id?: string | undefined; step_id?: string | undefined; if_ended?: "run" | "reject" | undefined; files?: readonly (Blob)[] | undefined; files_metadata?: readonly (Readonly<Record<string, unknown>>)[] | string | undefined; }; }; answer: SendAgentMessageResponse; };
  /** List what was said to a run since it began, and what became of it */
  listTeamMessages: { input: { path: { team_id: string; run_id: string; }; query: { session_id: string; }; }; answer: ListAgentMessagesResponse; };
  /** Take back a message that its run has not taken */
  withdrawTeamMessage: { input: { path: { team_id: string; run_id: string; message_id: string; }; query: { session_id: string; }; }; answer: undefined; };
  /** Run a workflow: wait for the answer, stream it, or queue it */
  createWorkflowRun: { input: { path: { workflow_id: string; }; body: { message: string; stream?: boolean | undefined; background?: boolean | undefined; session_id?: string | undefined; session_policy?: "parallel" | "queue" | "reject" | "interrupt" | "steer" | undefined; user_id?: string | undefined; version?: number | undefined; draft_config?: Readonly<Record<string, unknown>> | string | undefined; factory_input?: Readonly<Record<string, unknown>> | string | undefined; session_state?: Readonly<Record<string, unknown>> | string | undefined; dependencies?: Readonly<Record<string, unknown>> | string | undefined; metadata?: Readonly<Record<string, unknown>> | string | undefined; output_schema?: Readonly<Record<string, unknown>> | string | undefined; use_json_schema?: string | undefined; knowledge_filters?: unknown | undefined; files?: readonly (Blob)[] | undefined; files_metadata?: readonly (Readonly<Record<string, unknown>>)[] | string | undefined; images?: readonly (CreateAgentRunRequestImagesItem)[] | string | undefined; audio?: readonly (CreateAgentRunRequestImagesItem)[] | string | undefined; videos?: readonly (CreateAgentRunRequestImagesItem)[] | string | undefined; input_files?: readonly (CreateAgentRunRequestImagesItem)[] | string | undefined; callback_url?: string | undefined; callback_events?: string | undefined; callback_content?: boolean | undefined; task_token?: string | undefined; feedback_keys?: string | undefined; stream_events?: boolean | undefined; }; }; answer: WorkflowRunOutput; accepted: AcceptedRun; events: WorkflowRunEvent; };
  /** List the runs of one session */
  listWorkflowRuns: { input: { path: { workflow_id: string; }; query: { session_id: string; status?: string | undefined; }; }; answer: readonly (WorkflowRunRow)[]; };
  /** Continue a paused run with the answers it waits for */
  continueWorkflowRun: { input: { path: { workflow_id: string; run_id: string; }; body?: { tools?: readonly (ContinueAgentRunRequestToolsItem)[] | string | undefined; requirements?: readonly (ContinueAgentRunRequestRequirementsItem)[] | string | undefined; step_requirements?: readonly (ContinueAgentRunRequestStepRequirementsItem)[] | string | undefined; session_id?: string | undefined; user_id?: string | undefined; stream?: boolean | undefined; background?: boolean | undefined; stream_events?: boolean | undefined; input?: string | undefined; continue_from?: string | undefined; fork?: boolean | undefined; regenerate?: boolean | undefined; replace_original?: boolean | undefined; additional_instructions?: string | undefined; } | undefined; }; answer: WorkflowRunOutput; accepted: AcceptedRun; events: WorkflowRunEvent; };
  /** Follow a run's events again from where a connection broke off */
  resumeWorkflowRun: { input: { path: { workflow_id: string; run_id: string; }; body?: { last_event_index?: number | undefined; session_id?: string | undefined; } | undefined; }; answer: undefined; events: WorkflowRunEvent; };
  /** Stop a run: at once while it waits, at its next checkpoint while it is executed */
  cancelWorkflowRun: { input: { path: { workflow_id: string; run_id: string; }; query?: { session_id?: string | undefined; } | undefined; }; answer: Record<string, never>; };
  /** Poll one run */
  getWorkflowRun: { input: { path: { workflow_id: string; run_id: string; }; query: { session_id: string; }; }; answer: WorkflowRunOutput; };
  /** Say something to a run that has begun */
  sendWorkflowMessage: { input: { path: { workflow_id: string; run_id: string; }; body: { message: string; session_id?: string | undefined; message_id?: string | undefined; step_id?: string | undefined; if_ended?: "run" | "reject" | undefined; files?: readonly (Blob)[] | undefined; files_metadata?: readonly (Readonly<Record<string, unknown>>)[] | string | undefined; }; }; answer: SendAgentMessageResponse; };
  /** List what was said to a run since it began, and what became of it */
  listWorkflowMessages: { input: { path: { workflow_id: string; run_id: string; }; query: { session_id: string; }; }; answer: ListAgentMessagesResponse; };
  /** Take back a message that its run has not taken */
  withdrawWorkflowMessage: { input: { path: { workflow_id: string; run_id: string; message_id: string; }; query: { session_id: string; }; }; answer: undefined; };
  /** Approve or reject; with continue=true the run goes on by that */
  resolveApproval: { input: { path: { approval_id: string; }; body: ResolveApprovalRequest; }; answer: ResolveApprovalResponse; };
  /** Run the component that answers AG-UI in this deployment */
  runAgui: { input: { body: RunAguiRequest; }; answer: undefined; events: AguiEvent; };
  /** Check that AG-UI is served */
  getAguiStatus: { input: {  }; answer: GetAguiStatusResponse; };
  /** Run the agent for a front end that speaks AG-UI */
  runAgentAgui: { input: { path: { agent_id: string; }; body: RunAguiRequest; }; answer: undefined; events: AguiEvent; };
  /** Run the team for a front end that speaks AG-UI */
  runTeamAgui: { input: { path: { team_id: string; }; body: RunAguiRequest; }; answer: undefined; events: AguiEvent; };
  /** Run the workflow for a front end that speaks AG-UI */
  runWorkflowAgui: { input: { path: { workflow_id: string; }; body: RunAguiRequest; }; answer: undefined; events: AguiEvent; };
  /** List the components that the caller may run, as OpenAI's clients list models */
  listOpenaiModels: { input: {  }; answer: ListOpenaiModelsResponse; };
  /** Show one component as a model */
  getOpenaiModel: { input: { path: { model: string; }; }; answer: ListOpenaiModelsResponseDataItem; };
  /** Run a component for a client of OpenAI's chat completions */
  createChatCompletion: { input: { body: CreateChatCompletionRequest; }; answer: CreateChatCompletionResponse; events: ChatCompletionChunk; };
  /** Run a component for a client of OpenAI's responses */
  createOpenaiResponse: { input: { body: CreateOpenaiResponseRequest; }; answer: CreateOpenaiResponseResponse; events: ResponseStreamEvent; };
  /** Show a response as it is by now, or follow its events */
  getOpenaiResponse: { input: { path: { response_id: string; }; query?: { stream?: boolean | undefined; starting_after?: number | undefined; } | undefined; }; answer: CreateOpenaiResponseResponse; events: ResponseStreamEvent; };
  /** Delete a response with its session */
  removeOpenaiResponse: { input: { path: { response_id: string; }; }; answer: RemoveOpenaiResponseResponse; };
  /** Cancel the run of a response */
  cancelOpenaiResponse: { input: { path: { response_id: string; }; }; answer: CreateOpenaiResponseResponse; };
  /** List what a response was asked */
  listOpenaiInputItems: { input: { path: { response_id: string; }; query?: { limit?: number | undefined; order?: "asc" | "desc" | undefined; after?: string | undefined; } | undefined; }; answer: ListOpenaiInputItemsResponse; };
  /** Run the agent for a front end with the AI SDK's useChat */
  runAgentChat: { input: { path: { agent_id: string; }; body: RunAgentChatRequest; }; answer: undefined; events: UiMessageChunk; };
  /** Show a chat as the messages that useChat begins with */
  getAgentChat: { input: { path: { agent_id: string; chat_id: string; }; }; answer: readonly (UiMessage)[]; };
  /** Follow the live run of a chat, from its first event; 204 where none is live */
  followAgentChat: { input: { path: { agent_id: string; chat_id: string; }; }; answer: undefined; events: UiMessageChunk; };
  /** Cancel the live runs of a chat */
  stopAgentChat: { input: { path: { agent_id: string; chat_id: string; }; }; answer: Record<string, never>; };
  /** Run the team for a front end with the AI SDK's useChat */
  runTeamChat: { input: { path: { team_id: string; }; body: RunAgentChatRequest; }; answer: undefined; events: UiMessageChunk; };
  /** Show a chat as the messages that useChat begins with */
  getTeamChat: { input: { path: { team_id: string; chat_id: string; }; }; answer: readonly (UiMessage)[]; };
  /** Follow the live run of a chat, from its first event; 204 where none is live */
  followTeamChat: { input: { path: { team_id: string; chat_id: string; }; }; answer: undefined; events: UiMessageChunk; };
  /** Cancel the live runs of a chat */
  stopTeamChat: { input: { path: { team_id: string; chat_id: string; }; }; answer: Record<string, never>; };
  /** Run the workflow for a front end with the AI SDK's useChat */
  runWorkflowChat: { input: { path: { workflow_id: string; }; body: RunAgentChatRequest; }; answer: undefined; events: UiMessageChunk; };
  /** Show a chat as the messages that useChat begins with */
  getWorkflowChat: { input: { path: { workflow_id: string; chat_id: string; }; }; answer: readonly (UiMessage)[]; };
  /** Follow the live run of a chat, from its first event; 204 where none is live */
  followWorkflowChat: { input: { path: { workflow_id: string; chat_id: string; }; }; answer: undefined; events: UiMessageChunk; };
  /** Cancel the live runs of a chat */
  stopWorkflowChat: { input: { path: { workflow_id: string; chat_id: string; }; }; answer: Record<string, never>; };
  /** Call the MCP server */
  callMcp: { input: { body: McpMessage; }; answer: McpAnswer; events: McpAnswer; };
  /** Say what the MCP server is called and where it is; its tools depend on the credential */
  getMcpServerCard: { input: {  }; answer: Blob; };
  /** Lead to the card of the MCP server, for clients that know the host alone */
  getAiCatalog: { input: {  }; answer: Blob; };
  /** Lead to the card of the MCP server, for clients that know the host alone */
  getMcpCatalog: { input: {  }; answer: Blob; };
  /** Name the issuers whose tokens the MCP server accepts */
  getMcpResource: { input: {  }; answer: GetMcpResourceResponse; };
  /** Name the issuers whose tokens the MCP server accepts */
  getMcpResourceOfPath: { input: {  }; answer: GetMcpResourceResponse; };
  /** List queue jobs; status=failed is the dead-letter list */
  listJobs: { input: { query?: { status?: readonly ("queued" | "running" | "paused" | "completed" | "failed" | "cancelled")[] | undefined; session_id?: readonly (string)[] | undefined; user_id?: string | undefined; component_id?: string | undefined; created_after?: number | undefined; created_before?: number | undefined; error_contains?: string | undefined; limit?: number | undefined; page?: number | undefined; sort_by?: string | undefined; sort_order?: "asc" | "desc" | undefined; } | undefined; }; answer: ListJobsResponse; };
  /** Show one queue job */
  getJob: { input: { path: { job_id: string; }; }; answer: QueueJob; };
  /** Count jobs by status; show what queued ones wait for, how long the oldest has, and whose they are */
  getQueueStats: { input: {  }; answer: QueueStats; };
  /** Show the platform's own log lines of a run, the oldest first */
  getRunLog: { input: { path: { run_id: string; }; query?: { after?: number | undefined; before?: number | undefined; limit?: number | undefined; cursor?: string | undefined; } | undefined; }; answer: GetRunLogResponse; };
  /** Run a failed or cancelled job once more */
  requeueJob: { input: { path: { job_id: string; }; query?: { clear_cancellation?: boolean | undefined; force?: boolean | undefined; } | undefined; }; answer: QueueJob; };
  /** Cancel many waiting, running or paused jobs, the oldest first */
  cancelJobs: { input: { body: CancelJobsRequest; }; answer: CancelRunsResponse; };
  /** Run many failed or cancelled jobs once more, the oldest first */
  requeueJobs: { input: { body: RequeueJobsRequest; }; answer: RequeueJobsResponse; };
  /** Mint a service account; its token is shown this once */
  mintServiceAccount: { input: { body: MintServiceAccountRequest; }; answer: MintServiceAccountResponse; };
  /** List service accounts: the caller's own and those without an owner; an admin sees all */
  listServiceAccounts: { input: { query?: { include_revoked?: boolean | undefined; limit?: number | undefined; page?: number | undefined; sort_by?: string | undefined; sort_order?: string | undefined; } | undefined; }; answer: ListServiceAccountsResponse; };
  /** Revoke a service account for good, with all that it has minted; its schedules are disabled, and its owner may mint the name again */
  revokeServiceAccount: { input: { path: { account_id: string; }; }; answer: RevokeServiceAccountResponse; };
  /** Describe the authorization server for clients of the MCP server */
  getOauthServer: { input: {  }; answer: GetOauthServerResponse; };
  /** Send a user to the page that asks whether a client is let in */
  authorizeApp: { input: { query?: { response_type?: string | undefined; client_id?: string | undefined; redirect_uri?: string | undefined; scope?: string | undefined; state?: string | undefined; code_challenge?: string | undefined; code_challenge_method?: string | undefined; resource?: string | undefined; } | undefined; }; answer: undefined; };
  /** Say which client asks the user, and for what */
  describeConsent: { input: { query?: { response_type?: string | undefined; client_id?: string | undefined; redirect_uri?: string | undefined; scope?: string | undefined; state?: string | undefined; code_challenge?: string | undefined; code_challenge_method?: string | undefined; resource?: string | undefined; } | undefined; }; answer: DescribeConsentResponse; };
  /** Let a client in, or do not, and say where the browser goes on */
  decideConsent: { input: { body: DecideConsentRequest; }; answer: DecideConsentResponse; };
  /** Give tokens for a code, or for a refresh token */
  issueOauthToken: { input: {  }; answer: IssueOauthTokenResponse; };
  /** End what a token belongs to; an unknown token is answered the same */
  revokeOauthToken: { input: {  }; answer: undefined; };
  /** Register a client, which is forgotten after an hour unless a user lets it in */
  registerOauthClient: { input: { body: RegisterOauthClientRequest; }; answer: RegisterOauthClientResponse; };
  /** List the apps that a user has connected */
  listConnectedApps: { input: { query?: { user_id?: string | undefined; } | undefined; }; answer: ListConnectedAppsResponse; };
  /** Disconnect an app: its tokens are refused from then on */
  removeConnectedApp: { input: { path: { app_id: string; }; }; answer: undefined; };
  /** List approvals, the newest first */
  listApprovals: { input: { query?: { status?: "pending" | "approved" | "rejected" | "expired" | "cancelled" | undefined; approval_type?: "required" | "audit" | undefined; source_type?: string | undefined; pause_type?: string | undefined; agent_id?: string | undefined; team_id?: string | undefined; workflow_id?: string | undefined; user_id?: string | undefined; schedule_id?: string | undefined; run_id?: string | undefined; limit?: number | undefined; page?: number | undefined; } | undefined; }; answer: ListApprovalsResponse; };
  /** Count the approvals that are pending */
  countApprovals: { input: { query?: { user_id?: string | undefined; } | undefined; }; answer: CountApprovalsResponse; };
  /** Show one approval */
  getApproval: { input: { path: { approval_id: string; }; }; answer: Approval; };
  /** Delete one approval */
  removeApproval: { input: { path: { approval_id: string; }; }; answer: undefined; };
  /** Read whether an approval was given */
  getApprovalStatus: { input: { path: { approval_id: string; }; }; answer: GetApprovalStatusResponse; };
  /** List sessions, the newest first */
  listSessions: { input: { query?: { type?: "agent" | "team" | "workflow" | undefined; user_id?: string | undefined; db_id?: string | undefined; table?: string | undefined; component_id?: string | undefined; session_name?: string | undefined; limit?: number | undefined; page?: number | undefined; sort_by?: string | undefined; sort_order?: "asc" | "desc" | undefined; } | undefined; }; answer: ListSessionsResponse; };
  /** Create a session before its first run */
  createSession: { input: { query?: { type?: "agent" | "team" | "workflow" | undefined; user_id?: string | undefined; db_id?: string | undefined; table?: string | undefined; } | undefined; body: CreateSessionRequest; }; answer: SessionDetail; };
  /** Delete several sessions with all that belongs to them */
  removeSessions: { input: { query?: { user_id?: string | undefined; db_id?: string | undefined; table?: string | undefined; } | undefined; body: RemoveSessionsRequest; }; answer: undefined; };
  /** Show one session with its conversation */
  getSession: { input: { path: { session_id: string; }; query?: { type?: "agent" | "team" | "workflow" | undefined; user_id?: string | undefined; db_id?: string | undefined; table?: string | undefined; history_runs?: number | undefined; } | undefined; }; answer: SessionDetail; };
  /** Change name, state, metadata or summary; each is replaced whole */
  updateSession: { input: { path: { session_id: string; }; query?: { type?: "agent" | "team" | "workflow" | undefined; user_id?: string | undefined; db_id?: string | undefined; table?: string | undefined; } | undefined; body: UpdateSessionRequest; }; answer: SessionDetail; };
  /** Delete a session with its runs, events and files */
  removeSession: { input: { path: { session_id: string; }; query?: { user_id?: string | undefined; db_id?: string | undefined; table?: string | undefined; } | undefined; }; answer: undefined; };
  /** Name a session, or have the model name it */
  renameSession: { input: { path: { session_id: string; }; query?: { type?: "agent" | "team" | "workflow" | undefined; user_id?: string | undefined; db_id?: string | undefined; table?: string | undefined; } | undefined; body: RenameSessionRequest; }; answer: SessionDetail; };
  /** List the runs of a session, the oldest first */
  listSessionRuns: { input: { path: { session_id: string; }; query?: { type?: "agent" | "team" | "workflow" | undefined; user_id?: string | undefined; db_id?: string | undefined; table?: string | undefined; status?: readonly ("PENDING" | "RUNNING" | "COMPLETED" | "PAUSED" | "CANCELLED" | "ERROR" | "REGENERATED")[] | undefined; created_after?: number | undefined; created_before?: number | undefined; before_run_id?: string | undefined; limit?: number | undefined; } | undefined; }; answer: readonly (ListSessionRunsResponseItem)[]; };
  /** List the runs of a session with the beginning of input and answer, the oldest first */
  listRunPreviews: { input: { path: { session_id: string; }; query?: { type?: "agent" | "team" | "workflow" | undefined; user_id?: string | undefined; db_id?: string | undefined; table?: string | undefined; status?: readonly ("PENDING" | "RUNNING" | "COMPLETED" | "PAUSED" | "CANCELLED" | "ERROR" | "REGENERATED")[] | undefined; created_after?: number | undefined; created_before?: number | undefined; before_run_id?: string | undefined; limit?: number | undefined; } | undefined; }; answer: readonly (ListRunPreviewsResponseItem)[]; };
  /** Give a stored file of a session's runs, or the address at which it is */
  getSessionMedium: { input: { path: { session_id: string; key: string; }; query?: { type?: "agent" | "team" | "workflow" | undefined; user_id?: string | undefined; db_id?: string | undefined; table?: string | undefined; redirect?: boolean | undefined; } | undefined; }; answer: Blob | string; };
  /** Show one run of a session */
  getSessionRun: { input: { path: { session_id: string; run_id: string; }; query?: { type?: "agent" | "team" | "workflow" | undefined; user_id?: string | undefined; db_id?: string | undefined; table?: string | undefined; } | undefined; }; answer: ListSessionRunsResponseItem; };
  /** Add a file, a text, an address or a finished upload; it is processed in the background */
  addContent: { input: { query?: { knowledge_id?: string | undefined; db_id?: string | undefined; } | undefined; body?: { file?: Blob | undefined; text_content?: string | undefined; url?: string | undefined; sitemap?: boolean | undefined; depth?: number | undefined; max_pages?: number | undefined; upload_id?: string | undefined; name?: string | undefined; description?: string | undefined; metadata?: Readonly<Record<string, unknown>> | string | undefined; reader_id?: string | undefined; chunker?: string | undefined; chunk_size?: number | undefined; chunk_overlap?: number | undefined; } | undefined; }; answer: Content; };
  /** List the contents of a base, the newest first */
  listContent: { input: { query?: { knowledge_id?: string | undefined; db_id?: string | undefined; limit?: number | undefined; page?: number | undefined; sort_by?: string | undefined; sort_order?: "asc" | "desc" | undefined; } | undefined; }; answer: ListContentResponse; };
  /** Delete every content of a base that the caller owns, or all of them for an admin */
  removeAllContent: { input: { query?: { knowledge_id?: string | undefined; db_id?: string | undefined; } | undefined; }; answer: "success"; };
  /** Add an object or a folder of a configured source */
  addRemoteContent: { input: { query?: { knowledge_id?: string | undefined; db_id?: string | undefined; } | undefined; body: { config_id: string; path: string; source_params?: AddRemoteContentRequestSourceParams | string | undefined; name?: string | undefined; description?: string | undefined; metadata?: Readonly<Record<string, unknown>> | string | undefined; reader_id?: string | undefined; chunker?: string | undefined; chunk_size?: number | undefined; chunk_overlap?: number | undefined; }; }; answer: Content; };
  /** Get an address that a large file can be sent to */
  createUploadUrl: { input: { query?: { knowledge_id?: string | undefined; db_id?: string | undefined; } | undefined; body: CreateUploadUrlRequest; }; answer: CreateUploadUrlResponse; };
  /** Show one content */
  getContent: { input: { path: { content_id: string; }; query?: { knowledge_id?: string | undefined; db_id?: string | undefined; } | undefined; }; answer: Content; };
  /** Change name, description or metadata; metadata is merged */
  updateContent: { input: { path: { content_id: string; }; query?: { knowledge_id?: string | undefined; db_id?: string | undefined; } | undefined; body?: { name?: string | undefined; description?: string | undefined; metadata?: Readonly<Record<string, unknown>> | string | undefined; reader_id?: string | undefined; } | undefined; }; answer: Content; };
  /** Delete one content with its chunks */
  removeContent: { input: { path: { content_id: string; }; query?: { knowledge_id?: string | undefined; db_id?: string | undefined; } | undefined; }; answer: CreateOpenaiResponseResponseConversation; };
  /** Read the processing status of a content */
  getContentStatus: { input: { path: { content_id: string; }; query?: { knowledge_id?: string | undefined; db_id?: string | undefined; } | undefined; }; answer: GetContentStatusResponse; };
  /** Fetch a content again from its address or its source */
  refreshContent: { input: { path: { content_id: string; }; query?: { knowledge_id?: string | undefined; db_id?: string | undefined; } | undefined; }; answer: Content; };
  /** Describe readers, chunkers, filters, the vector store and the sources of a base */
  getKnowledgeConfig: { input: { query?: { knowledge_id?: string | undefined; db_id?: string | undefined; } | undefined; }; answer: GetKnowledgeConfigResponse; };
  /** List the sources of a base */
  listKnowledgeSources: { input: { path: { knowledge_id: string; }; query?: { db_id?: string | undefined; } | undefined; }; answer: readonly (GetKnowledgeConfigResponseRemoteContentSourcesItem)[]; };
  /** List files and folders of a source */
  listSourceFiles: { input: { path: { knowledge_id: string; source_id: string; }; query?: { prefix?: string | undefined; limit?: number | undefined; page?: number | undefined; delimiter?: string | undefined; db_id?: string | undefined; } | undefined; }; answer: ListSourceFilesResponse; };
  /** Search a base */
  searchKnowledge: { input: { body: SearchKnowledgeRequest; }; answer: SearchKnowledgeResponse; };
  /** List stored agents, teams, workflows and skills, the newest first */
  listComponents: { input: { query?: { component_type?: "agent" | "team" | "workflow" | "skill" | undefined; include_deleted?: boolean | undefined; limit?: number | undefined; page?: number | undefined; } | undefined; }; answer: ListComponentsResponse; };
  /** Create a component with its first version */
  createComponent: { input: { query?: { force?: boolean | undefined; } | undefined; body: CreateComponentRequest; }; answer: CheckedComponent; };
  /** Show one component */
  getComponent: { input: { path: { component_id: string; }; query?: { include_deleted?: boolean | undefined; } | undefined; }; answer: CheckedComponent; };
  /** Change a component's name, description or metadata, or which version is live */
  updateComponent: { input: { path: { component_id: string; }; query?: { force?: boolean | undefined; } | undefined; body: UpdateComponentRequest; }; answer: CheckedComponent; };
  /** Archive a component; its versions and its id are kept */
  removeComponent: { input: { path: { component_id: string; }; query?: { expected_current_version?: number | undefined; } | undefined; body: RemoveComponentRequest; }; answer: undefined; };
  /** Bring an archived component back */
  restoreComponent: { input: { path: { component_id: string; }; }; answer: Component; };
  /** List the versions of a component, the highest first */
  listConfigVersions: { input: { path: { component_id: string; }; query?: { include_config?: boolean | undefined; } | undefined; }; answer: readonly (ConfigVersion)[]; };
  /** Add a version, as a draft or published at once */
  createConfigVersion: { input: { path: { component_id: string; }; query?: { force?: boolean | undefined; } | undefined; body: CreateConfigVersionRequest; }; answer: CheckedVersion; };
  /** Show the live version; of a component that was never published, the newest draft */
  getCurrentConfigVersion: { input: { path: { component_id: string; }; }; answer: CheckedVersion; };
  /** Show one version */
  getConfigVersion: { input: { path: { component_id: string; version: number; }; }; answer: CheckedVersion; };
  /** Change a draft, or publish it */
  updateConfigVersion: { input: { path: { component_id: string; version: number; }; query?: { force?: boolean | undefined; } | undefined; body: UpdateConfigVersionRequest; }; answer: CheckedVersion; };
  /** Delete a draft; its number is not used again */
  removeConfigVersion: { input: { path: { component_id: string; version: number; }; }; answer: undefined; };
  /** Make a published version the live one */
  setCurrentConfigVersion: { input: { path: { component_id: string; version: number; }; query?: { force?: boolean | undefined; } | undefined; body: RemoveComponentRequest; }; answer: CheckedComponent; };
  /** Say everything that is wrong with a version, as publishing it would find it */
  checkConfigVersion: { input: { path: { component_id: string; version: number; }; }; answer: ConfigCheck; };
  /** List the stored skills the caller may read, the newest first */
  listSkills: { input: {  }; answer: readonly (ListSkillsResponseItem)[]; };
  /** Create a stored skill with its first version */
  createSkill: { input: { query?: { force?: boolean | undefined; } | undefined; body: CreateAgentRequest; }; answer: CheckedComponent; };
  /** Show one stored skill and the names of its files */
  getSkill: { input: { path: { skill_id: string; }; }; answer: ListSkillsResponseItem; };
  /** Change a stored skill, as PATCH /components/{component_id} does */
  updateSkill: { input: { path: { skill_id: string; }; query?: { force?: boolean | undefined; } | undefined; body: UpdateComponentRequest; }; answer: CheckedComponent; };
  /** Archive a stored skill */
  removeSkill: { input: { path: { skill_id: string; }; query?: { expected_current_version?: number | undefined; } | undefined; body: RemoveComponentRequest; }; answer: undefined; };
  /** Show which version a database is at, and how its migration stands */
  getDatabase: { input: { path: { db_id: string; }; }; answer: Database; };
  /** Migrate every database to a version, the newest one when none is given */
  migrateAllDatabases: { input: { query?: { target_version?: string | null | undefined; } | undefined; body: MigrateAllDatabasesRequest | null; }; answer: MigrateAllDatabasesResponse; };
  /** Migrate a database to a version, the newest one when none is given */
  migrateDatabase: { input: { path: { db_id: string; }; query?: { target_version?: string | null | undefined; } | undefined; body: MigrateAllDatabasesRequest | null; }; answer: MigrateDatabaseResponse; };
  /** Count what is stored of a user, and show how its removal stands */
  getUserData: { input: { path: { user_id: string; }; }; answer: GetUserDataResponse; };
  /** Remove everything of a user */
  removeUserData: { input: { path: { user_id: string; }; }; answer: GetUserDataResponse; };
  /** List the views of the console that the caller has saved */
  listViews: { input: {  }; answer: ListViewsResponse; };
  /** Save a view of the console, in place of the one with its name */
  saveView: { input: { body: ListViewsResponseDataItem; }; answer: ListViewsResponse; };
  /** Remove a view of the console */
  removeView: { input: { path: { view_name: string; }; }; answer: undefined; };
  /** List schedules, the newest first */
  listSchedules: { input: { query?: { enabled?: boolean | undefined; latest_runs?: number | undefined; limit?: number | undefined; page?: number | undefined; } | undefined; }; answer: ListSchedulesResponse; };
  /** Have an endpoint of this service called at fixed times */
  createSchedule: { input: { body: CreateScheduleRequest; }; answer: Schedule; };
  /** Show one schedule */
  getSchedule: { input: { path: { schedule_id: string; }; }; answer: Schedule; };
  /** Change a schedule */
  updateSchedule: { input: { path: { schedule_id: string; }; body: UpdateScheduleRequest; }; answer: Schedule; };
  /** Delete a schedule with the record of its runs */
  removeSchedule: { input: { path: { schedule_id: string; }; }; answer: undefined; };
  /** Let a schedule fire again, from now on */
  enableSchedule: { input: { path: { schedule_id: string; }; }; answer: EnableScheduleResponse; };
  /** Let a schedule fire no more until it is enabled */
  disableSchedule: { input: { path: { schedule_id: string; }; }; answer: EnableScheduleResponse; };
  /** Run a schedule once, now */
  triggerSchedule: { input: { path: { schedule_id: string; }; }; answer: ScheduleRun; };
  /** List the attempts of a schedule, the newest first */
  listScheduleRuns: { input: { path: { schedule_id: string; }; query?: { limit?: number | undefined; page?: number | undefined; } | undefined; }; answer: ListScheduleRunsResponse; };
  /** Show one attempt of a schedule */
  getScheduleRun: { input: { path: { schedule_id: string; run_id: string; }; }; answer: ScheduleRun; };
  /** Have something remembered of a user */
  createMemory: { input: { query?: { db_id?: string | undefined; table?: string | undefined; } | undefined; body: CreateMemoryRequest; }; answer: UserMemory; };
  /** List memories, the last changed first */
  listMemories: { input: { query?: { user_id?: string | undefined; db_id?: string | undefined; table?: string | undefined; limit?: number | undefined; page?: number | undefined; agent_id?: string | undefined; team_id?: string | undefined; topics?: readonly (string)[] | undefined; search_content?: string | undefined; sort_by?: string | undefined; sort_order?: "asc" | "desc" | undefined; } | undefined; }; answer: ListMemoriesResponse; };
  /** Forget several memories */
  removeMemories: { input: { query?: { db_id?: string | undefined; table?: string | undefined; } | undefined; body: RemoveMemoriesRequest; }; answer: undefined; };
  /** Show one memory */
  getMemory: { input: { path: { memory_id: string; }; query?: { user_id?: string | undefined; db_id?: string | undefined; table?: string | undefined; } | undefined; }; answer: UserMemory; };
  /** Replace text and topics of a memory */
  updateMemory: { input: { path: { memory_id: string; }; query?: { db_id?: string | undefined; table?: string | undefined; } | undefined; body: CreateMemoryRequest; }; answer: UserMemory; };
  /** Forget one memory */
  removeMemory: { input: { path: { memory_id: string; }; query?: { user_id?: string | undefined; db_id?: string | undefined; table?: string | undefined; } | undefined; }; answer: undefined; };
  /** List what memories are about */
  listMemoryTopics: { input: { query?: { user_id?: string | undefined; db_id?: string | undefined; table?: string | undefined; } | undefined; }; answer: readonly (string)[]; };
  /** List who has memories and how many, the latest change first */
  listUserMemoryStats: { input: { query?: { user_id?: string | undefined; db_id?: string | undefined; table?: string | undefined; limit?: number | undefined; page?: number | undefined; } | undefined; }; answer: ListUserMemoryStatsResponse; };
  /** Have a model merge a user's memories into one */
  optimizeMemories: { input: { query?: { db_id?: string | undefined; table?: string | undefined; } | undefined; body: OptimizeMemoriesRequest; }; answer: OptimizeMemoriesResponse; };
  /** List learnings, the last changed first */
  listLearnings: { input: { query?: { learning_type?: string | undefined; user_id?: string | undefined; agent_id?: string | undefined; team_id?: string | undefined; session_id?: string | undefined; namespace?: string | undefined; entity_id?: string | undefined; entity_type?: string | undefined; limit?: number | undefined; page?: number | undefined; sort_by?: string | undefined; sort_order?: "asc" | "desc" | undefined; db_id?: string | undefined; table?: string | undefined; } | undefined; }; answer: ListLearningsResponse; };
  /** Record something that was learned */
  createLearning: { input: { query?: { db_id?: string | undefined; table?: string | undefined; } | undefined; body: CreateLearningRequest; }; answer: Learning; };
  /** List the users that something was learned about */
  listLearningUsers: { input: { query?: { learning_type?: string | undefined; user_id?: string | undefined; limit?: number | undefined; page?: number | undefined; sort_by?: string | undefined; sort_order?: "asc" | "desc" | undefined; db_id?: string | undefined; table?: string | undefined; } | undefined; }; answer: ListLearningUsersResponse; };
  /** Delete what was learned about a user, or one type of it */
  removeUserLearnings: { input: { path: { user_id: string; }; query?: { learning_type?: string | undefined; db_id?: string | undefined; table?: string | undefined; } | undefined; }; answer: undefined; };
  /** Show one learning */
  getLearning: { input: { path: { learning_id: string; }; query?: { db_id?: string | undefined; table?: string | undefined; } | undefined; }; answer: Learning; };
  /** Replace content or metadata of a learning */
  updateLearning: { input: { path: { learning_id: string; }; query?: { db_id?: string | undefined; table?: string | undefined; } | undefined; body: UpdateLearningRequest; }; answer: Learning; };
  /** Delete a learning */
  removeLearning: { input: { path: { learning_id: string; }; query?: { db_id?: string | undefined; table?: string | undefined; } | undefined; }; answer: undefined; };
  /** List evaluations, the newest first */
  listEvals: { input: { query?: { db_id?: string | undefined; table?: string | undefined; agent_id?: string | undefined; team_id?: string | undefined; workflow_id?: string | undefined; model_id?: string | undefined; run_id?: string | undefined; type?: "agent" | "team" | "workflow" | undefined; eval_types?: string | undefined; limit?: number | undefined; page?: number | undefined; sort_by?: string | undefined; sort_order?: "asc" | "desc" | undefined; } | undefined; }; answer: ListEvalsResponse; };
  /** Evaluate an agent or a team */
  createEval: { input: { query?: { db_id?: string | undefined; table?: string | undefined; } | undefined; body: CreateEvalRequest; }; answer: EvalRun; };
  /** Delete several evaluations; those under way stop */
  removeEvals: { input: { query?: { db_id?: string | undefined; table?: string | undefined; } | undefined; body: RemoveEvalsRequest; }; answer: undefined; };
  /** Compare two evaluations of one type, case by case */
  compareEvals: { input: { query: { db_id?: string | undefined; table?: string | undefined; ids: string; }; }; answer: CompareEvalsResponse; };
  /** Show one evaluation */
  getEval: { input: { path: { eval_run_id: string; }; query?: { db_id?: string | undefined; table?: string | undefined; } | undefined; }; answer: EvalRun; };
  /** Rename an evaluation */
  updateEval: { input: { path: { eval_run_id: string; }; query?: { db_id?: string | undefined; table?: string | undefined; } | undefined; body: UpdateEvalRequest; }; answer: EvalRun; };
  /** List the cases of an evaluation with the result of each, as far as it is through */
  listEvalCases: { input: { path: { eval_run_id: string; }; query?: { db_id?: string | undefined; table?: string | undefined; limit?: number | undefined; page?: number | undefined; } | undefined; }; answer: ListEvalCasesResponse; };
  /** List datasets, the newest first */
  listDatasets: { input: { query?: { db_id?: string | undefined; table?: string | undefined; limit?: number | undefined; page?: number | undefined; } | undefined; }; answer: ListDatasetsResponse; };
  /** Store the cases of a CSV or JSON file under a name, as version 1 */
  createDataset: { input: { query?: { db_id?: string | undefined; table?: string | undefined; } | undefined; body: { name: string; description?: string | undefined; file?: readonly (Blob)[] | undefined; }; }; answer: ListDatasetsResponseDataItem; };
  /** Show one dataset */
  getDataset: { input: { path: { dataset_id: string; }; query?: { db_id?: string | undefined; table?: string | undefined; } | undefined; }; answer: ListDatasetsResponseDataItem; };
  /** Delete a dataset with all of its versions; evaluations that used it stay */
  removeDataset: { input: { path: { dataset_id: string; }; query?: { db_id?: string | undefined; table?: string | undefined; } | undefined; }; answer: undefined; };
  /** Show the cases of one version of a dataset */
  listDatasetCases: { input: { path: { dataset_id: string; }; query?: { db_id?: string | undefined; table?: string | undefined; version?: number | undefined; limit?: number | undefined; page?: number | undefined; } | undefined; }; answer: ListDatasetCasesResponse; };
  /** Add a version with cases made of runs */
  addDatasetCases: { input: { path: { dataset_id: string; }; query?: { db_id?: string | undefined; table?: string | undefined; } | undefined; body: AddDatasetCasesRequest; }; answer: AddDatasetCasesResponse; };
  /** Add a version with some cases changed, added or left out */
  changeDatasetCases: { input: { path: { dataset_id: string; }; query?: { db_id?: string | undefined; table?: string | undefined; } | undefined; body: ChangeDatasetCasesRequest; }; answer: ListDatasetsResponseDataItem; };
  /** Export the cases of one version as lines of JSON */
  exportDataset: { input: { path: { dataset_id: string; }; query?: { db_id?: string | undefined; table?: string | undefined; version?: number | undefined; split?: "train" | "test" | undefined; format?: "jsonl" | "openai" | "sft" | undefined; } | undefined; }; answer: string; };
  /** Add a version to a dataset; evaluations keep the one that they began with */
  createDatasetVersion: { input: { path: { dataset_id: string; }; query?: { db_id?: string | undefined; table?: string | undefined; } | undefined; body?: { file?: readonly (Blob)[] | undefined; } | undefined; }; answer: ListDatasetsResponseDataItem; };
  /** Say how a run was, or one message of it */
  giveFeedback: { input: { path: { run_id: string; }; body: GiveFeedbackRequest; }; answer: GiveFeedbackResponse; };
  /** List what was said about a run, with its sums by key */
  listRunFeedback: { input: { path: { run_id: string; }; query: { session_id: string; }; }; answer: ListRunFeedbackResponse; };
  /** Record that feedback was looked at */
  reviewFeedback: { input: { path: { run_id: string; feedback_id: string; }; query: { session_id: string; }; body: ReviewFeedbackRequest; }; answer: GiveFeedbackResponse; };
  /** Take back feedback */
  removeFeedback: { input: { path: { run_id: string; feedback_id: string; }; query: { session_id: string; }; }; answer: undefined; };
  /** List feedback on all runs, the newest first */
  listFeedback: { input: { query?: { component_type?: "agent" | "team" | "workflow" | undefined; component_id?: string | undefined; component_version?: number | undefined; key?: string | undefined; score_min?: number | undefined; score_max?: number | undefined; role?: "user" | "participant" | "operator" | "reviewer" | undefined; source?: "api" | "console" | "chat" | "link" | "review" | undefined; review_status?: "new" | "reviewed" | "dismissed" | undefined; user_id?: string | undefined; created_after?: number | undefined; created_before?: number | undefined; limit?: number | undefined; cursor?: string | undefined; format?: "json" | "jsonl" | undefined; } | undefined; }; answer: ListFeedbackResponse; };
  /** Make links by which feedback on a run is given without a sign-in */
  createFeedbackLinks: { input: { path: { run_id: string; }; body: CreateFeedbackLinksRequest; }; answer: Readonly<Record<string, string>>; };
  /** Show the form of a link; nothing is recorded */
  getFeedbackForm: { input: { path: { token: string; }; }; answer: string; };
  /** Give feedback by a link */
  submitFeedback: { input: { path: { token: string; }; body?: { score?: number | undefined; value?: string | undefined; comment?: string | undefined; correction?: string | undefined; } | undefined; }; answer: string; };
  /** List traces, the newest start first */
  listTraces: { input: { query?: { run_id?: string | undefined; session_id?: string | undefined; user_id?: string | undefined; agent_id?: string | undefined; team_id?: string | undefined; workflow_id?: string | undefined; status?: string | undefined; start_time?: string | undefined; end_time?: string | undefined; limit?: number | undefined; page?: number | undefined; db_id?: string | undefined; } | undefined; }; answer: ListTracesResponse; };
  /** List what traces can be searched by */
  getTraceFilterSchema: { input: { query?: { db_id?: string | undefined; } | undefined; }; answer: GetTraceFilterSchemaResponse; };
  /** Show the tree of one trace, or one of its spans */
  getTrace: { input: { path: { trace_id: string; }; query?: { span_id?: string | undefined; run_id?: string | undefined; db_id?: string | undefined; } | undefined; }; answer: GetTraceResponse; };
  /** List sessions with what their traces amount to, the latest trace first */
  listTraceSessionStats: { input: { query?: { user_id?: string | undefined; agent_id?: string | undefined; team_id?: string | undefined; workflow_id?: string | undefined; start_time?: string | undefined; end_time?: string | undefined; limit?: number | undefined; page?: number | undefined; db_id?: string | undefined; } | undefined; }; answer: ListTraceSessionStatsResponse; };
  /** Search traces by a formula of conditions */
  searchTraces: { input: { query?: { db_id?: string | undefined; } | undefined; body: SearchTracesRequest; }; answer: SearchTracesResponse; };
  /** Show daily totals: sessions, runs, users, tokens, cost */
  getMetrics: { input: { query?: { user_id?: string | undefined; db_id?: string | undefined; table?: string | undefined; starting_date?: string | undefined; ending_date?: string | undefined; } | undefined; }; answer: GetMetricsResponse; };
  /** Show figures by component, version, model, tool, user or day */
  getMetricsBreakdown: { input: { query?: { user_id?: string | undefined; db_id?: string | undefined; table?: string | undefined; by?: "component" | "version" | "model" | "tool" | "user" | "day" | undefined; starting_date?: string | undefined; ending_date?: string | undefined; limit?: number | undefined; } | undefined; }; answer: GetMetricsBreakdownResponse; };
  /** Show what may be spent today, and what was */
  getBudgets: { input: { query?: { user_id?: string | undefined; } | undefined; }; answer: GetBudgetsResponse; };
  /** Compute the days that are not final */
  refreshMetrics: { input: { query?: { user_id?: string | undefined; db_id?: string | undefined; table?: string | undefined; background?: boolean | undefined; } | undefined; }; answer: RefreshMetricsResponse | RefreshMetricsResponseOption2; };
  /** Show how the last refresh of the metrics stands */
  getRefreshStatus: { input: { query?: { user_id?: string | undefined; db_id?: string | undefined; table?: string | undefined; } | undefined; }; answer: GetRefreshStatusResponse; };
  /** Show the card of the component that stands for the whole service, where one does */
  getHostCard: { input: { query?: { "A2A-Version"?: string | undefined; } | undefined; }; answer: AgentCardAnswer; };
  /** Show the public keys by which the signatures of agent cards are checked, where cards are signed */
  getCardKeys: { input: {  }; answer: GetCardKeysResponse; };
  /** List the cards of all agents, teams and workflows that the caller may read */
  listCards: { input: { query?: { "A2A-Version"?: string | undefined; } | undefined; }; answer: ListCardsResponse; };
  /** Show the card by which other agents know this agent */
  getAgentCard: { input: { path: { agent_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; }; answer: AgentCardAnswer; };
  /** Send this agent a message and wait for the task that it becomes */
  sendToAgent: { input: { path: { agent_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; body: A2aMessage; }; answer: A2aAnswer; };
  /** Send this agent a message and follow the task that it becomes */
  streamToAgent: { input: { path: { agent_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; body: A2aMessage; }; answer: A2aAnswer; events: TaskEvent; };
  /** Call a method of the agent-to-agent protocol (JSON-RPC) on this agent */
  callAgent: { input: { path: { agent_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; body: A2aCall; }; answer: A2aAnswer; events: TaskEvent; };
  /** The same, for clients that append the version */
  callVersionedAgent: { input: { path: { agent_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; body: A2aCall; }; answer: A2aAnswer; events: TaskEvent; };
  /** List the tasks of this agent, the latest change first */
  listAgentTasks: { input: { path: { agent_id: string; }; query?: { "A2A-Version"?: string | undefined; historyLength?: number | undefined; contextId?: string | undefined; status?: "TASK_STATE_SUBMITTED" | "TASK_STATE_WORKING" | "TASK_STATE_COMPLETED" | "TASK_STATE_FAILED" | "TASK_STATE_CANCELED" | "TASK_STATE_INPUT_REQUIRED" | "TASK_STATE_REJECTED" | "TASK_STATE_AUTH_REQUIRED" | undefined; pageSize?: number | undefined; pageToken?: string | undefined; statusTimestampAfter?: string | undefined; includeArtifacts?: boolean | undefined; } | undefined; }; answer: A2aAnswer; };
  /** Show one task */
  getAgentTask: { input: { path: { agent_id: string; task_id: string; }; query?: { "A2A-Version"?: string | undefined; historyLength?: number | undefined; } | undefined; }; answer: A2aAnswer; };
  /** Cancel a task */
  cancelAgentTask: { input: { path: { agent_id: string; task_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; body: CancelAgentTaskRequest | null; }; answer: A2aAnswer; };
  /** Follow a task until it ends */
  subscribeToAgentTask: { input: { path: { agent_id: string; task_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; body: CancelAgentTaskRequest | null; }; answer: A2aAnswer; events: TaskEvent; };
  /** The same, for clients that ask by GET */
  followAgentTask: { input: { path: { agent_id: string; task_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; }; answer: A2aAnswer; events: TaskEvent; };
  /** Set where the client is notified when a task ends or pauses */
  createAgentPushConfig: { input: { path: { agent_id: string; task_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; body: CreateAgentPushConfigRequest; }; answer: A2aAnswer; };
  /** List where the client is notified of a task */
  listAgentPushConfigs: { input: { path: { agent_id: string; task_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; }; answer: A2aAnswer; };
  /** Show one place where the client is notified of a task */
  getAgentPushConfig: { input: { path: { agent_id: string; task_id: string; config_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; }; answer: A2aAnswer; };
  /** Stop notifying the client of a task at one place */
  removeAgentPushConfig: { input: { path: { agent_id: string; task_id: string; config_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; }; answer: A2aAnswer; };
  /** Show the same card, by the method for callers with a credential */
  getExtendedAgentCard: { input: { path: { agent_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; }; answer: AgentCardAnswer; };
  /** The same, in version 0.3 */
  getLegacyAgentCard: { input: { path: { agent_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; }; answer: AgentCardAnswer; };
  /** Poll one task */
  readAgentTask: { input: { path: { agent_id: string; }; body: ReadAgentTaskRequest; }; answer: A2aAnswer; };
  /** Cancel a task, in the older dialect */
  stopAgentTask: { input: { path: { agent_id: string; }; body: ReadAgentTaskRequest; }; answer: A2aAnswer; };
  /** Show the card by which other agents know this team */
  getTeamCard: { input: { path: { team_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; }; answer: AgentCardAnswer; };
  /** Send this team a message and wait for the task that it becomes */
  sendToTeam: { input: { path: { team_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; body: A2aMessage; }; answer: A2aAnswer; };
  /** Send this team a message and follow the task that it becomes */
  streamToTeam: { input: { path: { team_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; body: A2aMessage; }; answer: A2aAnswer; events: TaskEvent; };
  /** Call a method of the agent-to-agent protocol (JSON-RPC) on this team */
  callTeam: { input: { path: { team_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; body: A2aCall; }; answer: A2aAnswer; events: TaskEvent; };
  /** The same, for clients that append the version */
  callVersionedTeam: { input: { path: { team_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; body: A2aCall; }; answer: A2aAnswer; events: TaskEvent; };
  /** List the tasks of this team, the latest change first */
  listTeamTasks: { input: { path: { team_id: string; }; query?: { "A2A-Version"?: string | undefined; historyLength?: number | undefined; contextId?: string | undefined; status?: "TASK_STATE_SUBMITTED" | "TASK_STATE_WORKING" | "TASK_STATE_COMPLETED" | "TASK_STATE_FAILED" | "TASK_STATE_CANCELED" | "TASK_STATE_INPUT_REQUIRED" | "TASK_STATE_REJECTED" | "TASK_STATE_AUTH_REQUIRED" | undefined; pageSize?: number | undefined; pageToken?: string | undefined; statusTimestampAfter?: string | undefined; includeArtifacts?: boolean | undefined; } | undefined; }; answer: A2aAnswer; };
  /** Show one task */
  getTeamTask: { input: { path: { team_id: string; task_id: string; }; query?: { "A2A-Version"?: string | undefined; historyLength?: number | undefined; } | undefined; }; answer: A2aAnswer; };
  /** Cancel a task */
  cancelTeamTask: { input: { path: { team_id: string; task_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; body: CancelAgentTaskRequest | null; }; answer: A2aAnswer; };
  /** Follow a task until it ends */
  subscribeToTeamTask: { input: { path: { team_id: string; task_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; body: CancelAgentTaskRequest | null; }; answer: A2aAnswer; events: TaskEvent; };
  /** The same, for clients that ask by GET */
  followTeamTask: { input: { path: { team_id: string; task_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; }; answer: A2aAnswer; events: TaskEvent; };
  /** Set where the client is notified when a task ends or pauses */
  createTeamPushConfig: { input: { path: { team_id: string; task_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; body: CreateAgentPushConfigRequest; }; answer: A2aAnswer; };
  /** List where the client is notified of a task */
  listTeamPushConfigs: { input: { path: { team_id: string; task_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; }; answer: A2aAnswer; };
  /** Show one place where the client is notified of a task */
  getTeamPushConfig: { input: { path: { team_id: string; task_id: string; config_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; }; answer: A2aAnswer; };
  /** Stop notifying the client of a task at one place */
  removeTeamPushConfig: { input: { path: { team_id: string; task_id: string; config_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; }; answer: A2aAnswer; };
  /** Show the same card, by the method for callers with a credential */
  getExtendedTeamCard: { input: { path: { team_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; }; answer: AgentCardAnswer; };
  /** The same, in version 0.3 */
  getLegacyTeamCard: { input: { path: { team_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; }; answer: AgentCardAnswer; };
  /** Poll one task */
  readTeamTask: { input: { path: { team_id: string; }; body: ReadAgentTaskRequest; }; answer: A2aAnswer; };
  /** Cancel a task, in the older dialect */
  stopTeamTask: { input: { path: { team_id: string; }; body: ReadAgentTaskRequest; }; answer: A2aAnswer; };
  /** Show the card by which other agents know this workflow */
  getWorkflowCard: { input: { path: { workflow_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; }; answer: AgentCardAnswer; };
  /** Send this workflow a message and wait for the task that it becomes */
  sendToWorkflow: { input: { path: { workflow_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; body: A2aMessage; }; answer: A2aAnswer; };
  /** Send this workflow a message and follow the task that it becomes */
  streamToWorkflow: { input: { path: { workflow_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; body: A2aMessage; }; answer: A2aAnswer; events: TaskEvent; };
  /** Call a method of the agent-to-agent protocol (JSON-RPC) on this workflow */
  callWorkflow: { input: { path: { workflow_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; body: A2aCall; }; answer: A2aAnswer; events: TaskEvent; };
  /** The same, for clients that append the version */
  callVersionedWorkflow: { input: { path: { workflow_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; body: A2aCall; }; answer: A2aAnswer; events: TaskEvent; };
  /** List the tasks of this workflow, the latest change first */
  listWorkflowTasks: { input: { path: { workflow_id: string; }; query?: { "A2A-Version"?: string | undefined; historyLength?: number | undefined; contextId?: string | undefined; status?: "TASK_STATE_SUBMITTED" | "TASK_STATE_WORKING" | "TASK_STATE_COMPLETED" | "TASK_STATE_FAILED" | "TASK_STATE_CANCELED" | "TASK_STATE_INPUT_REQUIRED" | "TASK_STATE_REJECTED" | "TASK_STATE_AUTH_REQUIRED" | undefined; pageSize?: number | undefined; pageToken?: string | undefined; statusTimestampAfter?: string | undefined; includeArtifacts?: boolean | undefined; } | undefined; }; answer: A2aAnswer; };
  /** Show one task */
  getWorkflowTask: { input: { path: { workflow_id: string; task_id: string; }; query?: { "A2A-Version"?: string | undefined; historyLength?: number | undefined; } | undefined; }; answer: A2aAnswer; };
  /** Cancel a task */
  cancelWorkflowTask: { input: { path: { workflow_id: string; task_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; body: CancelAgentTaskRequest | null; }; answer: A2aAnswer; };
  /** Follow a task until it ends */
  subscribeToWorkflowTask: { input: { path: { workflow_id: string; task_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; body: CancelAgentTaskRequest | null; }; answer: A2aAnswer; events: TaskEvent; };
  /** The same, for clients that ask by GET */
  followWorkflowTask: { input: { path: { workflow_id: string; task_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; }; answer: A2aAnswer; events: TaskEvent; };
  /** Set where the client is notified when a task ends or pauses */
  createWorkflowPushConfig: { input: { path: { workflow_id: string; task_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; body: CreateAgentPushConfigRequest; }; answer: A2aAnswer; };
  /** List where the client is notified of a task */
  listWorkflowPushConfigs: { input: { path: { workflow_id: string; task_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; }; answer: A2aAnswer; };
  /** Show one place where the client is notified of a task */
  getWorkflowPushConfig: { input: { path: { workflow_id: string; task_id: string; config_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; }; answer: A2aAnswer; };
  /** Stop notifying the client of a task at one place */
  removeWorkflowPushConfig: { input: { path: { workflow_id: string; task_id: string; config_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; }; answer: A2aAnswer; };
  /** Show the same card, by the method for callers with a credential */
  getExtendedWorkflowCard: { input: { path: { workflow_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; }; answer: AgentCardAnswer; };
  /** The same, in version 0.3 */
  getLegacyWorkflowCard: { input: { path: { workflow_id: string; }; query?: { "A2A-Version"?: string | undefined; } | undefined; }; answer: AgentCardAnswer; };
  /** Deprecated: send a message to the agent, team or workflow that it names */
  sendMessage: { input: { body: A2aMessageOption3; }; answer: A2aAnswer; };
  /** Deprecated: the same, with the task's progress */
  streamMessage: { input: { body: A2aMessageOption3; }; answer: A2aAnswer; events: TaskEvent; };
  /** Answer the handshake by which WhatsApp subscribes */
  verifyWhatsappWebhook: { input: { query?: { "hub.mode"?: string | undefined; "hub.verify_token"?: string | undefined; "hub.challenge"?: string | undefined; } | undefined; }; answer: string; };
  /** Take messages of WhatsApp; they are answered later */
  receiveWhatsappWebhook: { input: { body: unknown; }; answer: ReceiveWhatsappWebhookResponse; };
  /** Check that the WhatsApp interface is enabled */
  getWhatsappStatus: { input: {  }; answer: GetAguiStatusResponse; };
  /** Event processed: an update of Telegram was taken; it is answered later */
  receiveTelegramWebhook: { input: { body: unknown; }; answer: ReceiveTelegramWebhookResponse; };
  /** Check that the Telegram interface is enabled */
  getTelegramStatus: { input: {  }; answer: GetAguiStatusResponse; };
  /** Take an event of Slack; a message is answered later, the check of the address at once */
  receiveSlackEvent: { input: { body: unknown; }; answer: ReceiveSlackEventResponse; };
  /** Receive a button that a user pressed in Slack */
  receiveSlackInteraction: { input: { body: { payload: string; }; }; answer: ReceiveWhatsappWebhookResponse; };
  /** Check that the Slack interface is enabled */
  getSlackStatus: { input: {  }; answer: GetAguiStatusResponse; };
  /** Register a receiver of events; its secret is shown this once */
  createWebhookEndpoint: { input: { body: CreateWebhookEndpointRequest; }; answer: CreateWebhookEndpointResponse; };
  /** List receivers of events, the newest first: the caller's own; an admin sees all */
  listWebhookEndpoints: { input: { query?: { limit?: number | undefined; page?: number | undefined; } | undefined; }; answer: ListWebhookEndpointsResponse; };
  /** Show one receiver */
  getWebhookEndpoint: { input: { path: { endpoint_id: string; }; }; answer: ListWebhookEndpointsResponseDataItem; };
  /** Change a receiver: its address, its events, and whether it is enabled */
  updateWebhookEndpoint: { input: { path: { endpoint_id: string; }; body: UpdateWebhookEndpointRequest; }; answer: ListWebhookEndpointsResponseDataItem; };
  /** Delete a receiver; what is still to be sent to it is skipped */
  removeWebhookEndpoint: { input: { path: { endpoint_id: string; }; }; answer: undefined; };
  /** Give a receiver a new secret, shown this once; messages are signed with both for a while */
  rotateWebhookSecret: { input: { path: { endpoint_id: string; }; body: RotateWebhookSecretRequest; }; answer: CreateWebhookEndpointResponse; };
  /** Send a ping to a receiver, also to a disabled one */
  testWebhookEndpoint: { input: { path: { endpoint_id: string; }; }; answer: TestWebhookEndpointResponse; };
  /** List what was sent to receivers, the newest first, with every try and its answer */
  listWebhookDeliveries: { input: { query?: { run_id?: string | undefined; endpoint_id?: string | undefined; status?: "pending" | "delivered" | "failed" | "skipped" | undefined; limit?: number | undefined; page?: number | undefined; } | undefined; }; answer: ListWebhookDeliveriesResponse; };
  /** Show one delivery */
  getWebhookDelivery: { input: { path: { delivery_id: string; }; }; answer: TestWebhookEndpointResponse; };
  /** Send a message once more, with the same id; its tries are counted anew */
  redeliverWebhook: { input: { path: { delivery_id: string; }; }; answer: TestWebhookEndpointResponse; };
  /** Show the secret that signs the callbacks of the caller's runs */
  getCallbackSecret: { input: {  }; answer: GetCallbackSecretResponse; };
  /** Replace the secret that signs the callbacks of the caller's runs; both sign for a while */
  rotateCallbackSecret: { input: { body: RotateWebhookSecretRequest; }; answer: GetCallbackSecretResponse; };
  /** List records of the audit, the newest first */
  listAudit: { input: { query?: { principal?: string | undefined; on_behalf_of?: string | undefined; operation?: string | undefined; target?: string | undefined; outcome?: "changed" | "started" | "done" | "read" | "refused" | "failed" | undefined; created_after?: number | undefined; created_before?: number | undefined; limit?: number | undefined; cursor?: string | undefined; format?: "json" | "jsonl" | undefined; } | undefined; }; answer: ListAuditResponse; };
  /** Verify the hash chain of a day */
  verifyAudit: { input: { query?: { day?: string | undefined; } | undefined; }; answer: VerifyAuditResponse; };
};
