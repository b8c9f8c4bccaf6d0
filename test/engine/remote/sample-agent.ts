import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { AgentCard, Role, TaskState } from "@a2a-js/sdk";
import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  type RequestContext,
  ServerCallContext,
} from "@a2a-js/sdk/server";

type Options = {
  readonly version?: "1.0" | "0.3";
  readonly streaming?: boolean;
  /** How it wants its credential. */
  readonly scheme?: object;
  /** The host that its card names in place of its own. */
  readonly otherHost?: string;
};

export type SampleAgent = Awaited<ReturnType<typeof startSampleAgent>>;

const bare = { metadata: undefined, filename: "", mediaType: "" };
const text = (value: string) => ({ ...bare, content: { $case: "text" as const, value } });

/**
 * An agent made with the official SDK, as anybody may have one. It says "Hello there" in two pieces, asks where its message
 * has "ask", works until it is cancelled for "work", fails for "fail", makes a file for "file", and otherwise repeats what it
 * got.
 */
export async function startSampleAgent({
  version = "1.0",
  streaming = true,
  scheme,
  otherHost,
}: Options = {}) {
  const seen = {
    messages: [] as RequestContext[],
    cancelled: [] as string[],
    headers: [] as IncomingMessage["headers"][],
  };
  const faults = { refuse: 0, breakStreams: false, cutAfterSend: false };
  const executor: AgentExecutor = {
    async execute(context, bus) {
      seen.messages.push(context);
      await answer(context, bus);
      bus.finished();
    },
    async cancelTask(taskId, bus) {
      seen.cancelled.push(taskId);
      const status = { state: TaskState.TASK_STATE_CANCELED, message: undefined, timestamp: undefined };
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId: "", status, metadata: undefined }));
      bus.finished();
    },
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error) => {
      response.destroy(error);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `http://${otherHost ?? host}/rpc`;
  const current = {
    name: "Sample",
    description: "Says hello.",
    version: "1",
    supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: version, tenant: "" }],
    capabilities: { streaming, pushNotifications: false },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [],
    ...(scheme && {
      securitySchemes: { key: scheme },
      securityRequirements: [{ schemes: { key: { list: [] } } }],
    }),
  };
  const legacy = {
    ...current,
    protocolVersion: "0.3.0",
    url,
    preferredTransport: "JSONRPC",
    supportedInterfaces: undefined,
  };
  const handler = new DefaultRequestHandler(AgentCard.fromJSON(current), new InMemoryTaskStore(), executor);
  const rpc =
    version === "1.0" ? new JsonRpcTransportHandler(handler) : new LegacyJsonRpcTransportHandler(handler);

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    seen.headers.push(request.headers);
    if (faults.refuse > 0) {
      faults.refuse -= 1;
      response.writeHead(503).end();
      return;
    }
    if (request.url === "/card.json") {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(version === "1.0" ? current : legacy));
      return;
    }
    const body = Buffer.concat(await request.toArray()).toString();
    const context = new ServerCallContext({ requestedVersion: version });
    const answered = await rpc.handle(JSON.parse(body), context);
    if (faults.cutAfterSend && /send|stream/i.test(JSON.parse(body).method)) {
      if (Symbol.asyncIterator in answered) for await (const _event of answered);
      await expectWorking();
      response.destroy();
      return;
    }
    if (!(Symbol.asyncIterator in answered)) {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answered));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    for await (const event of answered) {
      await new Promise((resolve) =>
        response.write(`data: ${JSON.stringify(event)}\n\n`, resolve as () => void),
      );
      if (faults.breakStreams) response.destroy();
    }
    response.end();
  }
  const expectWorking = () => new Promise((resolve) => setTimeout(resolve, 50));

  return {
    card: `http://${host}/card.json`,
    host,
    seen,
    faults,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer({ userMessage, taskId, contextId, task }: RequestContext, bus: ExecutionEventBus) {
  const asked = userMessage.parts
    .map(({ content }) => (content?.$case === "text" ? content.value : ""))
    .join(" ");
  const status = (state: TaskState, said?: string, metadata?: object) =>
    bus.publish(
      AgentEvent.statusUpdate({
        taskId,
        contextId,
        status: {
          state,
          message: said === undefined ? undefined : messageOf(said),
          timestamp: new Date().toISOString(),
        },
        metadata,
      }),
    );
  const messageOf = (said: string) => ({
    messageId: crypto.randomUUID(),
    role: Role.ROLE_AGENT,
    parts: [text(said)],
    taskId,
    contextId,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  });
  const artifact = (artifactId: string, part: object, append: boolean) =>
    bus.publish(
      AgentEvent.artifactUpdate({
        taskId,
        contextId,
        artifact: {
          artifactId,
          name: "",
          description: "",
          parts: [part as ReturnType<typeof text>],
          metadata: undefined,
          extensions: [],
        },
        append,
        lastChunk: false,
        metadata: undefined,
      }),
    );
  if (/direct/.test(asked)) {
    bus.publish(AgentEvent.message({ ...messageOf("Just a message"), taskId: "" }));
    return;
  }
  if (task) bus.publish(AgentEvent.task(task));
  else {
    const submitted = {
      state: TaskState.TASK_STATE_SUBMITTED,
      message: undefined,
      timestamp: new Date().toISOString(),
    };
    bus.publish(
      AgentEvent.task({
        id: taskId,
        contextId,
        status: submitted,
        artifacts: [],
        history: [userMessage],
        metadata: undefined,
      }),
    );
  }
  status(TaskState.TASK_STATE_WORKING);
  if (asked.includes("work")) return new Promise<void>(() => undefined);
  if (/fail/.test(asked)) return status(TaskState.TASK_STATE_FAILED, "The printer is on fire");
  if (/ask/.test(asked)) {
    artifact("before", text("Let me see."), false);
    return status(TaskState.TASK_STATE_INPUT_REQUIRED, "Which city?", {
      usage: { input_tokens: 3, output_tokens: 2 },
    });
  }
  if (/file/.test(asked)) {
    artifact(
      "picture",
      {
        ...bare,
        mediaType: "image/png",
        filename: "a.png",
        content: { $case: "raw", value: Buffer.from("png") },
      },
      false,
    );
  }
  artifact("answer", text(/hello/.test(asked) ? "Hello " : "You said: "), false);
  artifact("answer", text(/hello/.test(asked) ? "there" : asked), true);
  status(TaskState.TASK_STATE_COMPLETED, undefined, { usage: { input_tokens: 10, output_tokens: 4 } });
}
