/** The kit's scenarios of clients that it requires of a revision, and those that came later. What the kit has beyond these fails the run. */
const core: Readonly<Record<string, readonly string[]>> = {
  "2025-11-25": [
    "initialize",
    "tools_call",
    "sse-retry",
    "elicitation-sep1034-client-defaults",
    "json-schema-2020-12-preservation",
  ],
  "2026-07-28": [
    "tools_call",
    "request-metadata",
    "sep-2322-client-request-state",
    "http-standard-headers",
    "http-custom-headers",
    "http-invalid-tool-headers",
    "json-schema-ref-no-deref",
    "json-schema-2020-12-preservation",
  ],
};

const signIn = [
  ...["metadata-default", "metadata-var1", "metadata-var2", "metadata-var3", "basic-cimd"],
  ...["scope-from-www-authenticate", "scope-from-scopes-supported", "scope-omitted-when-undefined"],
  ...["scope-step-up", "scope-retry-limit"],
  ...["token-endpoint-auth-basic", "token-endpoint-auth-post", "token-endpoint-auth-none"],
  "pre-registration",
];
const signInSince2026 = [
  ...["resource-mismatch", "offline-access-scope", "offline-access-not-supported"],
  ...["authorization-server-migration", "metadata-issuer-mismatch"],
  ...["iss-supported", "iss-not-advertised", "iss-supported-missing", "iss-wrong-issuer"],
  ...["iss-unexpected", "iss-normalized"],
];
const extensions = [
  ...["client-credentials-jwt", "client-credentials-basic", "enterprise-managed-authorization"],
  ...["dpop", "dpop-nonce", "wif-jwt-bearer"],
];
const ofSignIn = (names: readonly string[]) => names.map((name) => `auth/${name}`);

export const clientScenarios: Readonly<Record<string, readonly string[]>> = {
  "2025-11-25": [...(core["2025-11-25"] ?? []), ...ofSignIn([...signIn, ...extensions])],
  "2026-07-28": [...(core["2026-07-28"] ?? []), ...ofSignIn([...signIn, ...signInSince2026, ...extensions])],
};

const reasons: Readonly<Record<string, string>> = {
  "sse-retry": "a function that is frozen between two runs keeps no stream open, so it takes none up again",
  "elicitation-sep1034-client-defaults": "a call of an older version cannot wait for a person",
};
const NO_SIGN_IN =
  "a run has no browser and no user at hand: `headers` has the credential for a server of tools, and a 401 is the tool's error";

/** Why a scenario cannot pass; undefined for one that must. */
export const cannotAsClient = (scenario: string): string | undefined =>
  scenario.startsWith("auth/") ? NO_SIGN_IN : reasons[scenario];

/** @param listed  what the kit prints of a revision; @returns scenarios of clients that are not named here */
export function unknownScenarios(revision: string, listed: string): readonly string[] {
  const required = listed.split("Client scenarios")[1]?.split("\n\n")[0] ?? "";
  const named = [...required.matchAll(/^ +- (\S+)/gm)].map(([, name = ""]) => name);
  const later = [...listed.matchAll(/^ +- (\S+) \[client\]/gm)].map(([, name = ""]) => name);
  const known = clientScenarios[revision] ?? [];
  return [...named, ...later].filter((name) => !known.includes(name));
}
