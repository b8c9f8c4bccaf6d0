/** Tests of the kits that are expected to fail here, by the name of their function, and the reason. */
const reasons: Readonly<Record<string, string>> = {
  test_returns_message_with_text_part: "a message always becomes a task here, never a bare message",
  test_task_has_file_artifact: "no tool of the tested agent makes this file",
  test_task_has_file_url_artifact: "no tool of the tested agent makes this file",
  test_task_has_data_artifact: "the scripted model's answer is text; JSON in it is not taken apart",
  test_content_type_not_supported_returns_400:
    "a body of another type is 415, as HTTP and the table of 1.0.0 have it; later kits ask for 400",
  test_https_url_in_agent_card: "what runs on one machine speaks HTTP",
  test_last_modified_present:
    "a card may have the header; it is unknown when a component of code was written",
  test_authenticated_extended_card_without_auth:
    "the proxy adds the credential that the kit does not have; without one the answer is 401",
  test_get_push_notification_config:
    "it asks for a configuration `default` that does not exist; the official servers refuse it too",
  test_task_transitions_to_auth_required: "a run asks for no credentials while it is executed",
  test_blocking_send_returns_auth_required: "a run asks for no credentials while it is executed",
};

/** Tests of the kit of 0.3 that are expected to fail by HTTP alone: they are written for answers that no official server gives. */
const byHttp: Readonly<Record<string, string>> = {
  test_tasks_list_with_existing_tasks: "it takes the members of the page for tasks",
  test_task_history_length:
    "it sends `history_length`; the specification and the official SDK have `historyLength`",
  test_message_send_continue_with_contextid:
    "it reads `context_id` and then makes up a context; the JSON of protocol buffers has `contextId`",
};

/**
 * Why a test of a kit may fail; undefined for one that must pass.
 *
 * @param id       pytest's id of the test
 * @param binding  as the kit's run names it
 */
export function reasonToFail(id: string, binding: string): string | undefined {
  const [name = ""] = id.split("::").at(-1)?.split("[") ?? [];
  return reasons[name] ?? (binding === "HTTP+JSON" ? byHttp[name] : undefined);
}
