type Described = {
  readonly kind: "agent" | "team" | "workflow";
  readonly id: string;
  readonly name: string;
  readonly description?: string | undefined;
  /** Of a stored component. */
  readonly version?: number | undefined;
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

const BEARER: Json = { httpAuthSecurityScheme: { scheme: "Bearer", bearerFormat: "JWT" } };
const REQUIREMENTS: readonly Json[] = [{ schemes: { bearer: { list: [] } } }];

/**
 * The card of protocol version 1.0, without further fields: clients validate it against a closed schema.
 *
 * @param root  address of the component below the interface's prefix
 * @source contract, a2a section 7
 */
export function agentCard(described: Described, root: string): Json {
  return {
    ...commonPart(described),
    supportedInterfaces: interfacesAt(root),
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
    securitySchemes: { bearer: BEARER },
    securityRequirements: REQUIREMENTS,
  };
}

/** The card of version 0.3, with the fields of 1.0 for clients of 1.0 that name no version. */
export function hybridCard(described: Described, root: string): Json {
  return {
    ...commonPart(described),
    protocolVersion: "0.3.0",
    // Some clients of 0.3 use this address whatever is named below, and speak JSON-RPC to it.
    url: root,
    preferredTransport: "JSONRPC",
    additionalInterfaces: [
      { url: root, transport: "JSONRPC" },
      { url: root, transport: "HTTP+JSON" },
    ],
    supportedInterfaces: interfacesAt(root),
    supportsAuthenticatedExtendedCard: false,
    capabilities: {
      streaming: true,
      pushNotifications: false,
      extendedAgentCard: false,
      stateTransitionHistory: false,
    },
    // In both forms: clients of 1.0 that name no version read the member, those of 0.3 the type.
    securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT", ...BEARER } },
    security: [{ bearer: [] }],
    securityRequirements: REQUIREMENTS,
  };
}

function commonPart({ kind, id, name, description = "", version }: Described): Json {
  return {
    name,
    description,
    version: version === undefined ? "1.0.0" : `${version}.0.0`,
    defaultInputModes: INPUT_MODES,
    defaultOutputModes: ["text/plain"],
    skills: [{ id, name, description: description || name, tags: [kind] }],
  };
}

/** In order of preference: clients use the first of a binding. */
const interfacesAt = (root: string): Json[] => [
  { url: root, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
  { url: `${root}/v1`, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
  { url: root, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
  { url: root, protocolBinding: "HTTP+JSON", protocolVersion: "0.3" },
];
