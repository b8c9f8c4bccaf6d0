import OpenAI, { RateLimitError } from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform({ env: { MAX_QUEUE_DEPTH: "1", MAX_RUNNING_PER_USER: "1" } });
});
afterAll(() => platform?.stop());

const inQueue = (input: string) => ({ model: "agent:assistant", input, background: true });

test("a full queue is a RateLimitError, and the client's next try waits as long as Retry-After says", async () => {
  const answers: { status: number; asked: number; answered: number }[] = [];
  const options = {
    apiKey: platform.token("maria", ["agents:read", "agents:run"]),
    baseURL: `${platform.url}/v1`,
  };
  const once = new OpenAI({ ...options, maxRetries: 0 });
  const again = new OpenAI({
    ...options,
    maxRetries: 1,
    fetch: async (url, init) => {
      const asked = performance.now();
      const answer = await fetch(url, init);
      answers.push({ status: answer.status, asked, answered: performance.now() });
      return answer;
    },
  });
  const accepted = [await once.responses.create(inQueue("[[sleep:60000]]"))];
  let refused: unknown;
  // A reading of the depth serves for a second, so some too many may pass.
  while (refused === undefined && accepted.length < 20)
    await once.responses.create(inQueue("waits")).then(
      (response) => accepted.push(response),
      (error) => {
        refused = error;
      },
    );
  if (!(refused instanceof RateLimitError)) throw refused ?? new Error("nothing was refused");
  expect(refused).toMatchObject({ status: 429, code: expect.any(String), type: expect.any(String) });
  const seconds = Number(refused.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);

  // On a machine that is busy the queue may have a place again by now.
  const asked = async (): Promise<{
    readonly later: Promise<{ readonly id: string; readonly status?: string }>;
  }> => {
    const later = again.responses.create(inQueue("comes later"));
    await expect.poll(() => answers).toHaveLength(1);
    if (answers[0]?.status === 429 || accepted.length > 40) return { later };
    accepted.push(await later);
    answers.pop();
    return asked();
  };
  const { later } = await asked();
  expect(answers).toMatchObject([{ status: 429 }]);
  for (const { id } of accepted) await once.responses.cancel(id);
  expect(await later).toMatchObject({ status: expect.stringMatching(/queued|in_progress|completed/) });
  const [first, second] = answers;
  expect(answers.map(({ status }) => status)).toEqual([429, 200]);
  // A timer may fire a millisecond early.
  expect((second?.asked ?? 0) - (first?.answered ?? 0)).toBeGreaterThan(seconds * 1000 - 5);
});
