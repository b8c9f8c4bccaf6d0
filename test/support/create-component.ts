import type { Client } from "./client.ts";

let made = 0;

/**
 * Creates a component with an id of its own, unless the fields name one.
 *
 * @param options.force  whether it is published although it cannot run
 * @returns its id
 */
export async function createComponent(
  client: Client,
  fields: Readonly<Record<string, unknown>>,
  { force = false } = {},
): Promise<string> {
  made += 1;
  const json = { name: "Bot", component_type: "agent", component_id: `bot-${made}`, ...fields };
  const answer = await client.post(`/components?force=${force}`, { json });
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
  return answer.json.component_id;
}
