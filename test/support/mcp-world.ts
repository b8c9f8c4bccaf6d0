import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema, type ElicitResult } from "@modelcontextprotocol/sdk/types.js";
import type { RunningPlatform } from "./platform.ts";

const everyScope = [
  ...["agents", "teams", "workflows"].flatMap((kind) => [`${kind}:read`, `${kind}:run`]),
  "sessions:read",
  "knowledge:read",
];

/** What a person answers to a question of the server. */
type Elicit = (message: string) => Promise<ElicitResult>;

/** The official client, connected with one credential. @param elicit asks the person in front of it; without it, it cannot */
export async function mcpClient(
  platform: Pick<RunningPlatform, "url" | "token">,
  sub: string,
  scopes: readonly string[] = everyScope,
  elicit?: Elicit,
): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1" },
    { capabilities: { ...(elicit && { elicitation: {} }) } },
  );
  if (elicit) client.setRequestHandler(ElicitRequestSchema, ({ params }) => elicit(params.message));
  const headers = { authorization: `Bearer ${platform.token(sub, scopes)}` };
  const transport = new StreamableHTTPClientTransport(new URL(`${platform.url}/mcp`), {
    requestInit: { headers },
  });
  await client.connect(transport as never); // its optional members may be undefined, which our compiler takes literally
  return client;
}

// biome-ignore lint/suspicious/noExplicitAny: a test asserts the shape itself
export type Called = { readonly structuredContent?: any; readonly content: any; readonly isError?: boolean };

/** The result of a tool. */
export const callTool = async (
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<Called> => (await client.callTool({ name, arguments: args })) as unknown as Called;
