import { afterAll, beforeAll, describe } from "vitest";

const engine = process.env.DYNAMODB_ENGINE;
beforeAll(() => {
  process.env.DYNAMODB_ENGINE = "simulated";
});
afterAll(() => {
  if (engine === undefined) delete process.env.DYNAMODB_ENGINE;
  else process.env.DYNAMODB_ENGINE = engine;
});

/** What is proved in a simulated world holds as far as its table does what the engines do: these are their tests. */
describe("the table of simulated worlds passes the stores' own tests", async () => {
  await import("../stores/job-moves.test.ts");
  await import("../stores/run-transactions.test.ts");
  await import("../stores/events.test.ts");
  await import("../stores/find-jobs.test.ts");
  await import("../stores/list-jobs.test.ts");
});
