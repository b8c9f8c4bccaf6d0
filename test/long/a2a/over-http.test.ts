import { afterAll, beforeAll } from "vitest";
import { accessChecks } from "../../a2a/over-http/access.ts";
import { cardChecks } from "../../a2a/over-http/cards.ts";
import { clientChecks } from "../../a2a/over-http/clients.ts";
import { currentChecks } from "../../a2a/over-http/current.ts";
import { envelopeChecks } from "../../a2a/over-http/envelope.ts";
import { errorChecks } from "../../a2a/over-http/errors.ts";
import { fileChecks } from "../../a2a/over-http/files.ts";
import { streamChecks } from "../../a2a/over-http/streams.ts";
import { type A2aWorld, startA2aWorld } from "../../support/a2a-world.ts";

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
