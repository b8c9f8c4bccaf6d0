import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What becomes of a request: it is answered by the proxy, or its connection breaks after so many bytes of the answer. */
export type Breakage =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /** 0 breaks it before the answer begins, -1 before the request reaches the platform. */
  | { readonly cutAfter: number }
  /** The answer ends after so many bytes, as if it were whole. */
  | { readonly endAfter: number };

export type BreakingProxy = {
  readonly url: string;
  /** Method and path of every request, and the headers that it came with. */
  readonly requests: readonly { readonly line: string; readonly headers: IncomingMessage["headers"] }[];
  /** Breaks the next requests whose line the pattern matches, one after the other. */
  readonly breakNext: (pattern: RegExp, ...breakages: readonly Breakage[]) => void;
  readonly stop: () => Promise<void>;
};

/** Stands between a client and a platform, and breaks connections on request. */
export async function startBreakingProxy(target: string): Promise<BreakingProxy> {
  const requests: { line: string; headers: IncomingMessage["headers"] }[] = [];
  const planned: { readonly pattern: RegExp; readonly breakage: Breakage }[] = [];
  const server = createServer((incoming, outgoing) => {
    const line = `${incoming.method} ${incoming.url}`;
    requests.push({ line, headers: incoming.headers });
    const at = planned.findIndex(({ pattern }) => pattern.test(line));
    const [plan] = at < 0 ? [] : planned.splice(at, 1);
    answer(target, incoming, outgoing, plan?.breakage);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    // The type says string for servers that listen on a pipe.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    breakNext: (pattern, ...breakages) => {
      planned.push(...breakages.map((breakage) => ({ pattern, breakage })));
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  breakage: Breakage | undefined,
): void {
  if (breakage && "status" in breakage) {
    incoming.resume();
    outgoing.writeHead(breakage.status, { "content-type": "application/json", ...breakage.headers });
    outgoing.end(breakage.body ?? JSON.stringify({ detail: "broken", error_code: "UNAVAILABLE" }));
    return;
  }
  const cut = () => {
    outgoing.destroy();
  };
  const cutAfter = breakage && "cutAfter" in breakage ? breakage.cutAfter : undefined;
  const endAfter = breakage && "endAfter" in breakage ? breakage.endAfter : undefined;
  if (cutAfter === -1) {
    cut();
    return;
  }
  const { method, url, headers } = incoming;
  const forwarded = request(`${target}${url}`, { method, headers }, (response) => {
    if (cutAfter === 0) {
      response.destroy();
      cut();
      return;
    }
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    let left = cutAfter ?? endAfter ?? Number.POSITIVE_INFINITY;
    response.on("data", (chunk: Buffer) => {
      if (left === 0) return;
      const part = chunk.subarray(0, left);
      left -= part.length;
      const isLast = left === 0;
      outgoing.write(part, () => {
        if (isLast && cutAfter !== undefined) cut();
      });
      if (isLast) response.destroy();
      if (isLast && endAfter !== undefined) outgoing.end();
    });
    response.on("end", () => {
      if (left > 0) outgoing.end();
    });
    response.on("error", () => {
      if (left > 0) cut();
    });
  });
  forwarded.on("error", cut);
  // What the client ends, the platform sees ended too.
  outgoing.on("close", () => forwarded.destroy());
  incoming.pipe(forwarded);
}
