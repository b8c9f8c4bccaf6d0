import { afterAll, beforeAll, expect, test } from "vitest";
import { randomFrom } from "../../support/kill-campaign.ts";
import { type PaymentService, startPaymentService } from "../../support/payment-service.ts";
import { GRACE_SECONDS, stoppedRound } from "../../support/stop-campaign.ts";
import { startStores, type TestStores } from "../../support/stores.ts";

const seed = Number(process.env.STOP_SEED ?? Date.now() % 100_000);
console.log(`STOP_SEED=${seed}`);

let stores: TestStores;
let payments: PaymentService;
beforeAll(async () => {
  [stores, payments] = await Promise.all([startStores(), startPaymentService()]);
});
afterAll(async () => {
  await payments.stop();
  await stores.stop();
});

test("a worker that stands still for longer than the lock grace loses its runs, and does nothing twice when it goes on", async () => {
  const random = randomFrom(seed);
  for (let round = 0; round < 2; round += 1) {
    for (const run of await stoppedRound(stores, payments, { runs: 8, random })) {
      // Where it is unknown whether the order was charged, a person decides.
      expect(["completed", "paused"]).toContain(run.status);
      expect(run.endings).toEqual([run.status === "completed" ? "RunCompleted" : "RunPaused"]);
      expect(run.attempt).toBeLessThanOrEqual(2);
      expect(run.charges).toBeLessThanOrEqual(1);
      if (run.status === "completed") expect(run.charges).toBe(1);
      // How many seconds it takes on a quiet machine: `npm run bench:stops`.
      expect(run.recoveredMs ?? 0).toBeLessThan((GRACE_SECONDS + 30) * 1000);
      expect(run.changedLate).toBe(false);
    }
  }
});
