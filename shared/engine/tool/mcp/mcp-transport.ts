import { randomInt } from "node:crypto";
import type { Transport } from "@modelcontextprotocol/client";
import { isObject } from "../../../schemas/values/json-values.ts";
import { withKnownResult } from "./mcp-task.ts";

const MOST_IDS = 2 ** 40;

/**
 * A transport between the client and the wire:
 *
 * - Ids of requests begin at random. A call that another process makes once more, with answers, must have another id than before, and
 *   each process counts from 0.
 * - Tasks are received as a part of answers that the client knows: it refuses results of that kind, which are of an extension.
 *
 * @source `@modelcontextprotocol/client` 2.4.0, `decodeResult`; Model Context Protocol 2026-07-28, "Multi round-trip requests"
 */
export function adapted(transport: Transport): Transport {
  const first = randomInt(MOST_IDS);
  const moved = (id: unknown, by: number) => (typeof id === "number" ? id + by : id);
  const send = transport.send.bind(transport);
  transport.send = (message, options) =>
    send(sent(message as Message, (id) => moved(id, first)) as never, options);
  let receive: Transport["onmessage"];
  Object.defineProperty(transport, "onmessage", {
    configurable: true,
    get: () => receive,
    set: (handle: Transport["onmessage"]) => {
      receive =
        handle &&
        ((message, extra) => {
          const { id, method }: Message = message;
          // A request of the server has an id of its own.
          const known = method === undefined ? { ...message, id: moved(id, -first) } : message;
          handle(withKnownResult(known as typeof message), extra);
        });
    },
  });
  return transport;
}

type Message = { readonly id?: unknown; readonly method?: unknown; readonly params?: unknown };

/** A message of the client with the ids that the server is to see. What it answers to the server has the server's. */
function sent(message: Message, idOf: (id: unknown) => unknown): Message {
  const { id, method, params } = message;
  if (method === undefined) return message;
  if (id !== undefined) return { ...message, id: idOf(id) };
  const isCancelled = method === "notifications/cancelled" && isObject(params);
  return isCancelled ? { ...message, params: { ...params, requestId: idOf(params.requestId) } } : message;
}
