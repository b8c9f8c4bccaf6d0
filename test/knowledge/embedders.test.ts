import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connectEmbedder, type EmbedderEnv } from "../../shared/knowledge/embedders/connect-embedder.ts";
import type { Embedder } from "../../shared/knowledge/embedders/embedder.ts";

type Asked = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly texts: string[];
  type: string | undefined;
};
type Refusal = { readonly status: number; readonly headers?: Readonly<Record<string, string>> };

const KEY = "sk-of-the-embedder";
/** Most texts of one request. @source OpenAI's reference of embeddings; Bedrock's of Titan and Cohere models */
const LIMITS = { openai: 2048, titan: 1, cohere: 96 };

/** Speaks as OpenAI's embeddings, and as Titan's and Cohere's on Bedrock, and refuses what those refuse. */
let server: Server;
let origin: string;
let asked: Asked[];
let refusals: Refusal[];

beforeAll(async () => {
  server = createServer(async (incoming, response) => {
    const body = JSON.parse(await text(incoming));
    const path = decodeURIComponent(incoming.url ?? "");
    const { status, headers = {}, answer, texts } = answerTo(path, incoming.headers, body);
    asked.push({ path, headers: incoming.headers, texts, type: body.input_type });
    response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server's
  process.env.AWS_REGION = "eu-north-1";
  process.env.AWS_ACCESS_KEY_ID = "AKIDEXAMPLE";
  process.env.AWS_SECRET_ACCESS_KEY = "secret";
  delete process.env.AWS_BEARER_TOKEN_BEDROCK;
});
afterAll(() => {
  server.close();
});
beforeEach(() => {
  asked = [];
  refusals = [];
});

type Body = {
  model?: string;
  input?: string[];
  encoding_format?: string;
  inputText?: string;
  texts?: string[];
  input_type?: string;
};
const refused = (status: number, message: string): Reply => ({
  status,
  answer: { error: { message }, message },
  texts: [],
});

type Reply = { status: number; headers?: Readonly<Record<string, string>>; answer: object; texts: string[] };

function answerTo(path: string, headers: IncomingHttpHeaders, body: Body): Reply {
  const next = refusals.shift();
  if (next)
    return {
      ...refused(next.status, "as the test wants it"),
      ...(next.headers && { headers: next.headers }),
    };
  return path.startsWith("/model/") ? bedrock(path, headers, body) : openai(path, headers, body);
}

function openai(
  path: string,
  { authorization }: IncomingHttpHeaders,
  { model, input, encoding_format }: Body,
) {
  if (path !== "/v1/embeddings") return refused(404, "no such path");
  if (authorization !== `Bearer ${KEY}`) return refused(401, "Incorrect API key provided");
  const isShaped = model === "embed-3" && Array.isArray(input) && encoding_format === "float";
  if (!isShaped || input.length > LIMITS.openai || input.includes("")) return refused(400, "invalid input");
  const data = input.map((one, index) => ({ object: "embedding", index, embedding: [one.length, 0, 4] }));
  return {
    status: 200,
    answer: { object: "list", data, model, usage: { prompt_tokens: 1, total_tokens: 1 } },
    texts: input,
  };
}

function bedrock(path: string, { authorization = "" }: IncomingHttpHeaders, { inputText, texts }: Body) {
  const isSigned = /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-north-1\/bedrock\/aws4_request/.test(
    authorization,
  );
  if (!isSigned) return refused(403, "The security token included in the request is invalid");
  if (path === "/model/amazon.titan-embed-text-v2:0/invoke") {
    if (!inputText) return refused(400, "expected minLength: 1");
    const answer = { embedding: [inputText.length, 0, 4], inputTextTokenCount: 1 };
    return { status: 200, answer, texts: [inputText] };
  }
  if (path === "/model/cohere.embed-multilingual-v3/invoke") {
    if (!texts || texts.length > LIMITS.cohere) return refused(400, "too many texts");
    return { status: 200, answer: { embeddings: texts.map((one) => [one.length, 0, 4]) }, texts };
  }
  return refused(404, "no such model");
}

let slept: number[];
const clock = { now: () => 0, sleep: async (ms: number) => void slept.push(ms) };
const embedderOf = (env: EmbedderEnv): Embedder => {
  slept = [];
  return connectEmbedder(env, clock);
};

const providers: Record<string, { env: () => EmbedderEnv; most: number }> = {
  OpenAI: {
    env: () => ({ EMBEDDER: "openai:embed-3", EMBEDDER_BASE_URL: `${origin}/v1`, EMBEDDER_API_KEY: KEY }),
    most: 96,
  },
  "a compatible service": {
    env: () => ({
      EMBEDDER: "openai-compatible:embed-3",
      EMBEDDER_BASE_URL: `${origin}/v1`,
      EMBEDDER_API_KEY: KEY,
    }),
    most: 96,
  },
  "Titan on Bedrock": {
    env: () => ({ EMBEDDER: "amazon-bedrock:amazon.titan-embed-text-v2:0", EMBEDDER_BASE_URL: origin }),
    most: LIMITS.titan,
  },
  "Cohere on Bedrock": {
    env: () => ({ EMBEDDER: "amazon-bedrock:cohere.embed-multilingual-v3", EMBEDDER_BASE_URL: origin }),
    most: LIMITS.cohere,
  },
};

/** The server's vector of a text, with length 1. */
const vectorOf = (text: string) => {
  const length = Math.hypot(text.length, 4);
  return [text.length / length, 0, 4 / length].map((x) => expect.closeTo(x, 10));
};

describe.each(Object.entries(providers))("%s", (_name, { env, most }) => {
  test("gives a vector of length 1 for each text, in their order, in requests of as many as it takes", async () => {
    const texts = Array.from({ length: 200 }, (_, i) => "x".repeat(i + 1));
    const vectors = await embedderOf(env()).embed(texts);
    expect(vectors).toEqual(texts.map(vectorOf));
    // They run side by side, so they arrive in any order.
    const sizes = asked.map(({ texts }) => texts.length).toSorted((a, b) => b - a);
    expect(sizes[0]).toBe(most);
    expect(sizes).toHaveLength(Math.ceil(200 / most));
    expect(asked.flatMap(({ texts }) => texts).toSorted()).toEqual(texts.toSorted());
  });

  test("is never asked for a text of nothing, which it would refuse", async () => {
    expect(await embedderOf(env()).embed(["", "  "])).toHaveLength(2);
    expect(asked.flatMap(({ texts }) => texts)).toEqual(["-", "-"]);
  });

  test("is asked again when it is throttled or down, after the time that it names", async () => {
    refusals = [{ status: 429, headers: { "retry-after": "2" } }, { status: 503 }];
    expect(await embedderOf(env()).embed(["abc"])).toEqual([vectorOf("abc")]);
    expect(slept).toEqual([2_000, 1_000]);
    expect(asked).toHaveLength(3);
  });

  test("that stays down fails after a few tries, and may be asked again later", async () => {
    refusals = Array.from({ length: 4 }, () => ({ status: 429 }));
    const embedder = embedderOf(env());
    await expect(embedder.embed(["abc"])).rejects.toMatchObject({ statusCode: 429 });
    expect(asked).toHaveLength(4);
    expect(await embedder.embed(["abc"])).toHaveLength(1);
  });

  test.each([401, 403])(
    "that refuses its credentials with %i is not asked again, and says so",
    async (status) => {
      refusals = [{ status }];
      await expect(embedderOf(env()).embed(["abc"])).rejects.toMatchObject({
        code: "UNAVAILABLE",
        message: `the embedder refuses its credentials: ${status}`,
      });
      expect(asked).toHaveLength(1);
    },
  );

  test("that refuses a text is not asked again", async () => {
    refusals = [{ status: 400 }];
    await expect(embedderOf(env()).embed(["abc"])).rejects.toThrow("refuses what it is asked: 400");
    expect([asked.length, slept]).toEqual([1, []]);
  });

  test("shows what it is without being asked", () => {
    const { id, description } = embedderOf(env());
    expect(id).toBe(env().EMBEDDER);
    expect(description).toContain(id.slice(id.indexOf(":") + 1));
    expect(asked).toEqual([]);
  });
});

describe("a key", () => {
  test("that is wrong is refused by the service itself", async () => {
    const env = { ...providers.OpenAI?.env(), EMBEDDER: "openai:embed-3", EMBEDDER_API_KEY: "wrong" };
    await expect(embedderOf(env).embed(["abc"])).rejects.toThrow("refuses its credentials: 401");
  });

  test("must be there for OpenAI, and an address for a compatible service, which may need no key", async () => {
    const missing = embedderOf({ EMBEDDER: "openai:embed-3", EMBEDDER_BASE_URL: `${origin}/v1` });
    await expect(missing.embed(["abc"])).rejects.toMatchObject({ code: "UNAVAILABLE" });
    const nowhere = embedderOf({ EMBEDDER: "openai-compatible:embed-3" });
    await expect(nowhere.embed(["abc"])).rejects.toMatchObject({ code: "UNAVAILABLE" });
    const open = embedderOf({ EMBEDDER: "openai-compatible:embed-3", EMBEDDER_BASE_URL: `${origin}/v1` });
    await expect(open.embed(["abc"])).rejects.toThrow("401");
    expect(asked.at(-1)?.headers.authorization).toBeUndefined();
  });
});

test("Cohere is called with what is kept and what is asked", async () => {
  const embedder = embedderOf(providers["Cohere on Bedrock"]?.env() ?? { EMBEDDER: "local" });
  await embedder.embed(["a page"]);
  await embedder.embed(["a question"], "query");
  expect(asked.map(({ type }) => type)).toEqual(["search_document", "search_query"]);
});

test("an answer with fewer vectors than texts is a fault", async () => {
  const env = providers["a compatible service"]?.env() ?? { EMBEDDER: "local" };
  const own = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ data: [{ embedding: [1], index: 0 }], usage: { prompt_tokens: 1 } }));
  });
  await new Promise<void>((resolve) => own.listen(0, "127.0.0.1", resolve));
  const { port } = own.address() as AddressInfo; // a TCP server's
  const embedder = embedderOf({ ...env, EMBEDDER_BASE_URL: `http://127.0.0.1:${port}/v1` });
  await expect(embedder.embed(["a", "b"])).rejects.toThrow("another number of vectors");
  own.close();
});
