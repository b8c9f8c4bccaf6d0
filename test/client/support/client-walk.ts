import { type AgentEvent, createClient, isAccepted, PlatformError } from "../../../client/index.ts";

/** No request carries so much. */
const LARGE_BYTES = 6_000_000;
const line = "A line about pumps that fill the cistern by night.\n";

export type Walked = {
  readonly waited: string;
  readonly streamed: string;
  /** Connections that were made to follow the stream. */
  readonly resumed: number;
  readonly polled: string;
  readonly refused: number | undefined;
  readonly small: number;
  /** Bytes that were reported on the way of a large file. */
  readonly large: readonly number[];
};

type Walk = {
  readonly url: string;
  readonly token: string;
  /** Called before the run that is streamed, whose connection is then broken. */
  readonly beforeStream?: () => Promise<void> | void;
};

/** Does with the client what programs do, in any runtime: it needs nothing but what the web's runtimes have in common. */
export async function walkClient({ url, token, beforeStream }: Walk): Promise<Walked> {
  let resumed = 0;
  const client = createClient({
    baseUrl: url,
    token: () => token,
    fetch: (address, init) => {
      if (String(address).includes("/resume")) resumed += 1;
      return fetch(address, init);
    },
  });
  const agent = { agent_id: "assistant" };
  const run = await client.createAgentRun({ path: agent, body: { message: "hi", session_state: { a: 1 } } });

  await beforeStream?.();
  const events: AgentEvent[] = [];
  for await (const event of client.runs.stream(agent, { message: "[[tokens:50]]" })) events.push(event);
  const streamed = events.map((one) => (one.event === "RunContent" ? one.data.content : "")).join("");

  const accepted = await client.createAgentRun({ path: agent, body: { message: "late", background: true } });
  if (!isAccepted(accepted)) throw new Error("a background run was answered whole");
  const polled = await client.runs.wait({ ...agent, ...accepted });
  const error: unknown = await client
    .getSession({ path: { session_id: "unknown" } })
    .catch((thrown) => thrown);

  const small: number[] = [];
  await client.knowledge.upload(new Blob([`${crypto.randomUUID()} ${line}`], { type: "text/plain" }), {
    filename: "pump.txt",
    onProgress: ({ sent }) => small.push(sent),
  });
  const text = `${crypto.randomUUID()}\n${line.repeat(Math.ceil(LARGE_BYTES / line.length))}`;
  const large: number[] = [];
  await client.knowledge.upload(new File([text], "pumps.txt", { type: "text/plain" }), {
    onProgress: ({ sent }) => large.push(sent),
  });
  return {
    waited: String(run.content),
    streamed,
    resumed,
    polled: String(polled.content),
    refused: error instanceof PlatformError ? error.status : undefined,
    small: small.at(-1) ?? 0,
    large,
  };
}
