/**
 * Writes the requests and answers that the interface description shows: `npm run record:examples`. It asks every route of a
 * platform, as `test/flows/every-route.test.ts` does, which fails where the recorded answers differ.
 */
import { writeFileSync } from "node:fs";
import { askEveryRoute } from "../test/support/openapi/ask-every-route.ts";
import { startReachablePlatform } from "../test/support/openapi/reachable-platform.ts";
import { examplesFile, examplesText } from "../test/support/openapi/recorded-examples.ts";

const platform = await startReachablePlatform();
try {
  const { examples, faults } = await askEveryRoute(platform);
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
  writeFileSync(examplesFile, examplesText(examples));
  console.log(`recorded ${Object.keys(examples).length} operations`);
} finally {
  await platform.stop();
}
