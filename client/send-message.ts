import type { CallOptions, ClientOptions } from "./client-options.ts";
import { newId } from "./new-id.ts";
import type { SendAgentMessageResponse } from "./operations.ts";
import type { Fields } from "./request.ts";
import { pathOf, type RunAddress } from "./run-address.ts";
import { send } from "./send.ts";

/**
 * Says something to a run that has begun. It has an id, the form's or one of its own, so that it may be sent again: it is there
 * once.
 */
export async function sendMessage(
  client: ClientOptions,
  run: RunAddress,
  form: Fields,
  call: CallOptions,
): Promise<SendAgentMessageResponse> {
  const { run_id, session_id } = run;
  const { kind, path } = pathOf(run);
  const body = { message_id: newId(), ...form, session_id };
  const answer = await send(client, `send${kind}Message`, { path: { ...path, run_id }, body }, call);
  return (await answer.json()) as SendAgentMessageResponse; // what the operation is described to answer
}
