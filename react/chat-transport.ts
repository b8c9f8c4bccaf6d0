import type { Client, ComponentAddress } from "../client/index.ts";

/** What `useChat` of the AI SDK gives its transport, as far as it is read here. */
type Sent = {
  readonly chatId: string;
  readonly messages: readonly { readonly id: string }[];
  readonly trigger: "submit-message" | "regenerate-message";
  readonly messageId: string | undefined;
  readonly abortSignal: AbortSignal | undefined;
  readonly body?: object | undefined;
};
type Followed = { readonly chatId: string; readonly abortSignal?: AbortSignal | undefined };

/** A transport of the AI SDK, whose package is not needed to make one. */
export type PlatformChatTransport = {
  readonly resumeStreamIsReplay: true;
  readonly sendMessages: (sent: Sent) => Promise<ReadableStream<never>>;
  readonly reconnectToStream: (followed: Followed) => Promise<ReadableStream<never> | null>;
};

/**
 * The transport with which `useChat` runs a component. It sends the one message that is read; the session has the rest.
 *
 * @param session  the session, where it is not that of the chat's id
 */
export function chatTransport(
  client: Client,
  component: ComponentAddress,
  session?: string,
): PlatformChatTransport {
  const { kind, path } = placeOf(component);
  const stream = (name: string, input: object, signal: AbortSignal | undefined) =>
    opened((client.stream as Stream)(`${name}${kind}Chat`, input, { signal }));
  return {
    resumeStreamIsReplay: true,
    sendMessages: async ({ chatId, messages, trigger, messageId, abortSignal, body }) => {
      const read = messages.find(({ id }) => id === messageId) ?? messages.at(-1);
      const id = session ?? chatId;
      const sent = { ...body, id, messages: read ? [read] : [], trigger, messageId };
      return (await stream("run", { path, body: sent }, abortSignal)) ?? new ReadableStream<never>();
    },
    reconnectToStream: ({ chatId, abortSignal }) =>
      stream("follow", { path: { ...path, chat_id: session ?? chatId } }, abortSignal),
  };
}

/** The names of its operations are made here. */
type Stream = (name: string, input: object, call: object) => AsyncGenerator<{ readonly data: object }, void>;

function placeOf(component: ComponentAddress): { readonly kind: string; readonly path: object } {
  const kind = "agent_id" in component ? "Agent" : "team_id" in component ? "Team" : "Workflow";
  return { kind, path: component };
}

/** The data of frames as a stream; null where there is none. A refusal is thrown here, before the stream. */
async function opened(
  frames: AsyncGenerator<{ readonly data: object }, void>,
): Promise<ReadableStream<never> | null> {
  let next = await frames.next();
  if (next.done) return null;
  return new ReadableStream<never>({
    pull: async (to) => {
      if (next.done) return to.close();
      to.enqueue(next.value.data as never);
      next = await frames.next();
      if (next.done) to.close();
    },
    cancel: async () => {
      await frames.return();
    },
  });
}
