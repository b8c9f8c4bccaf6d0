import { createServer } from "node:http";
import { readBody } from "../../local/aws/read-body.ts";
import { dynamoProxy } from "../../local/dynamodb/dynamo-proxy.ts";
import { serveOnLoopback } from "../../local/machine/listen-on-loopback.ts";

export type Turnstile = {
  readonly address: string;
  /** Until then calls pass as they come. */
  readonly arm: () => void;
  /** How many calls passed while others were held. */
  readonly crossings: () => number;
  readonly stop: () => Promise<void>;
};

/** Long enough for whoever is computing to make its next call. */
const GATHER_MS = 5;

/**
 * A way to the database on which calls made side by side pass one at a time, in an order that `random` draws. Whoever
 * makes them side by side comes to a stop at every one of its awaits while the others go on.
 */
export async function startTurnstile(endpoint: string, random: () => number): Promise<Turnstile> {
  const engine = dynamoProxy(endpoint);
  const held: (() => void)[] = [];
  let armed = false;
  let crossings = 0;
  let timer: NodeJS.Timeout | undefined;
  const letOnePass = (): void => {
    timer = undefined;
    if (held.length > 1) crossings++;
    held.splice(Math.floor(random() * held.length), 1)[0]?.();
    if (held.length > 0) gather();
  };
  const gather = (): void => {
    timer ??= setTimeout(letOnePass, GATHER_MS);
  };
  const server = createServer(async (incoming, response) => {
    const body = await readBody(incoming);
    const pass = () =>
      void engine
        .forward(incoming.headers, body)
        .then(({ status, headers, body: text }) => {
          response.writeHead(status, { ...headers, "content-length": text.length }).end(text);
        })
        .catch(() => response.destroy());
    if (!armed) return pass();
    held.push(pass);
    gather();
  });
  const { address, stop } = await serveOnLoopback(server);
  return {
    address,
    arm: () => {
      armed = true;
    },
    crossings: () => crossings,
    stop: async () => {
      clearTimeout(timer);
      engine.close();
      await stop();
    },
  };
}
