import { Readable, Writable } from "node:stream";
import { ndJsonStream } from "@agentclientprotocol/sdk";
import { acpAgent } from "../acp/acp-agent.ts";
import { componentOf } from "../component-of.ts";
import { addressOf, connect, type Place, reaching } from "../connect.ts";

/**
 * Serves an agent, a team or a workflow to the editor that started this process, by the Agent Client Protocol over its input and
 * output, until the editor closes them.
 *
 * @throws UsageError where the platform cannot be reached, or has nothing with this id
 */
export async function serveEditor(
  options: Place & { readonly agent: string },
  version: string,
): Promise<void> {
  const component = await reaching(options, (client) => componentOf(client, options.agent));
  const { app, cancelAll } = acpAgent(connect(options), component, {
    name: options.agent,
    version,
    console: `${addressOf(options)}/console`,
  });
  const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
  await app.connect(ndJsonStream(Writable.toWeb(process.stdout), input)).closed;
  await cancelAll();
}
