import fc from "fast-check";
import type { Example } from "../../../shared/openapi/example.ts";
import { families } from "../../../shared/routes/index.ts";
import type { Route, RouteTable } from "../../../shared/routes/route.ts";
import { ordinaryScopes } from "../../flows/credential-matrix.ts";
import { type Client, clientOf } from "../client.ts";
import type { TestPlatform } from "../platform.ts";
import { type Answered, answerFault } from "./answer-fault.ts";
import { ask } from "./ask.ts";
import { type AskedRequest, requestsTo } from "./asked-request.ts";
import { decisionFault } from "./decision-fault.ts";
import { operations } from "./document.ts";
import { exampleFrom } from "./example-from.ts";
import { fresh, type Staged } from "./stages/stage.ts";
import { namesAThing, stage, variablesOf } from "./stages/stages.ts";

type Operation = (typeof operations)[number];
type User = { readonly name: string; readonly token: string | undefined; readonly client: Client };

export type EveryRoute = {
  /** Request and answers of every operation, without what differs each time. */
  readonly examples: Readonly<Record<string, Example>>;
  /** What was not as the row or the interface description says. */
  readonly faults: readonly string[];
};

/**
 * Asks every route of a platform as its row's example does, each as a user of its own: first a stranger asks for the same, and
 * is answered as the row says; then the owner, who has to succeed.
 */
export async function askEveryRoute(platform: TestPlatform): Promise<EveryRoute> {
  const userOf = (name: string, scopes = ordinaryScopes): User => {
    const token = platform.token(name, scopes);
    return { name, token, client: clientOf(platform.url, token) };
  };
  const world: World = {
    url: platform.url,
    admin: { name: "admin", token: platform.adminToken, client: clientOf(platform.url, platform.adminToken) },
    stranger: userOf("otto"),
    userOf,
  };
  const examples: Record<string, Example> = {};
  const faults: string[] = [];
  for (const operation of operations) {
    const fault = (text: string): void => void faults.push(`${operation.operationId}: ${text}`);
    try {
      examples[operation.operationId] = await askRoute(world, operation, fault);
    } catch (error) {
      // What cannot be made for one route is a fault of that route: the others are asked too.
      fault(String(error));
    }
  }
  return { examples, faults };
}

type World = {
  readonly url: string;
  readonly admin: User;
  readonly stranger: User;
  readonly userOf: (name: string, scopes?: readonly string[]) => User;
};

/** The protocol has these routes, and clients ask which of them there are. */
const refusesEverybody = ({ summary }: Operation): boolean => summary.startsWith("Refused");

async function askRoute(world: World, operation: Operation, fault: (text: string) => void): Promise<Example> {
  const { url, admin, stranger } = world;
  const row = rowOf(operation);
  const owner = ownerOf(row, world);
  const answers: Answered[] = [];
  let first: Shown | undefined;
  for (const change of [{}, ...variantsOf(operation, row)]) {
    const prepare = async () => {
      const staged = await stage(operation, owner.client, admin.client);
      const shown = shownRequest(operation, row, staged, owner.name, change);
      return { staged, shown, request: requestOf(operation, shown, staged) };
    };
    let { staged, shown, request } = await prepare();
    if (!first) {
      await askStrangers(url, stranger, request, { operation, row, owner }, fault);
      if (staged.isBrief) ({ staged, shown, request } = await prepare());
    }
    const answered = await ask(url, staged.asAdmin ? admin.token : owner.token, request);
    const wrong =
      answerFault(operation, answered, false) ?? (await decisionFault(operation, request, answered));
    if (wrong !== undefined) fault(wrong);
    // A row may lead on to another address.
    if (answered.status < 300 || answered.status === row.status) answers.push(answered);
    else if (!refusesEverybody(operation)) fault(`${answered.status} ${answered.text.slice(0, 300)}`);
    first ??= shown;
  }
  return exampleFrom({ ...first, answers }, operation.tags[0] ?? "");
}

/**
 * The request of an operation's example, about what is made for it now.
 *
 * @param name   of the owner
 */
export async function exampleRequest(
  operationId: string,
  owner: Client,
  admin: Client,
  name: string,
): Promise<AskedRequest> {
  const operation = operations.find((one) => one.operationId === operationId);
  if (!operation) throw new Error(`${operationId} is not described`);
  const staged = await stage(operation, owner, admin);
  return requestOf(operation, shownRequest(operation, rowOf(operation), staged, name, {}), staged);
}

const rows: Readonly<Record<string, Route>> = Object.assign({}, ...Object.values<RouteTable>(families));
const rowOf = ({ operationId }: Operation): Route => {
  const row = rows[operationId];
  if (!row) throw new Error(`${operationId} has no row`);
  return row;
};

const isAdmins = ({ scopes }: Route): boolean => scopes !== "public" && scopes.includes("platform:admin");

function ownerOf(row: Route, { url, userOf }: World): User {
  if (row.scopes === "public")
    return { name: "without a credential", token: undefined, client: clientOf(url) };
  return userOf(fresh("maria"), isAdmins(row) ? row.scopes : ordinaryScopes);
}

type About = { readonly operation: Operation; readonly row: Route; readonly owner: User };

/**
 * No one but its owner gets the thing: neither another user nor an account that the owner has minted. What would only list or
 * make something of the one who asks is asked where it changes nothing.
 */
async function askStrangers(
  url: string,
  stranger: User,
  request: AskedRequest,
  { operation, row, owner }: About,
  fault: (text: string) => void,
): Promise<void> {
  if (row.scopes === "public") return;
  const expected = row.strangers ?? (isAdmins(row) ? 403 : namesAThing(operation.path) ? 404 : undefined);
  if (expected === undefined && operation.method !== "GET") return;
  const account = expected !== undefined && isFirstOfFamily(operation) ? [await accountOf(owner)] : [];
  for (const token of [stranger.token, ...account]) {
    const { status, text } = await ask(url, token, request);
    if (expected !== undefined && status !== expected)
      fault(`a stranger is answered ${status}, not ${expected}`);
    if (text.includes(owner.name) && !request.path.includes(owner.name)) fault(`a stranger is shown ${text}`);
  }
}

/** That an account is not its owner holds for a family or for none: one route of each asks it. */
const isFirstOfFamily = ({ operationId, tags }: Operation): boolean =>
  operations.find((one) => one.tags[0] === tags[0] && namesAThing(one.path))?.operationId === operationId;

/** The token of an account with every scope of an ordinary user. */
async function accountOf({ client }: User): Promise<string> {
  const json = {
    name: fresh("account"),
    scopes: ordinaryScopes.map((scope) => ({ scope })),
    allow_privileged_scopes: true,
  };
  return (await client.post("/service-accounts", { json })).json.token;
}

/** The members of a request before they are sent. */
type Shown = Required<Pick<Example, "path" | "query">> & Pick<Example, "body">;

/** The row's example about what was staged: ids stand wherever the operation takes them. */
function shownRequest(
  { path, parameters = [], requestBody }: Operation,
  { example = {} }: Route,
  { about, query, body }: Staged,
  owner: string,
  change: Readonly<Record<string, unknown>>,
): Shown {
  const known = (names: readonly string[]) =>
    Object.fromEntries(
      names.flatMap((name) => (name in about && !path.includes(`{${name}}`) ? [[name, about[name]]] : [])),
    );
  const typed = (name: string, text = ""): string | number =>
    parameters.some((one) => one.name === name && one.schema.type === "integer") ? Number(text) : text;
  const asked = parameters.filter((one) => one.in === "query").map(({ name }) => name);
  const [media] = Object.values(requestBody?.content ?? {});
  const taken = known(Object.keys(Object(media?.schema.properties)));
  const members = { ...taken, ...Object(example.body), ...body, ...change };
  const shown = {
    path: Object.fromEntries(variablesOf(path).map((name) => [name, typed(name, about[name])])),
    query: { ...known(asked), ...example.query, ...query },
    ...(Object.keys(members).length > 0 && { body: members }),
  };
  // Examples are Maria's; the one who asks is another Maria each time.
  return JSON.parse(JSON.stringify(shown).replaceAll('"maria"', JSON.stringify(owner)));
}

function requestOf(operation: Operation, shown: Shown, { signed }: Staged): AskedRequest {
  const about = Object.fromEntries(Object.entries(shown.path).map(([name, value]) => [name, String(value)]));
  const subject = { about, query: shown.query, body: Object(shown.body), ...(signed && { signed }) };
  const [request] = fc.sample(requestsTo(operation, "example", subject), { seed: 1, numRuns: 1 });
  if (!request) throw new Error(`no request to ${operation.operationId}`);
  return request;
}

/** Further forms of the request, which are answered in another form: as a stream, or at once while the run goes on. */
function variantsOf(
  { requestBody, operationId }: Operation,
  row: Route,
): readonly Readonly<Record<string, unknown>>[] {
  const [media] = Object.values(requestBody?.content ?? {});
  const takes = (name: string): boolean => name in Object(media?.schema.properties);
  return [
    ...(row.streams && takes("stream") ? [{ stream: true }] : []),
    // A workflow's run is continued where it was started.
    ...(row.also?.[202] && takes("background") && operationId !== "continueWorkflowRun"
      ? [{ background: true }]
      : []),
    ...(/^call(Versioned)?(Agent|Team|Workflow)$/.test(operationId)
      ? [{ method: "SendStreamingMessage" }]
      : []),
  ];
}
