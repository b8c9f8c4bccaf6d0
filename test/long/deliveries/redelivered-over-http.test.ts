import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, clientOf } from "../../support/client.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";

/** Deliveries of runs that are asked for again, over the deployed bundles. */
let platform: TestPlatform;
let receiver: Receiver;
let maria: Client;
const scopes = ["agents:run", "agents:read", "webhooks:read", "webhooks:write"];

beforeAll(async () => {
  receiver = await startReceiver();
  platform = await startPlatform({ env: { FETCH_ALLOWED_HOSTS: receiver.host } });
  maria = clientOf(platform.url, platform.token("maria", scopes));
});
afterAll(async () => {
  await platform?.stop();
  await receiver?.stop();
});

/** The delivery of a run's end, once it was sent. */
async function deliveryOf(run_id: string) {
  const read = async () => (await maria.get(`/webhook-deliveries?run_id=${run_id}`)).json.data[0];
  await expect.poll(async () => (await read())?.status).toBe("delivered");
  return read();
}
const arrived = (run_id: string) => receiver.about(run_id).length;

test("the delivery of a run to an endpoint is sent again, but not while that is disabled: it says so, and sends nothing", async () => {
  const endpoint = (await maria.post("/webhook-endpoints", { json: { url: `${receiver.url}/again` } })).json;
  const { run_id } = await maria.submit("Hello");
  const { id } = await deliveryOf(run_id);
  expect(arrived(run_id)).toBe(1);

  const change = (enabled: boolean) =>
    maria.call("PATCH", `/webhook-endpoints/${endpoint.id}`, { json: { enabled } });
  expect((await change(false)).status).toBe(200);
  expect(await maria.post(`/webhook-deliveries/${id}/redeliver`)).toMatchObject({
    status: 409,
    json: { detail: `the endpoint ${endpoint.id} is disabled; enable it first` },
  });
  expect((await maria.get(`/webhook-deliveries/${id}`)).json).toMatchObject({ status: "delivered" });

  await change(true);
  expect(await maria.post(`/webhook-deliveries/${id}/redeliver`)).toMatchObject({
    status: 202,
    json: { id, run_id, status: "pending" },
  });
  await expect.poll(() => arrived(run_id)).toBe(2);
  const [first, second] = receiver.about(run_id);
  expect([second?.id, second?.body]).toEqual([first?.id, first?.body]);
  expect(await deliveryOf(run_id)).toMatchObject({
    attempts: [{ response_status: 204 }, { response_status: 204 }],
  });
});

test("a delivery that is asked for ten times at once is sent again, and nothing of it is an error in the log", async () => {
  const { run_id } = await maria.submit("Hello", { callback_url: `${receiver.url}/many` });
  await receiver.until(({ body, path }) => body.data.run_id === run_id && path.endsWith("/many"));
  const { data } = (await maria.get(`/webhook-deliveries?run_id=${run_id}`)).json;
  const callback = data.find(({ target }: { target: string }) => target === "callback");
  await expect
    .poll(async () => (await maria.get(`/webhook-deliveries/${callback.id}`)).json.status)
    .toBe("delivered");
  const many = () => receiver.about(run_id).filter(({ path }) => path.endsWith("/many")).length;
  const before = many();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => maria.post(`/webhook-deliveries/${callback.id}/redeliver`)),
  );
  expect(answers.map(({ status }) => status).filter((status) => status !== 202 && status !== 409)).toEqual(
    [],
  );
  expect(answers.some(({ status }) => status === 202)).toBe(true);
  await expect.poll(many).toBeGreaterThan(before);
  await expect
    .poll(async () => (await maria.get(`/webhook-deliveries/${callback.id}`)).json.status)
    .toBe("delivered");
  expect(platform.lines.filter((line) => /error/i.test(line))).toEqual([]);
});

test("what is said about a run, its change and its removal reach an endpoint, without a text", async () => {
  const url = `${receiver.url}/judged`;
  const events = ["feedback.created", "feedback.updated", "feedback.deleted"];
  const { secret } = (await maria.post("/webhook-endpoints", { json: { url, events } })).json;
  const { run_id, session_id } = (await maria.run("Hello")).json;
  const give = (score: number) =>
    maria.post(`/runs/${run_id}/feedback`, {
      json: { session_id, key: "thumb", score, comment: "a secret word" },
    });
  const { feedback_id } = (await give(1)).json;
  await give(0);
  // An equal one is no event.
  await give(0);
  await maria.call("DELETE", `/runs/${run_id}/feedback/${feedback_id}?session_id=${session_id}`);
  const arrivedHere = () => receiver.about(run_id).filter(({ path }) => path.endsWith("/judged"));
  await expect
    .poll(() =>
      arrivedHere()
        .map(({ body }) => body.type)
        .sort(),
    )
    .toEqual(events.toSorted());
  const ids = { feedback_id, run_id, session_id, key: "thumb", role: "user", source: "api" };
  for (const { body, text, isSignedBy } of arrivedHere()) {
    expect(body.data).toMatchObject({ ...ids, score: body.type === "feedback.created" ? 1 : 0 });
    expect(text).not.toContain("secret word");
    expect(isSignedBy(secret)).toBe(true);
  }
});
