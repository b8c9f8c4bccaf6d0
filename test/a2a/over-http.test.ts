import { afterAll, beforeAll } from "vitest";
import { type A2aWorld, startA2aWorld } from "../support/a2a-world.ts";
import { accessChecks } from "./over-http/access.ts";
import { cardChecks } from "./over-http/cards.ts";
import { clientChecks } from "./over-http/clients.ts";
import { currentChecks } from "./over-http/current.ts";
import { envelopeChecks } from "./over-http/envelope.ts";
import { errorChecks } from "./over-http/errors.ts";
import { fileChecks } from "./over-http/files.ts";
import { streamChecks } from "./over-http/streams.ts";

/** One platform for all that other agents may ask for over the wire: it takes longer to start than the checks take. */
let started: A2aWorld | undefined;
beforeAll(async () => {
  started = await startA2aWorld();
});
afterAll(() => started?.stop());

const world = (): A2aWorld => {
  if (!started) throw new Error("the platform has not started");
  return started;
};

accessChecks(world);
cardChecks(world);
envelopeChecks(world);
currentChecks(world);
streamChecks(world);
fileChecks(world);
errorChecks(world);
clientChecks(world);
