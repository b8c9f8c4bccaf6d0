type Call = { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };

const run = (message: string, more: Readonly<Record<string, unknown>> = {}): Call => ({
  name: "run_agent",
  arguments: { agent_id: "assistant", message, ...more },
});
const task = { background: true };
const REFUND = '[[tool:issue_refund {"order_id":"o-1","amount":5}]] ';
/** Calls that a person confirms, one after the other. */
const refunds = (times: number, more: Readonly<Record<string, unknown>> = {}): Call =>
  run(REFUND.repeat(times), { agent_id: "refund-desk", ...more });

/**
 * The tools that the kit expects of a server, as runs: what the kit asserts of results, tasks and questions is then asserted of the
 * server that users have, whose tools are those of a project.
 */
const fixtures: Readonly<Record<string, (given: Readonly<Record<string, unknown>>) => Call>> = {
  test_simple_text: () => run("hello"),
  test_tool_with_progress: () => run('[[tool:add_numbers {"a":1,"b":2}]] '.repeat(3)),
  test_logging_tool: () => run("hello"),
  test_streaming_elicitation: () => refunds(1),
  test_error_handling: () => run("hello", { agent_id: "none" }),
  greet: ({ name }) => run(`[[answer:"Hello, ${name}!"]]`),
  slow_compute: ({ seconds }) =>
    seconds === 0 ? run("at once") : run(`[[sleep:${Number(seconds) * 1000}]]`, task),
  failing_job: () => run("[[fail:no luck]]", task),
  confirm_delete: () => refunds(1, task),
  test_input_required_result_elicitation: () => refunds(1),
  test_input_required_result_request_state: () => refunds(1),
  test_input_required_result_tampered_state: () => refunds(1),
  test_input_required_result_multi_round: () => refunds(2),
};

/**
 * A request of the kit, with the call of a run in place of the call of a tool of the kit's own.
 *
 * @param named  what the request's header `Mcp-Name` says, which follows where it was right
 */
export function withFixtures(
  body: string,
  named?: string,
): { readonly body: string; readonly named?: string } {
  const message = body === "" ? {} : JSON.parse(body);
  const { name, arguments: given = {} } = message.params ?? {};
  const fixture = message.method === "tools/call" && Object.hasOwn(fixtures, name) && fixtures[name];
  if (!fixture) return { body, ...(named !== undefined && { named }) };
  const call = fixture(given);
  const changed = JSON.stringify({ ...message, params: { ...message.params, ...call } });
  return { body: changed, ...(named !== undefined && { named: named === name ? call.name : named }) };
}
