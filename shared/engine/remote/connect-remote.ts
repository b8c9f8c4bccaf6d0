import type { AgentCard } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import { untilStopped } from "../abort/until-stopped.ts";
import { secretsFor } from "../call/guarded-context.ts";
import type { EnginePorts } from "../ports/engine-ports.ts";
import type { RemoteAgent } from "./is-remote.ts";
import { withMarkedAppends } from "./mark-append.ts";
import { bearer, credentialHeader } from "./remote-credential.ts";
import { RemoteFault, requireTaken } from "./remote-fault.ts";

export type RemoteConnection = {
  readonly client: Client;
  /** Whether it sends events; where it does not, its task is asked for again and again. */
  readonly streams: boolean;
};

type Ports = Pick<EnginePorts, "callOut" | "toolSecrets" | "clock" | "warn">;

/** How long a process uses a card before it reads it again. */
const CARD_CACHE_MS = 5 * 60 * 1000;
/** For a card, and for a request that is answered at once. */
export const REQUEST_MS = 30_000;

const cards = new Map<string, { readonly card: AgentCard; readonly untilMs: number }>();

/**
 * A client for a remote agent, by what its card says today.
 *
 * @param signal  ends the reading of the card
 * @throws RemoteFault, or the error that kept its server from answering
 */
export async function connectRemote(
  agent: RemoteAgent,
  ports: Ports,
  signal: AbortSignal,
): Promise<RemoteConnection> {
  const { remote, name } = agent;
  const { callOut, clock } = ports;
  if (!callOut)
    throw new RemoteFault({ cause: "internal" }, `The remote agent ${name} cannot be called here.`);
  const secret = await secretOf(agent, ports);
  const hosts = [new URL(remote.card).host, ...remote.hosts];
  let header = secret === undefined ? undefined : bearer(secret);
  const fetchImpl: typeof fetch = async (input, init) => {
    const { host } = new URL(input instanceof Request ? input.url : input);
    if (!hosts.includes(host)) {
      throw new RemoteFault(
        { cause: "internal" },
        `The card of the remote agent ${name} names the host ${host}, which its declaration does not allow.`,
      );
    }
    const headers = new Headers(init?.headers);
    if (header) headers.set(header.name, header.value);
    const response = await callOut(input, { ...init, headers });
    requireTaken(response, name, clock.now());
    return response;
  };
  const marked: typeof fetch = async (input, init) => withMarkedAppends(await fetchImpl(input, init));
  const legacyCompat = { enabled: true };
  const cached = cards.get(remote.card);
  const limited: typeof fetch = (input, init) =>
    fetchImpl(input, { ...init, signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]) });
  const card =
    cached && clock.now() < cached.untilMs
      ? cached.card
      : await untilStopped(
          new DefaultAgentCardResolver({ fetchImpl: limited, legacyCompat }).resolve(remote.card, ""),
          signal,
        );
  if (card !== cached?.card) cards.set(remote.card, { card, untilMs: clock.now() + CARD_CACHE_MS });
  if (secret !== undefined) header = credentialHeader(card, secret);
  const transports = [
    new JsonRpcTransportFactory({ fetchImpl, legacyCompat }),
    new RestTransportFactory({ fetchImpl: marked, legacyCompat }),
  ];
  const factory = new ClientFactory({ transports, clientConfig: { polling: true } });
  const client = await factory.createFromAgentCard(card);
  return { client, streams: card.capabilities?.streaming === true };
}

async function secretOf({ id, remote }: RemoteAgent, ports: Ports): Promise<string | undefined> {
  if (remote.secret === undefined) return undefined;
  const values = await secretsFor({ name: id, secrets: [remote.secret] }, ports);
  return values[remote.secret];
}
