import type { AgentCard, SecurityScheme } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import { untilStopped } from "../../runtime/promises.ts";
import type { RemoteAgent } from "../define/remote-agent.ts";
import type { EnginePorts } from "../ports/engine-ports.ts";
import { secretsFor } from "../run/execution.ts";
import { withMarkedAppends } from "./mark-append.ts";
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

/** After so many failures in a row a remote agent is not asked for a while. */
const FAILURES = 5;
const OPEN_MS = 30_000;

type Circuit = { failures: number; openUntilMs: number };

/**
 * Remembers in this process which services fail, so that runs get an answer at once instead of each waiting for the same
 * failure.
 *
 *   closed ── 5 failures in a row ─▶ open ── 30 s ─▶ one call is let through ─┬─ succeeds ─▶ closed
 *                                      ▲                                      └─ fails ─▶ open
 *
 * @decided  For each process by itself: a shared state would cost a read for every call, and an instance that fails is
 *           found by each process after five calls.
 */
export function createCircuitBreaker() {
  const circuits = new Map<string, Circuit>();
  return {
    /** @returns milliseconds until the service may be called; 0 where it may be now */
    blockedMs(service: string, nowMs: number): number {
      const circuit = circuits.get(service);
      if (!circuit || circuit.failures < FAILURES) return 0;
      if (nowMs < circuit.openUntilMs) return circuit.openUntilMs - nowMs;
      circuit.openUntilMs = nowMs + OPEN_MS; // others wait for how this one call ends
      return 0;
    },
    succeeded(service: string): void {
      circuits.delete(service);
    },
    failed(service: string, nowMs: number): void {
      const failures = (circuits.get(service)?.failures ?? 0) + 1;
      circuits.set(service, { failures, openUntilMs: nowMs + OPEN_MS });
    },
  };
}

type Header = { readonly name: string; readonly value: string };

/** Before a card is known, and where it names no scheme. */
const bearer = (secret: string): Header => ({ name: "authorization", value: `Bearer ${secret}` });

/**
 * The header by which a card wants its credential: that of the first requirement which one header can fulfil.
 *
 * @param secret  the bearer token, the API key, or what follows the name of another HTTP scheme
 */
function credentialHeader(
  { securitySchemes, securityRequirements }: Pick<AgentCard, "securitySchemes" | "securityRequirements">,
  secret: string,
): Header {
  const required = securityRequirements
    .map(({ schemes }) => Object.keys(schemes))
    .filter((names) => names.length === 1)
    .flat();
  const names = required.length > 0 ? required : Object.keys(securitySchemes);
  const headers = names.flatMap((name) => headerOf(securitySchemes[name], secret));
  return headers[0] ?? bearer(secret);
}

function headerOf(declared: SecurityScheme | undefined, secret: string): Header[] {
  switch (declared?.scheme?.$case) {
    case "apiKeySecurityScheme": {
      const { location, name } = declared.scheme.value;
      return location === "header" ? [{ name, value: secret }] : [];
    }
    case "httpAuthSecurityScheme": {
      const { scheme } = declared.scheme.value;
      return /^bearer$/i.test(scheme)
        ? [bearer(secret)]
        : [{ name: "authorization", value: `${scheme} ${secret}` }];
    }
    case "oauth2SecurityScheme":
    case "openIdConnectSecurityScheme":
      return [bearer(secret)];
    default:
      return [];
  }
}
