export type Skill = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly examples?: readonly string[];
};

/** What a card says of a component. */
export type CardSubject = {
  readonly name: string;
  readonly description: string;
  /** Of a stored component. */
  readonly version: number | undefined;
  /** Media types of its answers, as far as they are known beforehand: files that tools make have types of their own. */
  readonly outputModes: readonly string[];
  readonly skills: readonly Skill[];
};

type Json = Readonly<Record<string, unknown>>;

const INPUT_MODES = [
  "text/plain",
  "application/json",
  "image/*",
  "audio/*",
  "video/*",
  "application/octet-stream",
];

const BEARER: Json = { httpAuthSecurityScheme: { scheme: "bearer", bearerFormat: "JWT" } };

/** What a card says of the deployment that serves it. */
export type CardPlace = {
  /** Address of the component below the interface's prefix. */
  readonly root: string;
  /** Addresses at which issuers of credentials publish what they are (OpenID Connect Discovery). */
  readonly discovery: readonly string[];
  /** Whether clients can be notified of their tasks. */
  readonly pushes: boolean;
};

/** The card of protocol version 1.0, without further fields: clients validate it against a closed schema. */
export function agentCard(subject: CardSubject, place: CardPlace): Json {
  return {
    ...commonPart(subject),
    supportedInterfaces: interfacesAt(place.root),
    capabilities: { streaming: true, pushNotifications: place.pushes, extendedAgentCard: true },
    securitySchemes: schemesOf(place),
    securityRequirements: requirementsOf(place),
  };
}

/** The card of version 0.3, with the fields of 1.0 for clients of 1.0 that name no version. */
export function hybridCard(subject: CardSubject, place: CardPlace): Json {
  const { root, discovery } = place;
  const current = schemesOf(place);
  // In both forms: clients of 1.0 that name no version read the member, those of 0.3 the type.
  const legacy = {
    bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
    ...Object.fromEntries(
      discovery.map((openIdConnectUrl, i) => [oidc(i), { type: "openIdConnect", openIdConnectUrl }]),
    ),
  };
  return {
    ...commonPart(subject),
    protocolVersion: "0.3.0",
    // Some clients of 0.3 use this address whatever is named below, and speak JSON-RPC to it.
    url: root,
    preferredTransport: "JSONRPC",
    additionalInterfaces: [
      { url: root, transport: "JSONRPC" },
      { url: root, transport: "HTTP+JSON" },
    ],
    supportedInterfaces: interfacesAt(root),
    supportsAuthenticatedExtendedCard: true,
    capabilities: {
      streaming: true,
      pushNotifications: place.pushes,
      extendedAgentCard: true,
      stateTransitionHistory: false,
    },
    securitySchemes: Object.fromEntries(
      Object.entries(legacy).map(([name, scheme]) => [name, { ...scheme, ...Object(current[name]) }]),
    ),
    // Not in the form of 1.0 also: the SDK for Go 2.3 reads no card with it, and clients of 1.0 read this one.
    security: Object.keys(legacy).map((name) => ({ [name]: [] })),
  };
}

function commonPart({ name, description, version, outputModes, skills }: CardSubject): Json {
  return {
    name,
    description,
    version: version === undefined ? "1.0.0" : `${version}.0.0`,
    defaultInputModes: INPUT_MODES,
    defaultOutputModes: outputModes,
    skills,
  };
}

/** Each issuer's is one of several ways to the same: a token of its. */
function schemesOf({ discovery }: CardPlace): Json {
  return {
    bearer: BEARER,
    ...Object.fromEntries(
      discovery.map((openIdConnectUrl, i) => [
        oidc(i),
        { openIdConnectSecurityScheme: { openIdConnectUrl } },
      ]),
    ),
  };
}

const requirementsOf = (place: CardPlace): Json[] =>
  Object.keys(schemesOf(place)).map((name) => ({ schemes: { [name]: { list: [] } } }));

const oidc = (i: number): string => (i === 0 ? "openIdConnect" : `openIdConnect${i + 1}`);

/** In order of preference: clients use the first of a binding. */
const interfacesAt = (root: string): Json[] => [
  { url: root, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
  { url: `${root}/v1`, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
  { url: root, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
  { url: root, protocolBinding: "HTTP+JSON", protocolVersion: "0.3" },
];
